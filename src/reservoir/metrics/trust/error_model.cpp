#include "reservoir/metrics/trust/error_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <plumecast/core/error.hpp>

#include "core/json_fields.hpp"
#include "core/number_text.hpp"
#include "reservoir/metrics/trust/cholesky.hpp"
#include "reservoir/metrics/trust/training_cloud.hpp"

namespace plumecast {
namespace {

/// Penalty on the weights, per case: what little data says against no influence at all is not believed.
constexpr double ridge = 0.03;

/// How many cases there must be per feature before products of features are fitted.
constexpr std::size_t cases_per_feature = 10;

/// Standardised terms with a leading 1, [cases, 1 + n].
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

/// The features of a case in the order of their names; they must be there.
std::vector<double> in_order(const CaseFeatures& features, const std::vector<std::string>& names) {
    std::vector<double> values;
    for (const std::string& name : names) {
        values.push_back(features.at(name));
    }
    return values;
}

/// Mean and deviation of each column of rows, a column that never varies as if it had a deviation of 1.
void take_moments(const std::vector<std::vector<double>>& rows, std::vector<double>& means,
                  std::vector<double>& scales) {
    const auto count = static_cast<double>(rows.size());
    means.clear();
    scales.clear();
    for (std::size_t column = 0; column < rows.front().size(); ++column) {
        double mean = 0.0, square = 0.0;
        std::ranges::for_each(rows, [&](const auto& row) { mean += row[column] / count; });
        std::ranges::for_each(rows, [&](const auto& row) { square += std::pow(row[column] - mean, 2.0) / count; });
        means.push_back(mean);
        scales.push_back(square > 0.0 ? std::sqrt(square) : 1.0);
    }
}

/// All products of two of the values, squares included.
std::vector<double> products_of(const std::vector<double>& values) {
    std::vector<double> products;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = i; j < values.size(); ++j) {
            products.push_back(values[i] * values[j]);
        }
    }
    return products;
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
        const std::vector<double> terms = model.terms(in_order(one, model.names_));
        rows.push_back(1.0);
        rows.insert(rows.end(), terms.begin(), terms.end());
    }
    model.solve(rows, errors);
    return model;
}

/// Standardised features, then their standardised products where these are fitted.
std::vector<double> ErrorModel::terms(std::vector<double> features) const {
    for (std::size_t i = 0; i < features.size(); ++i) {
        features[i] = (features[i] - means_[i]) / scales_[i];
    }
    if (!product_means_.empty()) {
        const std::vector<double> products = products_of(features);
        for (std::size_t i = 0; i < products.size(); ++i) {
            features.push_back((products[i] - product_means_[i]) / product_scales_[i]);
        }
    }
    return features;
}

void ErrorModel::standardise(const std::vector<CaseFeatures>& cases) {
    std::vector<std::vector<double>> rows;
    std::ranges::for_each(cases, [&](const CaseFeatures& one) { rows.push_back(in_order(one, names_)); });
    take_moments(rows, means_, scales_);
    if (cases.size() >= cases_per_feature * names_.size()) {
        std::ranges::for_each(rows, [&](std::vector<double>& row) { row = products_of(terms(std::move(row))); });
        take_moments(rows, product_means_, product_scales_);
    }
}

void ErrorModel::solve(const std::vector<double>& rows, std::span<const double> errors) {
    const Design design{names_.size() + product_means_.size() + 1, rows};
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
    if (!std::ranges::all_of(names_, [&](const std::string& name) { return features.contains(name); })) {
        return std::nullopt;
    }
    return std::exp(intercept_ + product(terms(in_order(features, names_)), weights_)) / usual_;
}

template <class Visitor, class Model>
void ErrorModel::visit(Visitor& v, Model& model) {
    v.required("field", model.field_);
    v.required("measure", model.measure_);
    v.required("usual", model.usual_);
    v.required("intercept", model.intercept_);
    v.required("features", model.names_);
    v.required("means", model.means_);
    v.required("scales", model.scales_);
    v.required("weights", model.weights_);
    if (Visitor::reads || !model.product_means_.empty()) {
        v.section("products", [&](auto& products) {
            products.required("means", model.product_means_);
            products.required("scales", model.product_scales_);
        });
    }
}

Json ErrorModel::to_json() const {
    return written([&](FieldWriter& v) { visit(v, *this); });
}

ErrorModel ErrorModel::read(JsonReader& object) {
    ErrorModel model;
    read_whole(object, [&](FieldReader& v) { visit(v, model); });
    const std::size_t n = model.names_.size(), pairs = model.product_means_.size();
    const bool fits = n > 0 && model.means_.size() == n && model.scales_.size() == n &&
                      (pairs == 0 || pairs == n * (n + 1) / 2) && model.product_scales_.size() == pairs &&
                      model.weights_.size() == n + pairs;
    const auto is_positive = [](double scale) { return scale > 0.0; };
    require(fits && std::ranges::all_of(model.scales_, is_positive) &&
                std::ranges::all_of(model.product_scales_, is_positive) && model.usual_ > 0.0,
            object.path("features") + ": means, scales and weights do not fit the features (one each, scales above 0)",
            "record the expected errors again");
    return model;
}

}  // namespace plumecast
