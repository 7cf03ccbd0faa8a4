#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "physics/single_phase/diffusion_system.hpp"

namespace plumecast {

/// Implicit Euler steps of the pressure of a slightly compressible fluid in a network of columns, at rest at first.
class PressureSteps {
   public:
    /// `capacity` [columns, rows] is the volume that a cell stores per pressure [m3/bar], above 0.
    PressureSteps(ColumnNetwork network, double viscosity, std::vector<double> capacity);

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
    std::vector<double> capacity_;
    std::vector<double> storage_;
    ColumnVector right_;
    std::deque<Step> history_;  // the last one in front
};

}  // namespace plumecast
