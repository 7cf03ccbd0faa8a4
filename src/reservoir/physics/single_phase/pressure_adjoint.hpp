#pragma once

#include <vector>

#include "reservoir/physics/single_phase/diffusion_system.hpp"

namespace plumecast {

/// The adjoint of PressureSteps, equation (7) in docs/physics.md: the same symmetric systems, from the last step to the
/// first.
class PressureAdjoint {
   public:
    PressureAdjoint(ColumnNetwork network, double viscosity, std::vector<double> capacity, double tolerance);

    /// Goes back over a step of `length` days from the cotangents of the pressures at its end. Returns the cotangents
    /// of what each cell and well [m3/day] is given in that step.
    const ColumnVector& back(double length, const ColumnVector& cotangents);

   private:
    DiffusionSystem system_;
    double tolerance_;
    std::vector<double> capacity_;
    std::vector<double> storage_;
    ColumnVector storage_cotangent_;  // of the pressures at the end of the step before, through their storage
    ColumnVector answer_;
};

}  // namespace plumecast
