#include <plumecast/metrics/trust/case_features.hpp>

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

/// Maps of one case.
class CaseMaps {
   public:
    CaseMaps(const Dataset& dataset, std::int64_t which) : dataset_(dataset), which_(which), active_(map("active")) {}

    const std::vector<float>& active() const { return active_; }
    std::vector<float> map(std::string_view name) const {
        std::vector<float> values(static_cast<std::size_t>(dataset_.cells()));
        dataset_.read_map(name, {&which_, 1}, values);
        return values;
    }
    /// Mean of a function of the cell over the active cells.
    template <class Value>
    double mean(Value value) const {
        double sum = 0.0, count = 0.0;
        for (std::size_t cell = 0; cell < active_.size(); ++cell) {
            if (active_[cell] != 0.0F) {
                sum += value(cell);
                count += 1.0;
            }
        }
        return count > 0.0 ? sum / count : 0.0;
    }

   private:
    const Dataset& dataset_;
    std::int64_t which_;
    std::vector<float> active_;
};

/// Sum of the perforated shares of the cells per row with an active cell; several wells count together.
double perforated_share(const Dataset& dataset, const CaseMaps& maps) {
    const std::vector<float> perforation = maps.map("perforation");
    const auto rows = static_cast<std::size_t>(dataset.rows());
    const std::size_t each = perforation.size() / rows;
    double perforated = 0.0, high = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        double most = 0.0;
        bool is_there = false;
        for (std::size_t cell = row * each; cell < (row + 1) * each; ++cell) {
            if (maps.active()[cell] != 0.0F) {
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
    CaseFeatures features;
    const auto add = [&](const char* input, const char* name, bool is_log) {
        if (dataset.has(input)) {
            const auto value = static_cast<double>(dataset.scalar(input)[static_cast<std::size_t>(which)]);
            features[name] = is_log ? log_of(value) : value;
        }
    };
    add("injection_rate", "log_injection_rate", true);
    add("initial_pressure", "log_initial_pressure", true);
    add("temperature", "temperature", false);
    add("thickness", "log_thickness", true);
    add("irreducible_water_saturation", "irreducible_water_saturation", false);
    add("van_genuchten_lambda", "van_genuchten_lambda", false);
    const CaseMaps maps(dataset, which);
    const std::vector<float> across =
        maps.map(dataset.geometry() == Geometry::radial ? "permeability_r" : "permeability_x");
    const std::vector<float> down = maps.map("permeability_z");
    const std::vector<float> porosity = maps.map("porosity");
    const auto log_across = [&](std::size_t cell) { return log_of(static_cast<double>(across[cell])); };
    const double mean = maps.mean(log_across);
    features["mean_log_permeability"] = mean;
    features["spread_log_permeability"] =
        std::sqrt(maps.mean([&](std::size_t cell) { return std::pow(log_across(cell) - mean, 2.0); }));
    features["mean_log_anisotropy"] =
        maps.mean([&](std::size_t cell) { return log_of(static_cast<double>(down[cell])) - log_across(cell); });
    features["mean_porosity"] = maps.mean([&](std::size_t cell) { return static_cast<double>(porosity[cell]); });
    features["perforated_share"] = perforated_share(dataset, maps);
    return features;
}

}  // namespace plumecast
