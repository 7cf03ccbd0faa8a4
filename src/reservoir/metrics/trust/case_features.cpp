#include "reservoir/metrics/trust/case_features.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace plumecast {
namespace {

double log_of(double value) {
    constexpr double least = 1e-12;
    return std::log(std::max(value, least));
}

/// Mean of a function of the cell over the active cells.
template <class Value>
double mean(const std::vector<float>& active, Value value) {
    double sum = 0.0, count = 0.0;
    for (std::size_t cell = 0; cell < active.size(); ++cell) {
        if (active[cell] != 0.0F) {
            sum += value(cell);
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : 0.0;
}

/// Sum of the perforated shares of the cells per row with an active cell; several wells count together.
double perforated_share(const CaseInputs& inputs) {
    const std::vector<float>& perforation = inputs.map("perforation");
    const std::vector<float>& active = inputs.map("active");
    const auto rows = static_cast<std::size_t>(inputs.dataset().rows());
    const std::size_t each = perforation.size() / rows;
    double perforated = 0.0, high = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        double most = 0.0;
        bool is_there = false;
        for (std::size_t cell = row * each; cell < (row + 1) * each; ++cell) {
            if (active[cell] != 0.0F) {
                is_there = true;
                most = std::max(most, static_cast<double>(perforation[cell]));
            }
        }
        perforated += most;
        high += is_there ? 1.0 : 0.0;
    }
    return high > 0.0 ? perforated / high : 0.0;
}

}  // namespace

CaseFeatures input_features(const Dataset& dataset, std::int64_t which) {
    return input_features(CaseInputs(dataset, which));
}

CaseFeatures input_features(const CaseInputs& inputs) {
    CaseFeatures features;
    const auto add = [&](const char* input, const char* name, bool is_log) {
        if (inputs.dataset().has(input)) {
            const auto value = static_cast<double>(inputs.scalar(input));
            features[name] = is_log ? log_of(value) : value;
        }
    };
    add("injection_rate", "log_injection_rate", true);
    add("initial_pressure", "log_initial_pressure", true);
    add("temperature", "temperature", false);
    add("thickness", "log_thickness", true);
    add("irreducible_water_saturation", "irreducible_water_saturation", false);
    add("van_genuchten_lambda", "van_genuchten_lambda", false);
    const bool is_radial = inputs.dataset().geometry() == Geometry::radial;
    const std::vector<float>& active = inputs.map("active");
    const std::vector<float>& across = inputs.map(is_radial ? "permeability_r" : "permeability_x");
    const std::vector<float>& down = inputs.map("permeability_z");
    const std::vector<float>& porosity = inputs.map("porosity");
    const auto log_across = [&](std::size_t cell) { return log_of(static_cast<double>(across[cell])); };
    const double centre = mean(active, log_across);
    features["mean_log_permeability"] = centre;
    features["spread_log_permeability"] =
        std::sqrt(mean(active, [&](std::size_t cell) { return std::pow(log_across(cell) - centre, 2.0); }));
    features["mean_log_anisotropy"] =
        mean(active, [&](std::size_t cell) { return log_of(static_cast<double>(down[cell])) - log_across(cell); });
    features["mean_porosity"] = mean(active, [&](std::size_t cell) { return static_cast<double>(porosity[cell]); });
    features["perforated_share"] = perforated_share(inputs);
    return features;
}

}  // namespace plumecast
