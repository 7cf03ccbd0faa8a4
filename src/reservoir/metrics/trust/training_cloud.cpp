#include "reservoir/metrics/trust/training_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <plumecast/core/error.hpp>

#include "core/json_fields.hpp"
#include "reservoir/metrics/trust/cholesky.hpp"

namespace plumecast {
namespace {

/// Whole matrix of its lower half.
std::vector<double> whole(const std::vector<double>& half, std::size_t n) {
    std::vector<double> matrix(n * n);
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            matrix[i * n + j] = matrix[j * n + i] = half[at++];
        }
    }
    return matrix;
}

}  // namespace

std::vector<std::string> common_features(const std::vector<CaseFeatures>& cases) {
    std::vector<std::string> names;
    if (!cases.empty()) {
        for (const auto& [name, value] : cases.front()) {
            if (std::ranges::all_of(cases, [&](const CaseFeatures& one) { return one.contains(name); })) {
                names.push_back(name);
            }
        }
    }
    return names;
}

TrainingCloud TrainingCloud::of(const std::vector<CaseFeatures>& cases) {
    TrainingCloud cloud;
    cloud.names_ = common_features(cases);
    if (cloud.names_.empty()) {
        throw InvalidInput("no features of training cases (there is no case, or they share none); give cases");
    }
    const std::size_t n = cloud.names_.size();
    const auto count = static_cast<double>(cases.size());
    for (const std::string& name : cloud.names_) {
        double mean = 0.0, square = 0.0;
        for (const CaseFeatures& one : cases) {
            mean += one.at(name) / count;
        }
        for (const CaseFeatures& one : cases) {
            square += std::pow(one.at(name) - mean, 2.0) / count;
        }
        // What never varied in training is unusual in any other case.
        constexpr double never_varied = 1e-3;
        cloud.means_.push_back(mean);
        cloud.scales_.push_back(std::max(std::sqrt(square), never_varied * (1.0 + std::abs(mean))));
    }
    const double kept = count / (count + static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            double sum = 0.0;
            for (const CaseFeatures& one : cases) {
                sum += (one.at(cloud.names_[i]) - cloud.means_[i]) / cloud.scales_[i] *
                       (one.at(cloud.names_[j]) - cloud.means_[j]) / cloud.scales_[j];
            }
            cloud.correlations_.push_back(kept * sum / count);
        }
        cloud.correlations_.push_back(1.0);
    }
    cloud.factor_ = cholesky_factor(whole(cloud.correlations_, n));
    double farthest = 0.0;
    for (const CaseFeatures& one : cases) {
        farthest = std::max(farthest, cloud.length(one).value_or(0.0));
    }
    cloud.farthest_ = farthest > 0.0 ? farthest : 1.0;
    return cloud;
}

std::optional<double> TrainingCloud::length(const CaseFeatures& features) const {
    std::vector<double> from_mean;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const auto found = features.find(names_[i]);
        if (found == features.end()) {
            return std::nullopt;
        }
        from_mean.push_back((found->second - means_[i]) / scales_[i]);
    }
    double square = 0.0;
    for (const double part : solve_lower(factor_, std::move(from_mean))) {
        square += part * part;
    }
    return std::sqrt(square);
}

std::optional<double> TrainingCloud::distance(const CaseFeatures& features) const {
    const std::optional<double> own = empty() ? std::nullopt : length(features);
    return own ? std::optional(*own / farthest_) : std::nullopt;
}

template <class Visitor, class Cloud>
void TrainingCloud::visit(Visitor& v, Cloud& cloud) {
    v.required("features", cloud.names_);
    v.required("means", cloud.means_);
    v.required("scales", cloud.scales_);
    v.required("correlations", cloud.correlations_);
    v.required("farthest", cloud.farthest_);
}

Json TrainingCloud::to_json() const {
    return written([&](FieldWriter& v) { visit(v, *this); });
}

TrainingCloud TrainingCloud::read(JsonReader& object) {
    TrainingCloud cloud;
    read_whole(object, [&](FieldReader& v) { visit(v, cloud); });
    const std::size_t n = cloud.names_.size();
    constexpr std::size_t most = 1000;
    const bool fits = n > 0 && n < most && cloud.means_.size() == n && cloud.scales_.size() == n &&
                      cloud.correlations_.size() == n * (n + 1) / 2;
    if (!fits || !(cloud.farthest_ > 0.0) || !(std::ranges::min(cloud.scales_) > 0.0)) {
        throw InvalidInput(object.path("features") +
                           ": means, scales and correlations do not fit the features (one each, scales above 0, and "
                           "the lower half of a matrix); record the training cases again");
    }
    cloud.factor_ = cholesky_factor(whole(cloud.correlations_, n));
    return cloud;
}

}  // namespace plumecast
