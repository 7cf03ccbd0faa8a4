#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

#include "reservoir/metrics/trust/case_features.hpp"

namespace plumecast {

/// The error of a field that is to be expected of a case: the logarithm of the error as a linear function of features,
/// and of their products two by two where there are ten cases per feature to fit them to, by ridge regression (Hoerl
/// and Kennard 1970) on standardised terms.
class ErrorModel {
   public:
    /// Fits errors (above 0) of as many cases. Throws InvalidInput for fewer than twice as many cases as features, or
    /// an error that is not above 0.
    static ErrorModel fit(const std::string& field, const std::string& measure, const std::vector<CaseFeatures>& cases,
                          std::span<const double> errors);

    const std::string& field() const { return field_; }
    /// Of errors: "mpe", "mre" or "relative_l2".
    const std::string& measure() const { return measure_; }
    /// Median error of the cases fitted.
    double usual() const { return usual_; }
    /// Expected error of a case in usual errors; nothing when the case lacks a feature.
    std::optional<double> ratio(const CaseFeatures& features) const;
    /// The same of each case fitted, by a fit to all others.
    const std::vector<double>& left_out() const { return left_out_; }

    Json to_json() const;
    /// Reads such an object strictly, without left_out(). Throws InvalidInput with the dotted path.
    static ErrorModel read(JsonReader& object);

   private:
    template <class Visitor, class Model>
    static void visit(Visitor& v, Model& model);
    std::vector<double> terms(std::vector<double> features) const;
    void standardise(const std::vector<CaseFeatures>& cases);
    void solve(const std::vector<double>& rows, std::span<const double> errors);

    std::string field_, measure_;
    double usual_ = 1.0, intercept_ = 0.0;
    std::vector<std::string> names_;
    std::vector<double> means_, scales_;                  // per feature
    std::vector<double> product_means_, product_scales_;  // per pair of features, or empty
    std::vector<double> weights_;                         // of features, then of products
    std::vector<double> left_out_;
};

/// The middle value, or the mean of the two; 0 of none.
double median_of(std::vector<double> values);

}  // namespace plumecast
