#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace plumecast {

/// Temperatures over the depth of a formation: that of the case in the middle of its height, from where they grow
/// downwards by the temperature gradient, equation (27) in docs/physics.md.
class TemperatureProfile {
   public:
    /// With a temperature [degC] at a depth `middle` below the top [m], a gradient [degC/m], NaN for none, and the
    /// temperature of the brine that makes the initial pressures [degC], NaN where it has these temperatures.
    TemperatureProfile(double temperature, double middle, double gradient, double initial_brine)
        : temperature_(temperature),
          middle_(middle),
          gradient_(std::isnan(gradient) ? 0.0 : gradient),
          initial_brine_(initial_brine) {}

    /// Whether temperatures differ with depth.
    bool grows_warmer() const { return gradient_ != 0.0; }
    /// Temperature [degC] at a depth below the top [m].
    double at(double depth) const {
        return grows_warmer() ? temperature_ + gradient_ * (depth - middle_) : temperature_;
    }
    /// Whether the brine that makes the initial pressures has these temperatures.
    bool weighs_brine_as_it_is() const { return std::isnan(initial_brine_); }
    /// Temperature [degC] of that brine at a depth below the top [m].
    double initial_brine(double depth) const { return weighs_brine_as_it_is() ? at(depth) : initial_brine_; }
    /// Temperature [degC] for the mean density of that brine between the top and a depth [m].
    double initial_brine_above(double depth) const { return initial_brine(0.5 * depth); }

   private:
    double temperature_, middle_, gradient_, initial_brine_;
};

/// The lower of `z_edges` [Z+1] [m] of the lowest row with a cell of `active` [Z, R]; the first without any.
template <typename Flag>
double active_base(const std::vector<double>& z_edges, const std::vector<Flag>& active) {
    const std::size_t columns = active.size() / (z_edges.size() - 1);
    std::size_t cells = active.size();
    while (cells > 0 && active[cells - 1] == 0) {
        --cells;
    }
    return z_edges[(cells + columns - 1) / columns];
}

/// Depth [m] halfway between the first of `z_edges` and active_base(), where the temperature of a case holds.
template <typename Flag>
double middle_depth(const std::vector<double>& z_edges, const std::vector<Flag>& active) {
    return 0.5 * (z_edges.front() + active_base(z_edges, active));
}

}  // namespace plumecast
