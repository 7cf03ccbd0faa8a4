#include <plumecast/reservoir/metrics/errors.hpp>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <string>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/metrics/mass_balance.hpp"

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

void add_cell(CaseSums& sums, double p, double s, CaseSums::Time& time) {
    const double error = std::abs(p - s);
    sums.absolute += error;
    sums.count += 1.0;
    sums.square_error += error * error;
    sums.square_truth += s * s;
    sums.all.add(p, s);
    // Negated so that NaN counts as plume instead of slipping out of the mean.
    if (!(s <= plume_threshold) || !(p <= plume_threshold)) {
        sums.plume_absolute += error;
        sums.plume_count += 1.0;
        sums.plume.add(p, s);
    }
    time.absolute += error;
    time.cells += 1.0;
    if (!(s <= time.largest)) {
        time.largest = s;
    }
}

double ratio(double numerator, double denominator) { return denominator == 0.0 ? 0.0 : numerator / denominator; }

double mean_relative_error(const std::vector<CaseSums::Time>& times) {
    double sum = 0.0;
    double count = 0.0;
    for (const CaseSums::Time& time : times) {
        if (time.largest != 0.0) {
            sum += time.absolute / time.cells / time.largest;
            count += 1.0;
        }
    }
    return ratio(sum, count);
}

}  // namespace

CaseSums CaseSums::of(const FieldCase& one) {
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
            add_cell(sums, static_cast<double>(prediction[i]), static_cast<double>(truth[i]),
                     sums.times[static_cast<std::size_t>(t)]);
        }
    }
    if (!one.pore_volumes.empty()) {
        sums.gas_predicted = gas_volume(one.prediction, one.pore_volumes, shape[2] - 1);
        sums.gas_true = gas_volume(one.truth, one.pore_volumes, shape[2] - 1);
    }
    return sums;
}

void CaseSums::join(const CaseSums& other) {
    absolute += other.absolute;
    count += other.count;
    square_error += other.square_error;
    square_truth += other.square_truth;
    plume_absolute += other.plume_absolute;
    plume_count += other.plume_count;
    gas_predicted += other.gas_predicted;
    gas_true += other.gas_true;
    all.add(other.all);
    plume.add(other.plume);
    times.resize(std::max(times.size(), other.times.size()));
    for (std::size_t t = 0; t < other.times.size(); ++t) {
        times[t].absolute += other.times[t].absolute;
        times[t].cells += other.times[t].cells;
        times[t].largest = other.times[t].largest <= times[t].largest ? times[t].largest : other.times[t].largest;
    }
}

CaseErrors CaseSums::errors() const {
    CaseErrors errors;
    errors.mpe = ratio(plume_absolute, plume_count);
    errors.mre = mean_relative_error(times);
    errors.mae = ratio(absolute, count);
    errors.rmse = std::sqrt(ratio(square_error, count));
    errors.r2 = all.r2();
    errors.r2_plume = plume.r2();
    if (square_truth == 0.0) {
        errors.relative_l2 = square_error == 0.0 ? 0.0 : 1.0;
    } else {
        errors.relative_l2 = std::sqrt(square_error / square_truth);
    }
    errors.mass_error = relative_volume_error(gas_predicted, gas_true);
    return errors;
}

std::vector<double> CaseSums::numbers() const {
    std::vector<double> numbers{absolute,       count,       square_error,  square_truth,
                                plume_absolute, plume_count, gas_predicted, gas_true};
    for (const Determination* pooled : {&all, &plume}) {
        const std::array<double, 4> state = pooled->numbers();
        numbers.insert(numbers.end(), state.begin(), state.end());
    }
    for (const Time& time : times) {
        numbers.insert(numbers.end(), {time.absolute, time.largest, time.cells});
    }
    return numbers;
}

CaseSums CaseSums::of_numbers(std::span<const double> numbers) {
    CaseSums sums;
    sums.absolute = numbers[0];
    sums.count = numbers[1];
    sums.square_error = numbers[2];
    sums.square_truth = numbers[3];
    sums.plume_absolute = numbers[4];
    sums.plume_count = numbers[5];
    sums.gas_predicted = numbers[6];
    sums.gas_true = numbers[7];
    sums.all = Determination::of_numbers(numbers.subspan<8, 4>());
    sums.plume = Determination::of_numbers(numbers.subspan<12, 4>());
    for (std::size_t at = 16; at < numbers.size(); at += 3) {
        sums.times.push_back({numbers[at], numbers[at + 1], numbers[at + 2]});
    }
    return sums;
}

Determination Determination::of_numbers(std::span<const double, 4> numbers) {
    Determination pooled;
    pooled.count_ = numbers[0];
    pooled.mean_ = numbers[1];
    pooled.deviation_ = numbers[2];
    pooled.error_ = numbers[3];
    return pooled;
}

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

CaseErrors ErrorSummary::add(const FieldCase& one) { return add(CaseSums::of(one)); }

CaseErrors ErrorSummary::add(const CaseSums& sums) {
    cases_.push_back(sums.errors());
    all_.add(sums.all);
    plume_.add(sums.plume);
    return cases_.back();
}

void ErrorSummary::add(const ErrorSummary& other) {
    cases_.insert(cases_.end(), other.cases_.begin(), other.cases_.end());
    all_.add(other.all_);
    plume_.add(other.plume_);
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
        throw InvalidInput("quantile " + number_text(q) +
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
        std::ranges::sort(sorted, [](double a, double b) { return std::is_lt(std::strong_order(a, b)); });
        quantile.*member = std::lerp(sorted[below], sorted[above], rank - static_cast<double>(below));
    }
    return quantile;
}

}  // namespace plumecast
