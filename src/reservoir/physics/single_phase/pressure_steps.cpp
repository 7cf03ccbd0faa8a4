#include "reservoir/physics/single_phase/pressure_steps.hpp"

#include <cmath>
#include <utility>

namespace plumecast {
namespace {

constexpr std::size_t longest_history = 3;
constexpr double largest_weight = 10.0;  // of a step in the guess

}  // namespace

PressureSteps::PressureSteps(ColumnNetwork network, double viscosity, std::vector<double> capacity, double tolerance)
    : system_(std::move(network), viscosity),
      tolerance_(tolerance),
      capacity_(std::move(capacity)),
      storage_(capacity_.size()),
      right_(system_.network()) {}

int PressureSteps::advance(double time, const std::vector<double>& rates) {
    const double step = history_.empty() ? time : time - history_.front().time;
    for (std::size_t i = 0; i < storage_.size(); ++i) {
        storage_[i] = capacity_[i] / step;
        right_.cells()[i] = history_.empty() ? 0.0 : storage_[i] * history_.front().pressure.cells()[i];
    }
    right_.wells = rates;
    ColumnVector pressure = guess(time);
    system_.set_storage(storage_);
    const int iterations = system_.solve(right_, pressure, tolerance_, iteration_limit);
    if (history_.size() == longest_history) {
        history_.pop_back();
    }
    history_.push_front({time, std::move(pressure)});
    return iterations;
}

void PressureSteps::write(double* map) const {
    const ColumnNetwork& network = system_.network();
    const double* cells = pressure().cells();
    for (std::size_t row = 0; row < network.rows; ++row) {
        for (std::size_t column = 0; column < network.columns; ++column) {
            map[row * network.columns + column] = cells[column * network.rows + row];
        }
    }
}

/// Extrapolates the last steps by a polynomial in the logarithm of time, as pressure grows around a well; with as many
/// steps as keep the coefficients small.
ColumnVector PressureSteps::guess(double time) const {
    ColumnVector result(system_.network());
    std::vector<double> weights;
    for (std::size_t count = history_.size(); count > 0; --count) {
        weights.assign(count, 1.0);
        double largest = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < count; ++j) {
                if (i != j) {
                    weights[i] *= std::log(time / history_[j].time) / std::log(history_[i].time / history_[j].time);
                }
            }
            largest = std::max(largest, std::abs(weights[i]));
        }
        if (largest <= largest_weight) {
            break;
        }
    }
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const ColumnVector& step = history_[k].pressure;
        for (std::size_t i = 0; i < capacity_.size(); ++i) {
            result.cells()[i] += weights[k] * step.cells()[i];
        }
        for (std::size_t well = 0; well < result.wells.size(); ++well) {
            result.wells[well] += weights[k] * step.wells[well];
        }
    }
    return result;
}

}  // namespace plumecast
