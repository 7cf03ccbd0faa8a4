#include <plumecast/metrics/errors.hpp>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/metrics/mass_balance.hpp>

namespace plumecast {

namespace {

void check_shapes(const FieldCase& one) {
    const Shape& shape = one.truth.shape;
    if (shape.rank() != 3 || one.prediction.shape != shape || one.active.shape != shape.slice(0, 2)) {
        throw InvalidInput("prediction " + one.prediction.shape.text() + ", truth " + shape.text() + " and active " +
                           one.active.shape.text() +
                           " do not fit (they are [Z, R, T], [Z, R, T] and [Z, R]); compare fields of one grid");
    }
}

// Sums over the active cells at one time, which is what the relative error of a time needs.
struct TimeSums {
    double absolute = 0.0;
    double largest = 0.0;
    double cells = 0.0;
};

// Everything one pass over a case gathers.
struct CaseSums {
    double absolute = 0.0;
    double count = 0.0;
    double square_error = 0.0;
    double square_truth = 0.0;
    double plume_absolute = 0.0;
    double plume_count = 0.0;
    Determination all;
    Determination plume;
    std::vector<TimeSums> times;

    void add(double p, double s, TimeSums& time) {
        const double error = std::abs(p - s);
        absolute += error;
        count += 1.0;
        square_error += error * error;
        square_truth += s * s;
        all.add(p, s);
        // Negated so that NaN counts as plume instead of slipping out of the mean.
        if (!(s <= plume_threshold) || !(p <= plume_threshold)) {
            plume_absolute += error;
            plume_count += 1.0;
            plume.add(p, s);
        }
        time.absolute += error;
        time.cells += 1.0;
        if (!(s <= time.largest)) {
            time.largest = s;
        }
    }
};

CaseSums sums_of(const FieldCase& one) {
    check_shapes(one);
    const Shape& shape = one.truth.shape;
    const float* prediction = one.prediction.as<float>();
    const float* truth = one.truth.as<float>();
    const float* active = one.active.as<float>();
    CaseSums sums;
    sums.times.resize(static_cast<std::size_t>(shape[2]));
    for (std::int64_t cell = 0; cell < shape.count(0, 2); ++cell) {
        if (active[cell] == 0.0F) {
            continue;
        }
        for (std::int64_t t = 0; t < shape[2]; ++t) {
            const std::int64_t i = cell * shape[2] + t;
            sums.add(static_cast<double>(prediction[i]), static_cast<double>(truth[i]),
                     sums.times[static_cast<std::size_t>(t)]);
        }
    }
    return sums;
}

double ratio(double numerator, double denominator) { return denominator == 0.0 ? 0.0 : numerator / denominator; }

double mean_relative_error(const std::vector<TimeSums>& times) {
    double sum = 0.0;
    double count = 0.0;
    for (const TimeSums& time : times) {
        if (time.largest != 0.0) {
            sum += time.absolute / time.cells / time.largest;
            count += 1.0;
        }
    }
    return ratio(sum, count);
}

CaseErrors errors_from(const FieldCase& one, const CaseSums& sums) {
    CaseErrors errors;
    errors.mpe = ratio(sums.plume_absolute, sums.plume_count);
    errors.mre = mean_relative_error(sums.times);
    errors.mae = ratio(sums.absolute, sums.count);
    errors.r2 = sums.all.r2();
    errors.r2_plume = sums.plume.r2();
    if (sums.square_truth == 0.0) {
        errors.relative_l2 = sums.square_error == 0.0 ? 0.0 : 1.0;
    } else {
        errors.relative_l2 = std::sqrt(sums.square_error / sums.square_truth);
    }
    if (!one.pore_volumes.empty()) {
        errors.mass_error = mass_error(one.prediction, one.truth, one.pore_volumes);
    }
    return errors;
}

}  // namespace

void Determination::add(double prediction, double truth) {
    count_ += 1.0;
    const double before = truth - mean_;
    mean_ += before / count_;
    deviation_ += before * (truth - mean_);
    error_ += (prediction - truth) * (prediction - truth);
}

void Determination::add(const Determination& other) {
    if (other.count_ == 0.0) {
        return;
    }
    const double total = count_ + other.count_;
    const double apart = other.mean_ - mean_;
    deviation_ += other.deviation_ + apart * apart * count_ * other.count_ / total;
    mean_ += apart * other.count_ / total;
    error_ += other.error_;
    count_ = total;
}

double Determination::r2() const {
    if (error_ == 0.0) {
        return 1.0;
    }
    return deviation_ == 0.0 ? 0.0 : 1.0 - error_ / deviation_;
}

CaseErrors case_errors(const FieldCase& one) { return errors_from(one, sums_of(one)); }

CaseErrors ErrorSummary::add(const FieldCase& one) {
    const CaseSums sums = sums_of(one);
    cases_.push_back(errors_from(one, sums));
    all_.add(sums.all);
    plume_.add(sums.plume);
    return cases_.back();
}

CaseErrors ErrorSummary::mean() const {
    CaseErrors mean;
    for (const auto member : case_error_members) {
        double sum = 0.0;
        for (const CaseErrors& one : cases_) {
            sum += one.*member;
        }
        mean.*member = ratio(sum, static_cast<double>(cases_.size()));
    }
    return mean;
}

CaseErrors ErrorSummary::deviation() const {
    const CaseErrors centre = mean();
    CaseErrors deviation;
    for (const auto member : case_error_members) {
        double sum = 0.0;
        for (const CaseErrors& one : cases_) {
            sum += (one.*member - centre.*member) * (one.*member - centre.*member);
        }
        deviation.*member = std::sqrt(ratio(sum, static_cast<double>(cases_.size())));
    }
    return deviation;
}

CaseErrors ErrorSummary::quantile(double q) const {
    if (!(q >= 0.0 && q <= 1.0)) {
        throw InvalidInput("quantile " + std::to_string(q) +
                           " does not exist (it is a fraction of the cases); give a number from 0 to 1");
    }
    CaseErrors quantile;
    if (cases_.empty()) {
        return quantile;
    }
    std::vector<double> sorted(cases_.size());
    const double rank = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    for (const auto member : case_error_members) {
        std::ranges::transform(cases_, sorted.begin(), [member](const CaseErrors& one) { return one.*member; });
        // strong_order also places NaN, which a plain comparison must not meet.
        std::ranges::sort(sorted, [](double a, double b) { return std::strong_order(a, b) < 0; });
        quantile.*member = std::lerp(sorted[below], sorted[above], rank - static_cast<double>(below));
    }
    return quantile;
}

}  // namespace plumecast
