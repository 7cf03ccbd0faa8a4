#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "reservoir/physics/single_phase/diffusion_system.hpp"

namespace plumecast {

/// Relative error in energy to which a step is solved where nobody asks for another.
inline constexpr double usual_tolerance = 1e-6;

/// Iterations of the solver in a step beyond which it has not converged.
inline constexpr int iteration_limit = 2000;

/// Implicit Euler steps of the pressure of a slightly compressible fluid in a network of columns, at rest at first.
class PressureSteps {
   public:
    /// `capacity` [columns, rows] is the volume that a cell stores per pressure [m3/bar], above 0.
    PressureSteps(ColumnNetwork network, double viscosity, std::vector<double> capacity,
                  double tolerance = usual_tolerance);

    /// Goes on to `time` [day] while `rates` [wells] [m3/day] are injected; returns the iterations of the solver.
    int advance(double time, const std::vector<double>& rates);

    /// Build-up [bar] after the last step.
    const ColumnVector& pressure() const { return history_.front().pressure; }

    /// Writes it to a map of rows, [Z, columns], of which those below the network's are left alone.
    void write(double* map) const;

   private:
    struct Step {
        double time;
        ColumnVector pressure;
    };

    ColumnVector guess(double time) const;

    DiffusionSystem system_;
    double tolerance_;
    std::vector<double> capacity_;
    std::vector<double> storage_;
    ColumnVector right_;
    std::deque<Step> history_;  // the last one in front
};

}  // namespace plumecast
