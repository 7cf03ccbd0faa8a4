#include <plumecast/physics/single_phase.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <plumecast/core/error.hpp>
#include <plumecast/physics/brine.hpp>
#include <plumecast/physics/co2_density.hpp>
#include <plumecast/physics/co2_viscosity.hpp>
#include <plumecast/physics/radial_connections.hpp>

#include "physics/column_system.hpp"
#include "physics/time_steps.hpp"

namespace plumecast {
namespace {

constexpr double kilograms_per_megatonne = 1e9;
constexpr double days_per_year = 365.25;
constexpr double solver_tolerance = 1e-8;
constexpr int solver_limit = 2000;

/// The pressure of the last two time steps and the storage of the cells.
class PressureSteps {
   public:
    PressureSteps(const RadialCase& radial, const RadialConnections& connections, double viscosity,
                  double compressibility)
        : rows_(active_rows(radial)),
          columns_(radial.columns()),
          system_(radial, connections, rows_, viscosity),
          capacity_(rows_ * columns_),
          storage_(rows_ * columns_),
          pressure_(rows_, columns_),
          before_(rows_, columns_),
          right_(rows_, columns_) {
        for (std::size_t column = 0; column < columns_; ++column) {
            for (std::size_t row = 0; row < rows_; ++row) {
                const double volume = connections.pore_volume[row * columns_ + column];
                capacity_[column * rows_ + row] = volume > 0.0 ? volume * compressibility : 1.0;
            }
        }
    }

    /// Goes on to `time` while `rate` [m3/day] is injected; returns the iterations.
    int advance(double time, double rate) {
        const double step = time - time_;
        for (std::size_t i = 0; i < storage_.size(); ++i) {
            storage_[i] = capacity_[i] / step;
            right_.cells()[i] = storage_[i] * pressure_.cells()[i];
        }
        right_.well = rate;
        guess(time);
        time_ = time;
        system_.set_storage(storage_);
        return system_.solve(right_, pressure_, solver_tolerance, solver_limit);
    }

    double well() const { return pressure_.well; }

    /// Writes the pressure to [Z, R].
    void write(double* out) const {
        for (std::size_t row = 0; row < rows_; ++row) {
            for (std::size_t column = 0; column < columns_; ++column) {
                out[row * columns_ + column] = pressure_.cells()[column * rows_ + row];
            }
        }
    }

   private:
    /// Continues the pressure along the logarithm of time, as it grows around a well.
    void guess(double time) {
        const double growth = time_before_ > 0.0 ? std::log(time / time_) / std::log(time_ / time_before_) : 0.0;
        const auto step = [&](double& now, double& before) {
            const double next = now + growth * (now - before);
            before = now;
            now = next;
        };
        for (std::size_t i = 0; i < capacity_.size(); ++i) {
            step(pressure_.cells()[i], before_.cells()[i]);
        }
        step(pressure_.well, before_.well);
        time_before_ = time_;
    }

    std::size_t rows_;
    std::size_t columns_;
    ColumnSystem system_;
    std::vector<double> capacity_;  // stored volume per pressure [m3/bar]
    std::vector<double> storage_;
    ColumnVector pressure_;
    ColumnVector before_;
    ColumnVector right_;
    double time_ = 0.0;
    double time_before_ = 0.0;
};

/// Pore volume within the middle of each ring, all rows together [R], and within its outer edge.
struct PoresWithin {
    std::vector<double> middle;
    std::vector<double> edge;

    PoresWithin(const RadialCase& radial, const RadialConnections& connections) {
        double sum = 0.0;
        for (std::size_t column = 0; column < radial.columns(); ++column) {
            double ring = 0.0;
            for (std::size_t row = 0; row < radial.rows(); ++row) {
                ring += connections.pore_volume[row * radial.columns() + column];
            }
            const double inner = radial.r_edges[column];
            const double outer = radial.r_edges[column + 1];
            const double half = 0.5 * (inner + outer);
            middle.push_back(sum + ring * (half - inner) * (half + inner) / ((outer - inner) * (outer + inner)));
            sum += ring;
            edge.push_back(sum);
        }
    }
};

/// Share of the height below the cap rock that the injected fluid has taken, where `filled` is the mobile pore volume
/// within the radius over the injected volume: Nordbotten and Celia (2006), gravity left out.
double front_height(double filled, double mobility_ratio) {
    if (filled <= 0.0) {
        return 1.0;
    }
    const double above = mobility_ratio - 1.0;
    if (std::abs(above) < 1e-9) {
        return filled < 1.0 ? 1.0 : 0.0;
    }
    return std::clamp((std::sqrt(mobility_ratio / filled) - 1.0) / above, 0.0, 1.0);
}

/// One value for each active cell of each time.
template <class Value>
std::vector<float> fill_field(const RadialCase& radial, Value value) {
    std::vector<float> field(radial.times.size() * radial.cells());
    for (std::size_t time = 0; time < radial.times.size(); ++time) {
        for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
            if (radial.active[cell] != 0) {
                field[time * radial.cells() + cell] = static_cast<float>(value(time, cell));
            }
        }
    }
    return field;
}

}  // namespace

InjectionFluids injection_fluids(const RadialCase& radial) {
    InjectionFluids fluids;
    const double temperature = radial.temperature;
    fluids.pressure = hydrostatic_pressure(radial.initial_pressure, temperature, perforation_depth(radial));
    fluids.co2_density = co2_density(fluids.pressure, temperature);
    fluids.co2_viscosity = co2_viscosity(fluids.co2_density, temperature);
    fluids.brine_viscosity = water_viscosity(temperature);
    fluids.volume_rate = radial.injection_rate * kilograms_per_megatonne / days_per_year / fluids.co2_density;
    return fluids;
}

std::map<std::string, double, std::less<>> physics_scalars(const RadialCase& radial,
                                                           const std::vector<float>& pressure_buildup) {
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < pressure_buildup.size(); ++i) {
        if (radial.active[i % radial.cells()] != 0) {
            sum += static_cast<double>(pressure_buildup[i]) * static_cast<double>(pressure_buildup[i]);
            ++count;
        }
    }
    const InjectionFluids fluids = injection_fluids(radial);
    return {{"physics_buildup_rms", std::sqrt(sum / static_cast<double>(std::max<std::size_t>(count, 1)))},
            {"physics_viscosity_ratio", fluids.viscosity_ratio()},
            {"physics_co2_density", fluids.co2_density}};
}

SinglePhaseFlow single_phase_flow(const RadialCase& radial, int substeps, const std::string& name) {
    SinglePhaseFlow flow;
    flow.volume_rate = injection_fluids(radial).volume_rate;
    flow.viscosity = water_viscosity(radial.temperature);
    flow.compressibility =
        radial.rock_fluid.rock_compressibility + water_compressibility(radial.initial_pressure, radial.temperature);
    flow.pressure_buildup.resize(radial.times.size() * radial.cells());
    PressureSteps steps(radial, RadialConnections(radial), flow.viscosity, flow.compressibility);
    try {
        double start = 0.0;
        for (std::size_t snapshot = 0; snapshot < radial.times.size(); ++snapshot) {
            for (const double time : step_ends(start, radial.times[snapshot], substeps)) {
                flow.iterations += steps.advance(time, flow.volume_rate);
            }
            start = radial.times[snapshot];
            flow.well_buildup.push_back(steps.well());
            steps.write(flow.pressure_buildup.data() + snapshot * radial.cells());
        }
    } catch (const NotConverged& error) {
        throw NotConverged(name + ": " + error.what());
    }
    return flow;
}

std::vector<double> arrival_times(const RadialCase& radial, const SinglePhaseFlow& flow) {
    constexpr double never = 1e9;  // [day]
    const RadialConnections connections(radial);
    const std::size_t columns = radial.columns();
    const double* pressure = flow.pressure_buildup.data() + (radial.times.size() - 1) * radial.cells();
    std::vector<std::size_t> downstream;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        if (radial.active[cell] != 0) {
            downstream.push_back(cell);
        }
    }
    std::stable_sort(downstream.begin(), downstream.end(),
                     [&](std::size_t a, std::size_t b) { return pressure[a] > pressure[b]; });
    std::vector<double> arrival(radial.cells());
    for (const std::size_t cell : downstream) {
        const std::size_t row = cell / columns;
        const std::size_t column = cell % columns;
        double inflow = 0.0;
        double weighted = 0.0;
        const auto take = [&](double transmissibility, double upstream_pressure, double upstream_arrival) {
            const double rate = transmissibility / flow.viscosity * std::max(0.0, upstream_pressure - pressure[cell]);
            inflow += rate;
            weighted += rate > 0.0 ? rate * upstream_arrival : 0.0;
        };
        const auto take_from = [&](double transmissibility, std::size_t next) {
            take(transmissibility, pressure[next], arrival[next]);
        };
        if (column == 0) {
            take(connections.well[row], flow.well_buildup.back(), 0.0);
        } else {
            take_from(connections.radial[row * (columns - 1) + column - 1], cell - 1);
        }
        if (column + 1 < columns) {
            take_from(connections.radial[row * (columns - 1) + column], cell + 1);
        }
        if (row > 0) {
            take_from(connections.vertical[cell - columns], cell - columns);
        }
        if (row + 1 < radial.rows()) {
            take_from(connections.vertical[cell], cell + columns);
        }
        arrival[cell] = inflow > 0.0 ? std::min(never, (weighted + connections.pore_volume[cell]) / inflow) : never;
    }
    return arrival;
}

PhysicsFields single_phase(const RadialCase& radial, int substeps, const std::string& name) {
    constexpr double smallest = 1e-3;
    constexpr double largest = 1e3;
    const SinglePhaseFlow flow = single_phase_flow(radial, substeps, name);
    const std::vector<double> arrival = arrival_times(radial, flow);
    const PoresWithin pores(radial, RadialConnections(radial));
    const InjectionFluids fluids = injection_fluids(radial);
    const double mobile = 1.0 - radial.irreducible_water_saturation;
    const auto injected = [&](std::size_t time) { return flow.volume_rate * radial.times[time]; };

    PhysicsFields result;
    auto& fields = result.fields;
    const std::size_t cells = radial.cells();
    const std::size_t columns = radial.columns();
    fields["physics_pressure_buildup"] = fill_field(
        radial, [&](std::size_t time, std::size_t cell) { return flow.pressure_buildup[time * cells + cell]; });
    fields["physics_time_over_arrival"] = fill_field(radial, [&](std::size_t time, std::size_t cell) {
        return std::clamp(radial.times[time] / arrival[cell], smallest, largest);
    });
    fields["physics_injected_over_pore_volume"] = fill_field(
        radial, [&](std::size_t time, std::size_t cell) { return injected(time) / pores.edge[cell % columns]; });
    fields["physics_front_height"] = fill_field(radial, [&](std::size_t time, std::size_t cell) {
        const double volume = injected(time);
        return volume > 0.0 ? front_height(mobile * pores.middle[cell % columns] / volume, fluids.viscosity_ratio())
                            : 0.0;
    });
    result.scalars = physics_scalars(radial, fields["physics_pressure_buildup"]);
    return result;
}

}  // namespace plumecast
