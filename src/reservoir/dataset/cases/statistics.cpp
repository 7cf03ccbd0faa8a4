#include <algorithm>
#include <cmath>
#include <set>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"

namespace plumecast {
namespace {

/// Count, mean and squared deviations, merged case by case (Chan, Golub and LeVeque 1983).
class Moments {
   public:
    void add(double value) {
        count_ += 1.0;
        const double difference = value - mean_;
        mean_ += difference / count_;
        squares_ += difference * (value - mean_);
    }
    void merge(const Moments& other) {
        if (other.count_ == 0.0) {
            return;
        }
        const double count = count_ + other.count_;
        const double difference = other.mean_ - mean_;
        squares_ += other.squares_ + difference * difference * count_ * other.count_ / count;
        mean_ += difference * other.count_ / count;
        count_ = count;
    }
    double mean() const { return mean_; }
    double deviation() const { return count_ > 0.0 ? std::sqrt(squares_ / count_) : 0.0; }

   private:
    double count_ = 0.0;
    double mean_ = 0.0;
    double squares_ = 0.0;
};

class ArrayReader {
   public:
    ArrayReader(const Dataset& dataset, const ArraySpec& spec)
        : dataset_(dataset),
          spec_(spec),
          result_{std::string(spec.name()), spec.unit, spec.role, 0, 0, 0, 0, 0, 0, {}} {}

    void add_case(std::int64_t which, const std::vector<float>& active) {
        read(which);
        Moments plain;
        Moments logarithm;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const bool is_everywhere = spec_.role == Role::scalar || spec_.role == Role::series;
            const bool is_counted = is_everywhere || active[i % active.size()] != 0.0F;
            if (is_counted && !std::isfinite(values_[i])) {
                ++result_.not_finite;
            } else if (is_counted) {
                add_value(values_[i], plain, logarithm);
            }
        }
        plain_.merge(plain);
        logarithm_.merge(logarithm);
    }
    ArrayStatistics finish() {
        result_.mean = plain_.mean();
        result_.deviation = plain_.deviation();
        if (is_positive_ && result_.count > 0) {
            result_.logarithm = std::pair(logarithm_.mean(), logarithm_.deviation());
        }
        return std::move(result_);
    }

   private:
    void add_value(double value, Moments& plain, Moments& logarithm) {
        result_.low = result_.count == 0 ? value : std::min(result_.low, value);
        result_.high = result_.count == 0 ? value : std::max(result_.high, value);
        ++result_.count;
        plain.add(value);
        is_positive_ = is_positive_ && value > 0.0;
        if (is_positive_) {
            logarithm.add(std::log(value));
        }
    }
    void read(std::int64_t which) {
        const auto cells = static_cast<std::size_t>(dataset_.cells());
        if (spec_.role == Role::scalar) {
            values_.assign(1, dataset_.scalar(spec_.name())[static_cast<std::size_t>(which)]);
        } else if (spec_.role == Role::map) {
            values_.resize(cells);
            dataset_.read_map(spec_.name(), {&which, 1}, values_);
        } else if (spec_.role == Role::series || spec_.role == Role::varying) {
            values_.resize((spec_.role == Role::varying ? cells : 1) * static_cast<std::size_t>(dataset_.snapshots()));
            dataset_.read_varying(spec_.name(), {&which, 1}, values_);
        } else {
            values_.resize(cells * static_cast<std::size_t>(dataset_.snapshots()));
            dataset_.read_output(spec_.name(), {&which, 1}, values_);
        }
    }

    const Dataset& dataset_;
    const ArraySpec& spec_;
    ArrayStatistics result_;
    Moments plain_;
    Moments logarithm_;
    bool is_positive_ = true;
    std::vector<float> values_;
};

}  // namespace

DatasetStatistics dataset_statistics(const std::string& path, const CaseProgress& progress) {
    const Dataset dataset(path);
    std::vector<ArrayReader> readers;
    for (const ArraySpec& spec : dataset.arrays()) {
        const bool is_by_case = spec.role == Role::map || spec.role == Role::scalar || spec.role == Role::output ||
                                spec.role == Role::series || spec.role == Role::varying;
        if (is_by_case && spec.name() != "active" && dataset.has(spec.name())) {
            readers.emplace_back(dataset, spec);
        }
    }
    DatasetStatistics result;
    result.cases = dataset.cases();
    std::set<std::string> fingerprints;
    std::vector<float> active(static_cast<std::size_t>(dataset.cells()));
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        dataset.read_map("active", {&which, 1}, active);
        for (ArrayReader& reader : readers) {
            reader.add_case(which, active);
        }
        fingerprints.insert(case_fingerprint(dataset, which));
        if (progress && progress("reading", which + 1, dataset.cases())) {
            result.is_complete = false;
            return result;
        }
    }
    result.different_cases = static_cast<std::int64_t>(fingerprints.size());
    for (ArrayReader& reader : readers) {
        result.arrays.push_back(reader.finish());
    }
    return result;
}

}  // namespace plumecast
