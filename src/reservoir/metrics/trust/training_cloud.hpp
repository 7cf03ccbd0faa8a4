#pragma once

#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

#include "reservoir/metrics/trust/case_features.hpp"

namespace plumecast {

/// Where the training cases lie: mean, deviation and correlation of their features. The distance of a case is that of
/// Mahalanobis (1936), so that it also sees a combination that no training case has, though each input is in range.
class TrainingCloud {
   public:
    TrainingCloud() = default;
    /// Of at least one case, over the features that all of them have. Correlations are shrunk towards none by n / (n +
    /// N) for n features and N cases. Throws InvalidInput when there is no feature.
    static TrainingCloud of(const std::vector<CaseFeatures>& cases);

    /// Distance of a case, the farthest training case having 1; nothing when the case lacks a feature, or the cloud
    /// is empty.
    std::optional<double> distance(const CaseFeatures& features) const;
    bool empty() const { return names_.empty(); }

    Json to_json() const;
    /// Reads such an object strictly. Throws InvalidInput with the dotted path.
    static TrainingCloud read(JsonReader& object);

   private:
    template <class Visitor, class Cloud>
    static void visit(Visitor& v, Cloud& cloud);
    std::optional<double> length(const CaseFeatures& features) const;

    std::vector<std::string> names_;
    std::vector<double> means_, scales_;
    std::vector<double> correlations_;  // lower half with the diagonal, row by row
    std::vector<double> factor_;        // of the correlations, for lengths
    double farthest_ = 1.0;             // length of the farthest training case
};

/// Names that all cases have, in order. For what is fitted to cases.
std::vector<std::string> common_features(const std::vector<CaseFeatures>& cases);

}  // namespace plumecast
