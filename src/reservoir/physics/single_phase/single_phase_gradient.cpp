#include "reservoir/physics/single_phase/single_phase_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/connection_cotangents.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/physics_cotangents.hpp"
#include "reservoir/physics/single_phase/front.hpp"
#include "reservoir/physics/single_phase/pressure_adjoint.hpp"
#include "reservoir/physics/single_phase/radial_network.hpp"
#include "reservoir/physics/single_phase/single_phase_flow.hpp"

namespace plumecast {
namespace {

/// Of the steps and of their adjoints, so that the derivatives are those of the equations and not of the iterations.
constexpr double adjoint_tolerance = 1e-10;

struct RecordedStep {
    double length;
    ColumnVector pressure;
};

/// The flow of a case with its steps, and the cotangents of all that the fields come from.
class SinglePhaseAdjoint {
   public:
    SinglePhaseAdjoint(const RadialCase& radial, int substeps, const PhysicsCotangents& cotangents,
                       const std::string& name);

    RadialCaseGradient gradient();

   private:
    void arrival_back();
    void columns_back();
    void go_back();
    void step_back(const RecordedStep& step, const ColumnVector* before, const ColumnVector& answer);
    void fluids_back(RadialCaseGradient& gradient) const;

    const RadialCase& radial_;
    const PhysicsCotangents& cotangents_;
    InjectionFluids fluids_;
    std::vector<RecordedStep> steps_;
    SinglePhaseFlow flow_;
    FlowCotangents by_;
    double by_viscosity_ratio_ = 0.0;
    double by_water_ = 0.0;  // irreducible
};

SinglePhaseAdjoint::SinglePhaseAdjoint(const RadialCase& radial, int substeps, const PhysicsCotangents& cotangents,
                                       const std::string& name)
    : radial_(radial), cotangents_(cotangents), fluids_(injection_fluids(radial)) {
    check_cotangents(PhysicsKind::single_phase, radial, cotangents, name);
    double last = 0.0;
    flow_ =
        single_phase_flow(radial, substeps, name, adjoint_tolerance, [&](double time, const ColumnVector& pressure) {
            steps_.push_back({time - last, pressure});
            last = time;
        });
    by_ = FlowCotangents(flow_);
}

void SinglePhaseAdjoint::arrival_back() {
    const std::vector<double>* field = cotangents_of(cotangents_, "physics_time_over_arrival");
    if (field == nullptr) {
        return;
    }
    const std::vector<double> arrival = arrival_times(radial_, flow_);
    std::vector<double> by_arrival(radial_.cells());
    for (std::size_t i = 0; i < field->size(); ++i) {
        const std::size_t cell = i % radial_.cells();
        const double ratio = arrival[cell] > 0.0 ? radial_.times[i / radial_.cells()] / arrival[cell] : 0.0;
        if (radial_.active[cell] != 0 && ratio > least_time_over_arrival && ratio < most_time_over_arrival) {
            by_arrival[cell] -= (*field)[i] * ratio / arrival[cell];
        }
    }
    add_arrival_cotangents(radial_, flow_, arrival, by_arrival, by_);
}

// Adjoint of the fields that are the same in all rows: injected volume over pore volume, and the front height, equation
// (6) in docs/physics.md.
void SinglePhaseAdjoint::columns_back() {
    const std::vector<double>* over = cotangents_of(cotangents_, "physics_injected_over_pore_volume");
    const std::vector<double>* height = cotangents_of(cotangents_, "physics_front_height");
    const PoresWithin pores(radial_, flow_.connections);
    PoresWithin within = pores;
    std::ranges::fill(within.middle, 0.0);
    std::ranges::fill(within.edge, 0.0);
    const double mobile = 1.0 - radial_.irreducible_water_saturation;
    const std::size_t columns = radial_.columns();
    for (std::size_t i = 0; i < flow_.pressure_buildup.size(); ++i) {
        const std::size_t column = i % columns;
        const double time = radial_.times[i / radial_.cells()];
        const double injected = flow_.volume_rate * time;
        if (radial_.active[i % radial_.cells()] == 0) {
            continue;
        }
        if (over != nullptr) {
            const double per_volume = (*over)[i] / pores.edge[column];
            by_.volume_rate += per_volume * time;
            within.edge[column] -= per_volume * injected / pores.edge[column];
        }
        if (height != nullptr && injected > 0.0) {
            const double filled = mobile * pores.middle[column] / injected;
            const FrontSlopes slopes = front_height_slopes(filled, fluids_.viscosity_ratio());
            const double by_filled = (*height)[i] * slopes.filled;
            by_viscosity_ratio_ += (*height)[i] * slopes.mobility_ratio;
            by_water_ -= by_filled * pores.middle[column] / injected;
            within.middle[column] += by_filled * mobile / injected;
            by_.volume_rate -= by_filled * filled / flow_.volume_rate;
        }
    }
    const std::vector<double> by_ring = ring_cotangents(radial_, within);
    for (std::size_t cell = 0; cell < radial_.cells(); ++cell) {
        by_.connections.pore_volume[cell] += by_ring[cell % columns];
    }
}

// Adjoint of a step, equation (4) in docs/physics.md: with the solution y of equation (7), the derivative by a
// connection is -(y - y')(p - p') / mu, that by the capacity y (p_before - p) / length.
void SinglePhaseAdjoint::step_back(const RecordedStep& step, const ColumnVector* before, const ColumnVector& answer) {
    const std::size_t rows = active_rows(radial_);
    const std::size_t columns = radial_.columns();
    const double* p = step.pressure.cells();
    const double* y = answer.cells();
    const auto by_connection = [&](std::size_t a, std::size_t b) {
        return -(y[a] - y[b]) * (p[a] - p[b]) / flow_.viscosity;
    };
    by_.volume_rate += answer.wells[0];
    for (std::size_t row = 0; row < rows; ++row) {
        by_.connections.well[row] -= (answer.wells[0] - y[row]) * (step.pressure.wells[0] - p[row]) / flow_.viscosity;
    }
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t at = column * rows + row, cell = row * columns + column;
            if (radial_.active[cell] == 0) {
                continue;
            }
            if (column + 1 < columns) {
                by_.connections.radial[row * (columns - 1) + column] += by_connection(at, at + rows);
            }
            if (row + 1 < rows) {
                by_.connections.vertical[cell] += by_connection(at, at + 1);
            }
            const double by_capacity = y[at] * ((before != nullptr ? before->cells()[at] : 0.0) - p[at]) / step.length;
            by_.compressibility += by_capacity * flow_.connections.pore_volume[cell];
            by_.connections.pore_volume[cell] += by_capacity * flow_.compressibility;
        }
    }
}

void SinglePhaseAdjoint::go_back() {
    const ColumnNetwork network = radial_network(radial_, flow_.connections);
    PressureAdjoint adjoint(network, flow_.viscosity,
                            radial_capacity(radial_, flow_.connections, flow_.compressibility), adjoint_tolerance);
    const std::size_t substeps = steps_.size() / radial_.times.size();
    for (std::size_t i = steps_.size(); i-- > 0;) {
        ColumnVector cotangents(network);
        if ((i + 1) % substeps == 0) {
            const std::size_t snapshot = i / substeps;
            cotangents.wells[0] = by_.well_buildup[snapshot];
            for (std::size_t at = 0; at < cotangents.count(); ++at) {
                const std::size_t cell = at % network.rows * network.columns + at / network.rows;
                cotangents.cells()[at] = by_.pressure_buildup[snapshot * radial_.cells() + cell];
            }
        }
        step_back(steps_[i], i > 0 ? &steps_[i - 1].pressure : nullptr, adjoint.back(steps_[i].length, cotangents));
    }
    // The equations depend on transmissibility over viscosity, so the derivative by the viscosity follows from theirs.
    for (const auto array : {&RadialConnections::radial, &RadialConnections::vertical, &RadialConnections::well}) {
        for (std::size_t i = 0; i < (flow_.connections.*array).size(); ++i) {
            by_.viscosity -= (flow_.connections.*array)[i] * (by_.connections.*array)[i] / flow_.viscosity;
        }
    }
}

void SinglePhaseAdjoint::fluids_back(RadialCaseGradient& gradient) const {
    const FluidSlopes compressibility =
        brine_compressibility_slopes(radial_.initial_pressure, radial_.temperature, radial_.salinity);
    const BrineViscositySlopes viscosity = brine_viscosity_slopes(radial_.temperature, radial_.salinity);
    add_injection_fluid_cotangents(
        radial_, fluids_,
        {scalar_cotangent(cotangents_, "physics_co2_density"),
         scalar_cotangent(cotangents_, "physics_viscosity_ratio") + by_viscosity_ratio_, by_.volume_rate},
        gradient);
    gradient.initial_pressure += by_.compressibility * compressibility.pressure;
    gradient.temperature += by_.compressibility * compressibility.temperature + by_.viscosity * viscosity.temperature;
    gradient.salinity += by_.compressibility * compressibility.salinity + by_.viscosity * viscosity.salinity;
    gradient.irreducible_water_saturation = by_water_;
}

RadialCaseGradient SinglePhaseAdjoint::gradient() {
    by_.pressure_buildup = buildup_cotangents(radial_, cotangents_, flow_.pressure_buildup);
    arrival_back();
    columns_back();
    go_back();
    RadialCaseGradient gradient = zero_gradient(radial_);
    add_connection_cotangents(radial_, flow_.connections, by_.connections, gradient);
    fluids_back(gradient);
    return gradient;
}

}  // namespace

FlowCotangents::FlowCotangents(const SinglePhaseFlow& flow)
    : pressure_buildup(flow.pressure_buildup.size()), well_buildup(flow.well_buildup.size()) {
    for (const auto array : {&RadialConnections::radial, &RadialConnections::vertical, &RadialConnections::well,
                             &RadialConnections::pore_volume}) {
        (connections.*array).resize((flow.connections.*array).size());
    }
}

RadialCaseGradient single_phase_gradient(const RadialCase& radial, int substeps, const PhysicsCotangents& cotangents,
                                         const std::string& name) {
    try {
        return SinglePhaseAdjoint(radial, substeps, cotangents, name).gradient();
    } catch (const NotConverged& error) {
        const std::string what = error.what();
        throw NotConverged(what.starts_with(name) ? what : name + ": " + what);
    }
}

}  // namespace plumecast
