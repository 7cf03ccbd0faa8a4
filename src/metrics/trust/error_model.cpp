#include <plumecast/metrics/trust/error_model.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <plumecast/core/counted.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/metrics/trust/training_cloud.hpp>

#include "metrics/trust/cholesky.hpp"

namespace plumecast {
namespace {

/// Penalty on the weights, per case: what little data says against no influence at all is not believed.
constexpr double ridge = 0.01;

/// Standardised features with a leading 1, [cases, 1 + n].
struct Design {
    std::size_t columns;
    std::vector<double> values;

    std::span<const double> row(std::size_t i) const { return std::span(values).subspan(i * columns, columns); }
    std::size_t rows() const { return values.size() / columns; }
};

double product(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Factor of X^T X + ridge N on all features but the leading 1.
std::vector<double> normal_factor(const Design& design) {
    const std::size_t n = design.columns;
    std::vector<double> normal(n * n, 0.0);
    for (std::size_t row = 0; row < design.rows(); ++row) {
        const auto x = design.row(row);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                normal[i * n + j] += x[i] * x[j];
            }
        }
    }
    for (std::size_t i = 1; i < n; ++i) {
        normal[i * n + i] += ridge * static_cast<double>(design.rows());
    }
    return cholesky_factor(std::move(normal));
}

void require(bool holds, const std::string& problem, const std::string& remedy) {
    if (!holds) {
        throw InvalidInput(problem + "; " + remedy);
    }
}

}  // namespace

double median_of(std::vector<double> values) {
    if (values.empty()) {
        return 0.0;
    }
    std::ranges::sort(values);
    return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

ErrorModel ErrorModel::fit(const std::string& field, const std::string& measure, const std::vector<CaseFeatures>& cases,
                           std::span<const double> errors) {
    expects(cases.size() == errors.size(), "one error per case");
    ErrorModel model;
    model.field_ = field;
    model.measure_ = measure;
    model.names_ = common_features(cases);
    const std::size_t n = model.names_.size();
    require(n > 0 && cases.size() >= 2 * n,
            counted(static_cast<std::int64_t>(cases.size()), "case") + " cannot tell the influence of " +
                counted(static_cast<std::int64_t>(n), "feature") + " (there must be twice as many)",
            "give more held-out cases");
    require(std::ranges::min(errors) > 0.0, "an error of " + field + " is not above 0 (its logarithm is fitted)",
            "give cases with simulated fields");
    model.usual_ = median_of({errors.begin(), errors.end()});
    model.standardise(cases);
    std::vector<double> rows;
    for (const CaseFeatures& one : cases) {
        rows.push_back(1.0);
        for (std::size_t i = 0; i < n; ++i) {
            rows.push_back((one.at(model.names_[i]) - model.means_[i]) / model.scales_[i]);
        }
    }
    model.solve(rows, errors);
    return model;
}

void ErrorModel::standardise(const std::vector<CaseFeatures>& cases) {
    const auto count = static_cast<double>(cases.size());
    for (const std::string& name : names_) {
        double mean = 0.0, square = 0.0;
        std::ranges::for_each(cases, [&](const CaseFeatures& one) { mean += one.at(name) / count; });
        std::ranges::for_each(cases, [&](const auto& one) { square += std::pow(one.at(name) - mean, 2.0) / count; });
        means_.push_back(mean);
        scales_.push_back(square > 0.0 ? std::sqrt(square) : 1.0);
    }
}

void ErrorModel::solve(const std::vector<double>& rows, std::span<const double> errors) {
    const Design design{names_.size() + 1, rows};
    std::vector<double> right(design.columns, 0.0);
    for (std::size_t row = 0; row < design.rows(); ++row) {
        for (std::size_t i = 0; i < design.columns; ++i) {
            right[i] += design.row(row)[i] * std::log(errors[row]);
        }
    }
    const std::vector<double> factor = normal_factor(design);
    const std::vector<double> weights = solve_factored(factor, right);
    intercept_ = weights.front();
    weights_.assign(weights.begin() + 1, weights.end());
    for (std::size_t row = 0; row < design.rows(); ++row) {
        // Leaving a case out of a linear fit changes its residual by 1 / (1 - leverage) (Allen 1974).
        const std::vector<double> own(design.row(row).begin(), design.row(row).end());
        const double leverage = product(own, solve_factored(factor, own));
        const double residual = std::log(errors[row]) - product(own, weights);
        left_out_.push_back(errors[row] * std::exp(-residual / (1.0 - leverage)) / usual_);
    }
}

std::optional<double> ErrorModel::ratio(const CaseFeatures& features) const {
    double logarithm = intercept_;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const auto found = features.find(names_[i]);
        if (found == features.end()) {
            return std::nullopt;
        }
        logarithm += weights_[i] * (found->second - means_[i]) / scales_[i];
    }
    return std::exp(logarithm) / usual_;
}

Json ErrorModel::to_json() const {
    return Json::Object{{"field", field_},
                        {"measure", measure_},
                        {"usual", usual_},
                        {"intercept", intercept_},
                        {"features", Json::Array(names_.begin(), names_.end())},
                        {"means", Json::Array(means_.begin(), means_.end())},
                        {"scales", Json::Array(scales_.begin(), scales_.end())},
                        {"weights", Json::Array(weights_.begin(), weights_.end())}};
}

ErrorModel ErrorModel::read(JsonReader& object) {
    ErrorModel model;
    model.field_ = object.get<std::string>("field");
    model.measure_ = object.get<std::string>("measure");
    model.usual_ = object.get<double>("usual");
    model.intercept_ = object.get<double>("intercept");
    model.names_ = object.get<std::vector<std::string>>("features");
    model.means_ = object.get<std::vector<double>>("means");
    model.scales_ = object.get<std::vector<double>>("scales");
    model.weights_ = object.get<std::vector<double>>("weights");
    object.reject_unknown();
    const std::size_t n = model.names_.size();
    require(n > 0 && model.means_.size() == n && model.scales_.size() == n && model.weights_.size() == n &&
                std::ranges::min(model.scales_) > 0.0 && model.usual_ > 0.0,
            object.path("features") + ": means, scales and weights do not fit the features (one each, scales above 0)",
            "record the expected errors again");
    return model;
}

}  // namespace plumecast
