#include "reservoir/metrics/well_pressure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/limited_rate.hpp"
#include "reservoir/metrics/well_inflow.hpp"
#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast {
namespace {

template <class Number>
using CurveTable = std::vector<well::Curves<Number>>;

CurveTable<double> table_of(const std::vector<SaturationRow>& rows) {
    CurveTable<double> table;
    for (const SaturationRow& row : rows) {
        table.push_back({row.gas_saturation, row.gas_permeability, row.water_permeability, row.capillary_pressure});
    }
    return table;
}

/// Of the functions of a case without tables.
CurveTable<double> usual_table(const WellFluids& fluids) {
    return table_of(saturation_table(fluids.irreducible_water, fluids.lambda, fluids.residual_gas));
}

/// The tables of the saturation regions, then the usual one.
std::vector<CurveTable<double>> tables_of(const CaseFields& fields) {
    std::vector<CurveTable<double>> tables;
    for (const std::vector<SaturationRow>& rows : fields.tables) {
        tables.push_back(table_of(rows));
    }
    tables.push_back(usual_table(fields.well_fluids));
    return tables;
}

/// The place of the table of a cell among tables_of().
std::size_t table_in(const CaseFields& fields, std::size_t cell) {
    const bool has_region = !fields.regions.empty() && fields.regions[cell] > 0;
    return has_region ? fields.regions[cell] - 1 : fields.tables.size();
}

double temperature_of(const CaseFields& fields, std::size_t cell) {
    return fields.temperatures.empty() ? fields.well_fluids.temperature : fields.temperatures[cell];
}

double pressure_in(const CaseFields& fields, std::size_t cell, std::size_t time) {
    return fields.initial_pressures[cell] + static_cast<double>(fields.at(fields.pressure_buildup, time)[cell]);
}

double saturation_in(const CaseFields& fields, std::size_t cell, std::size_t time) {
    return fields.gas_saturation.empty() ? 0.0 : static_cast<double>(fields.at(fields.gas_saturation, time)[cell]);
}

/// Whether CO2 has entered a well by a time, or enters it: a well into which nothing was injected is full of brine.
bool holds_co2(const CaseFields& fields, const CaseWell& well, std::size_t time, double day, double mass) {
    if (!well.injected.empty()) {
        return mass > 0.0 || well.injected[time] > 0.0;
    }
    const double injected = fields.injected_mass.empty() ? fields.injected(day) : fields.injected_mass[time];
    return mass > 0.0 || (well.share > 0.0 && injected > 0.0);
}

/// Whether the pressures of the cells about a well are those before injection, and nothing flows.
bool is_at_rest(const CaseFields& fields, const CaseWell& well, std::size_t time, double mass) {
    const auto buildup = fields.at(fields.pressure_buildup, time);
    return mass == 0.0 && std::ranges::all_of(well.connections, [&](const WellConnection& connection) {
               return buildup[connection.cell] == 0.0F;
           });
}

using Inflows = std::vector<well::Inflow<double>>;

/// What lets a mass into a well at a pressure.
struct Balance {
    double bottom_hole = well::no_value;  ///< at the uppermost connection [bar]
    double conductance = 0.0;             ///< of the open connections [kg/(day bar)]
    std::vector<bool> is_open;
};

/// The pressure that drives a mass per day [kg/day] through all connections together, of which those that would give
/// brine to the well are shut while it injects; NaN where none lets any through.
Balance balance_of(const Inflows& inflows, const std::vector<double>& heads, double mass) {
    Balance balance;
    balance.is_open.assign(inflows.size(), true);
    for (bool has_changed = true; has_changed;) {
        double conductance = 0.0, driven = mass;
        for (std::size_t i = 0; i < inflows.size(); ++i) {
            if (balance.is_open[i]) {
                conductance += inflows[i].conductance;
                driven += inflows[i].conductance * (inflows[i].pressure - heads[i]);
            }
        }
        balance.conductance = conductance;
        balance.bottom_hole = conductance > 0.0 ? driven / conductance : well::no_value;
        has_changed = false;
        for (std::size_t i = 0; mass > 0.0 && i < inflows.size(); ++i) {
            if (balance.is_open[i] && balance.bottom_hole + heads[i] < inflows[i].pressure) {
                balance.is_open[i] = false;
                has_changed = true;
            }
        }
    }
    return balance;
}

/// A well whose pressure is found, before a limit.
struct SolvedWell {
    double mass = 0.0;  ///< that flows into it [kg/day]
    Inflows inflows;
    well::Filling<double> filling;
    std::vector<double> heads;
    Balance balance;
    bool is_at_rest = false;  ///< so that its pressure is that of the uppermost cell
};

SolvedWell solved(const CaseFields& fields, const CaseWell& well, std::size_t time, double day, double rate,
                  const std::vector<CurveTable<double>>& tables) {
    constexpr int rounds = 4;  // the head changes the density that makes it by a thousandth
    SolvedWell found;
    found.mass = well.rates.empty() ? rate * well.share : well.rates[time];
    for (const WellConnection& connection : well.connections) {
        const std::size_t cell = connection.cell;
        const double nearby = found.inflows.empty() ? well::no_value : found.inflows.back().density;
        found.inflows.push_back(well::inflow_of<double>(
            {pressure_in(fields, cell, time), connection.factor, connection.capillary, temperature_of(fields, cell),
             fields.well_fluids.salinity,
             well::curves_at(tables[table_in(fields, cell)], saturation_in(fields, cell, time))},
            found.mass > 0.0, nearby));
    }
    found.filling = {temperature_of(fields, well.connections.front().cell), fields.well_fluids.salinity,
                     holds_co2(fields, well, time, day, found.mass), found.inflows.front().density};
    found.balance.bottom_hole = found.inflows.front().pressure;
    for (int round = 0; round < rounds; ++round) {
        found.heads = well::heads_of(well, found.balance.bottom_hole, found.filling);
        found.balance = balance_of(found.inflows, found.heads, found.mass);
    }
    found.is_at_rest =
        !found.filling.is_gas && std::isfinite(found.balance.bottom_hole) && is_at_rest(fields, well, time, found.mass);
    if (found.is_at_rest) {
        found.balance.bottom_hole = found.inflows.front().pressure;  // exactly, and not to the rounding of heads
    }
    return found;
}

WellPressure pressure_of(const CaseFields& fields, SolvedWell found) {
    const double bottom_hole = found.balance.bottom_hole, limit = fields.bottom_hole_pressure_limit;
    return {bottom_hole > limit ? limit : bottom_hole, std::move(found.heads)};
}

/// What an inflow is differentiated by.
enum Slope : std::size_t {
    by_pressure,
    by_saturation,
    by_factor,
    by_capillary,
    by_temperature,
    by_salinity,
    by_irreducible_water,
    by_lambda,
    slopes
};
using Local = Dual<slopes>;

Local seed(double value, Slope slope) {
    Local number(value);
    number.by[slope] = 1.0;
    return number;
}

/// usual_table() with the slopes of its rows, which are central differences of their formulas.
CurveTable<Local> usual_table_with_slopes(const WellFluids& fluids) {
    constexpr double step = 1e-6;
    CurveTable<Local> result;
    for (const well::Curves<double>& row : usual_table(fluids)) {
        result.push_back({row.saturation, row.gas, row.water, row.capillary});
    }
    const auto add = [&](double WellFluids::*parameter, Slope slope) {
        WellFluids less = fluids, more = less;
        less.*parameter -= step;
        more.*parameter += step;
        const CurveTable<double> low = usual_table(less), high = usual_table(more);
        for (const auto& [local, plain] :
             {std::pair(&well::Curves<Local>::saturation, &well::Curves<double>::saturation),
              std::pair(&well::Curves<Local>::gas, &well::Curves<double>::gas),
              std::pair(&well::Curves<Local>::water, &well::Curves<double>::water),
              std::pair(&well::Curves<Local>::capillary, &well::Curves<double>::capillary)}) {
            for (std::size_t row = 0; row < low.size(); ++row) {
                (result[row].*local).by[slope] = (high[row].*plain - low[row].*plain) / (2.0 * step);
            }
        }
    };
    add(&WellFluids::irreducible_water, by_irreducible_water);
    add(&WellFluids::lambda, by_lambda);
    return result;
}

/// The flow through connection `i` of the well on rings that is found, with its slopes.
well::Inflow<Local> inflow_with_slopes(const CaseFields& fields, std::size_t time, const SolvedWell& found,
                                       const CurveTable<Local>& table, std::size_t i) {
    const WellConnection& connection = fields.wells.front().connections[i];
    const std::size_t cell = connection.cell;
    const Local saturation = seed(saturation_in(fields, cell, time), by_saturation);
    return well::inflow_of<Local>(
        {seed(pressure_in(fields, cell, time), by_pressure), seed(connection.factor, by_factor),
         seed(connection.capillary, by_capillary), seed(temperature_of(fields, cell), by_temperature),
         seed(fields.well_fluids.salinity, by_salinity), well::curves_at(table, saturation)},
        found.mass > 0.0, found.inflows[i].density);
}

/// Adds slopes of a connection in a cell at a time, times a cotangent.
void add_slopes(const Local& slopes_of, double cotangent, std::size_t time, std::size_t cell,
                CaseFieldsCotangents& sum) {
    const std::size_t value = time * sum.factors.size() + cell;
    const auto part = [&](Slope slope) { return cotangent * slopes_of.by[slope]; };
    sum.pressure_buildup[value] += part(by_pressure);
    sum.initial_pressures[cell] += part(by_pressure);
    sum.gas_saturation[value] += part(by_saturation);
    sum.factors[cell] += part(by_factor);
    sum.capillary[cell] += part(by_capillary);
    sum.temperature += part(by_temperature);
    sum.salinity += part(by_salinity);
    sum.irreducible_water += part(by_irreducible_water);
    sum.lambda += part(by_lambda);
}

/// Of the well on rings that is found.
// At the pressure b that is found, C b = mass + sum c (p - h(b)) with the conductances c of the open connections, their
// pressures p and heads h, and C = sum c. So (C + sum c h') db = dmass + sum dc (p - h - b) + sum c (dp - dh).
void add_balance(const CaseFields& fields, std::size_t time, const SolvedWell& found, const CurveTable<Local>& table,
                 double cotangent, CaseFieldsCotangents& sum) {
    using Head = Dual<3>;  // by the pressure, temperature and salinity of the well
    const CaseWell& well = fields.wells.front();
    const double bottom_hole = found.balance.bottom_hole;
    const std::vector<Head> heads = well::heads_of<Head>(
        well, Head(bottom_hole, {1.0, 0.0, 0.0}),
        {Head(found.filling.temperature, {0.0, 1.0, 0.0}), Head(found.filling.salinity, {0.0, 0.0, 1.0}),
         found.filling.is_gas, found.filling.nearby});
    double slope = found.balance.conductance;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        slope += found.balance.is_open[i] ? found.inflows[i].conductance * heads[i].by[0] : 0.0;
    }
    const double by_balance = cotangent / slope;
    sum.rates[time] += by_balance;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (found.balance.is_open[i]) {
            const well::Inflow<Local> inflow = inflow_with_slopes(fields, time, found, table, i);
            const double conductance = inflow.conductance.value;
            sum.temperature -= by_balance * conductance * heads[i].by[1];
            sum.salinity -= by_balance * conductance * heads[i].by[2];
            const Local pressure = conductance * inflow.pressure;
            const Local by_conductance = (inflow.pressure.value - heads[i].value - bottom_hole) * inflow.conductance;
            add_slopes(pressure + by_conductance, by_balance, time, well.connections[i].cell, sum);
        }
    }
}

/// Of the pressure in the well on rings that is found, as pressure_of() has it.
void add_cotangents(const CaseFields& fields, std::size_t time, const SolvedWell& found, const CurveTable<Local>& table,
                    double cotangent, CaseFieldsCotangents& sum) {
    if (found.balance.bottom_hole > fields.bottom_hole_pressure_limit) {
        sum.limit += cotangent;
    } else if (found.is_at_rest) {
        const std::size_t cell = fields.wells.front().connections.front().cell;
        sum.pressure_buildup[time * sum.factors.size() + cell] += cotangent;
        sum.initial_pressures[cell] += cotangent;
    } else {
        add_balance(fields, time, found, table, cotangent, sum);
    }
}

/// At each time the mean since the one before, of a case that knows the mass injected until each [kg/day].
std::vector<double> mean_injection_rates(const CaseFields& fields, std::span<const double> times) {
    std::vector<double> rates;
    double mass = 0.0, day = 0.0;
    for (std::size_t time = 0; time < times.size(); ++time) {
        const double days = times[time] - day;
        rates.push_back(days > 0.0 ? (fields.injected_mass[time] - mass) * kilograms_per_megatonne / days : 0.0);
        mass = fields.injected_mass[time];
        day = times[time];
    }
    return rates;
}

}  // namespace

std::vector<double> injection_rates(const CaseFields& fields, std::span<const double> times) {
    const bool is_limited = std::isfinite(fields.bottom_hole_pressure_limit);
    if (fields.schedule.ends.empty() && !fields.injected_mass.empty() && !is_limited) {
        return mean_injection_rates(fields, times);
    }
    std::vector<double> rates;
    for (const double day : times) {
        rates.push_back(fields.rate(day) * kilograms_per_megatonne / days_per_year);
    }
    return rates;
}

std::vector<double> injected_rates(const CaseFields& fields, std::span<const double> times) {
    return limited_rate(fields, times) ? mean_injection_rates(fields, times) : injection_rates(fields, times);
}

WellPressures::WellPressures(const CaseFields& fields, std::span<const double> times)
    : fields_(fields), times_(times), tables_(tables_of(fields)) {}

std::vector<WellPressure> WellPressures::at(std::size_t time, double rate) const {
    std::vector<WellPressure> pressures;
    for (const CaseWell& well : fields_.wells) {
        pressures.push_back(pressure_of(fields_, solved(fields_, well, time, times_[time], rate, tables_)));
    }
    return pressures;
}

void WellPressures::pull_back(std::span<const double> rates, std::span<const double> cotangents,
                              CaseFieldsCotangents& sum) const {
    expects(fields_.wells.size() == 1 && fields_.tables.empty(), "the well of a case on rings");
    const CurveTable<Local> table = usual_table_with_slopes(fields_.well_fluids);
    for (std::size_t time = 0; time < times_.size(); ++time) {
        if (cotangents[time] == 0.0) {
            continue;
        }
        const SolvedWell found = solved(fields_, fields_.wells.front(), time, times_[time], rates[time], tables_);
        if (!std::isfinite(found.balance.bottom_hole)) {
            throw InvalidInput(
                fmt::format("case {}: the bottom-hole pressure on day {:g} has no derivatives (it has no value, as CO2 "
                            "has no known density there or no cell takes any); leave its weight 0",
                            fields_.number, times_[time]));
        }
        add_cotangents(fields_, time, found, table, cotangents[time], sum);
    }
}

}  // namespace plumecast
