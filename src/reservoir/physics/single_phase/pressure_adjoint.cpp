#include "reservoir/physics/single_phase/pressure_adjoint.hpp"

#include <utility>

#include "reservoir/physics/single_phase/pressure_steps.hpp"

namespace plumecast {

PressureAdjoint::PressureAdjoint(ColumnNetwork network, double viscosity, std::vector<double> capacity,
                                 double tolerance)
    : system_(std::move(network), viscosity),
      tolerance_(tolerance),
      capacity_(std::move(capacity)),
      storage_(capacity_.size()),
      storage_cotangent_(system_.network()),
      answer_(system_.network()) {}

const ColumnVector& PressureAdjoint::back(double length, const ColumnVector& cotangents) {
    ColumnVector right = cotangents;
    for (std::size_t i = 0; i < storage_.size(); ++i) {
        storage_[i] = capacity_[i] / length;
        right.cells()[i] += storage_cotangent_.cells()[i];
    }
    system_.set_storage(storage_);
    system_.solve(right, answer_, tolerance_, iteration_limit);
    for (std::size_t i = 0; i < storage_.size(); ++i) {
        storage_cotangent_.cells()[i] = storage_[i] * answer_.cells()[i];
    }
    return answer_;
}

}  // namespace plumecast
