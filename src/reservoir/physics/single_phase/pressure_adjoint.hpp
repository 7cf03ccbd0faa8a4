#pragma once

#include <vector>

#include "reservoir/physics/single_phase/diffusion_system.hpp"

namespace plumecast {

/// The adjoint of PressureSteps: the same symmetric systems, taken from the last step to the first.
class PressureAdjoint {
   public:
    PressureAdjoint(ColumnNetwork network, double viscosity, std::vector<double> capacity, double tolerance);

    /// Goes back over a step of `length` days, at the end of which the pressures have these weights in a sum: the
    /// derivatives of the sum by what each cell and well [m3/day] is given in that step.
    const ColumnVector& back(double length, const ColumnVector& weights);

   private:
    DiffusionSystem system_;
    double tolerance_;
    std::vector<double> capacity_;
    std::vector<double> storage_;
    ColumnVector carried_;  // weights of the pressures at the end of the step before
    ColumnVector answer_;
};

}  // namespace plumecast
