#include "reservoir/import/case_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/cases/dissolution_limit.hpp"
#include "reservoir/import/model_notes/effective_porosity.hpp"
#include "reservoir/import/model_notes/value_ranges.hpp"

namespace plumecast {
namespace {

using Values = std::vector<double>;

/// Builds the inputs of one case.
class CaseBuilder {
   public:
    CaseBuilder(ReservoirModel& model, const CaseValues& values, const CaseSteps& steps, const Injection& injection,
                const StoredGrid& shape, const StoredGrid& grid)
        : model_(model), values_(values), steps_(steps), injection_(injection), shape_(shape), grid_(grid) {}

    CaseArrays inputs();

   private:
    [[noreturn]] void missing(const std::string& what, const std::string& remedy) const {
        throw InvalidData(model_.name() + ": " + what + " (the data set needs it); " + remedy);
    }
    std::int64_t model_cells() const { return shape_.model_cells(); }
    Values property(std::initializer_list<const char*> keywords);
    void find_active();
    void add_rock(CaseArrays& arrays);
    void add_regions(CaseArrays& arrays);
    void add_wells(CaseArrays& arrays);
    void add_scalars(CaseArrays& arrays);
    Values interval_fractions() const;
    Values shares_of(const Values& fractions, const std::vector<Connection>& connections) const;
    std::vector<Connection> connections();
    std::vector<Connection> connections_of_wells();
    void add_well(const WellValues& well, const Values& permeability, std::vector<Connection>& found) const;
    double rate();
    double top_pressure();
    double temperature();
    double thickness() const;
    double cell_height(std::size_t row) const;
    std::vector<float> on_grid(const Values& of_model) const { return over_grid(of_model, shape_, grid_); }

    ReservoirModel& model_;
    const CaseValues& values_;
    const CaseSteps& steps_;
    const Injection& injection_;
    const StoredGrid& shape_;
    const StoredGrid& grid_;
    std::vector<std::uint8_t> active_;  // of the case's own rows, from the top of the formation
    double rate_ = 0.0;
};

Values CaseBuilder::property(std::initializer_list<const char*> keywords) {
    for (const char* keyword : keywords) {
        if (auto values = model_.property(keyword, model_cells())) {
            require_rock(model_, keyword, *values, active_);
            return std::move(*values);
        }
    }
    missing(fmt::format("no {}", *keywords.begin()),
            "let the simulator write it to INIT, or add it to the GRDECL file");
}

void CaseBuilder::find_active() {
    const auto cells = static_cast<std::size_t>(model_cells());
    active_ = active_marks(model_, model_cells());
    const auto volumes = shape_.cells.find("cell_volume");
    for (std::size_t cell = 0; volumes != shape_.cells.end() && cell < cells; ++cell) {
        active_[cell] = volumes->second[cell] > 0.0F ? active_[cell] : std::uint8_t{0};
    }
}

void CaseBuilder::add_rock(CaseArrays& arrays) {
    const bool is_radial = shape_.geometry == Geometry::radial;
    EffectivePorosity effective = effective_porosity(model_, shape_);
    Values& porosity = effective.values;
    std::map<std::string, Values> permeability;
    if (is_radial) {
        permeability["permeability_r"] = property({"PERMX", "PERMR"});
    } else {
        permeability["permeability_x"] = property({"PERMX"});
        permeability["permeability_y"] = property({"PERMY", "PERMX"});
    }
    permeability["permeability_z"] = property({"PERMZ"});
    const auto net = model_.property("NTG", model_cells());
    for (std::size_t cell = 0; cell < active_.size(); ++cell) {
        const double share = net ? (*net)[cell] : 1.0;
        const bool is_active = active_[cell] != 0;
        porosity[cell] = is_active ? porosity[cell] : 0.0;
        for (auto& [name, values] : permeability) {
            values[cell] = is_active ? values[cell] * (name == "permeability_z" ? 1.0 : share) : 0.0;
            if (is_active && !(values[cell] > 0.0 && std::isfinite(values[cell]) && porosity[cell] > 0.0)) {
                throw InvalidData(fmt::format(
                    "{}: active {} has porosity {} and {} {} mD (both must be above 0); make it inactive by "
                    "ACTNUM, or give it a small value",
                    model_.name(), cell_of_deck(model_, cell), number_text(porosity[cell]), name,
                    number_text(values[cell])));
            }
        }
    }
    arrays["porosity"] = on_grid(porosity);
    for (const auto& [name, values] : permeability) {
        arrays[name] = on_grid(values);
    }
    arrays["active"] = on_grid(Values(active_.begin(), active_.end()));
    if (!effective.pore_volumes.empty()) {
        for (std::size_t cell = 0; cell < active_.size(); ++cell) {
            effective.pore_volumes[cell] = active_[cell] != 0 ? effective.pore_volumes[cell] : 0.0;
        }
        arrays["pore_volume"] = on_grid(effective.pore_volumes);
    }
    if (!is_radial && !values_.irreducible_water_saturation && !values_.van_genuchten_lambda) {
        add_regions(arrays);
    }
}

/// Which of the saturation tables of the model a cell has.
void CaseBuilder::add_regions(CaseArrays& arrays) {
    const std::size_t tables = model_.saturation_tables().size();
    if (tables == 0) {
        return;
    }
    Values regions = model_.property("SATNUM", model_cells()).value_or(Values(active_.size(), 1.0));
    for (std::size_t cell = 0; cell < active_.size(); ++cell) {
        regions[cell] = active_[cell] != 0 ? regions[cell] : 0.0;
        if (active_[cell] != 0 && !(regions[cell] >= 1.0 && regions[cell] <= static_cast<double>(tables))) {
            throw InvalidData(
                fmt::format("{}: SATNUM of active {} is {} (the INIT file holds {} saturation tables); "
                            "give files of one run",
                            model_.name(), cell_of_deck(model_, cell), number_text(regions[cell]), tables));
        }
    }
    arrays["saturation_region"] = on_grid(regions);
}

/// Fraction of each cell of the innermost column within the given interval.
Values CaseBuilder::interval_fractions() const {
    Values fractions(active_.size(), 0.0);
    if (shape_.geometry != Geometry::radial) {
        missing("an entry perforation for a grid with several columns",
                "leave it out; the run tells which cells wells reach");
    }
    for (std::size_t row = 0; row + 1 < shape_.z_edges.size(); ++row) {
        const double top = std::max(shape_.z_edges[row], (*values_.perforation)[0]);
        const double bottom = std::min(shape_.z_edges[row + 1], (*values_.perforation)[1]);
        const auto cell =
            (row + static_cast<std::size_t>(shape_.first_row)) * static_cast<std::size_t>(shape_.columns());
        fractions[cell] = active_[cell] != 0 ? std::max(bottom - top, 0.0) / cell_height(row) : 0.0;
    }
    return fractions;
}

/// Spreads the rate of a well over the cells it reaches, in proportion to permeability times thickness.
void CaseBuilder::add_well(const WellValues& well, const Values& permeability, std::vector<Connection>& found) const {
    const std::int64_t layers = shape_.rows() + shape_.first_row;
    const bool is_inside =
        well.i >= 1 && well.i <= shape_.columns() && well.j >= 1 && well.j <= shape_.lines() && well.first <= layers;
    std::vector<Connection> reached;
    double sum = 0.0;
    for (std::int64_t k = std::max(well.first - 1, shape_.first_row); is_inside && k < std::min(well.last, layers);
         ++k) {
        const std::int64_t cell = (k * shape_.lines() + well.j - 1) * shape_.columns() + well.i - 1;
        const auto at = static_cast<std::size_t>(cell);
        if (active_[at] != 0) {
            reached.push_back({cell, permeability[at] * cell_height(static_cast<std::size_t>(k - shape_.first_row))});
            sum += reached.back().rate;
        }
    }
    if (!(sum > 0.0)) {
        missing(fmt::format("the well in column ({}, {}) reaches no active cell", well.i, well.j),
                "correct the entry wells");
    }
    for (Connection& connection : reached) {
        connection.rate *= well.rate / sum;
        found.push_back(connection);
    }
}

std::vector<Connection> CaseBuilder::connections_of_wells() {
    const Values permeability = property({"PERMX", "PERMR"});
    std::vector<Connection> found;
    for (const WellValues& well : values_.wells) {
        add_well(well, permeability, found);
    }
    return found;
}

std::vector<Connection> CaseBuilder::connections() {
    if (!values_.wells.empty()) {
        return connections_of_wells();
    }
    std::vector<Connection> found = injection_.cells;
    std::erase_if(found, [this](const Connection& at) { return active_[static_cast<std::size_t>(at.cell)] == 0; });
    return found;
}

/// Share of each cell in the injection: by the rates of the connections, else by thickness.
Values CaseBuilder::shares_of(const Values& fractions, const std::vector<Connection>& connections) const {
    Values shares(fractions.size(), 0.0);
    for (const Connection& connection : connections) {
        shares[static_cast<std::size_t>(connection.cell)] += connection.rate;
    }
    double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const auto per_row = static_cast<std::size_t>(shape_.lines() * shape_.columns());
    for (std::size_t cell = 0; sum == 0.0 && cell < shares.size(); ++cell) {
        const std::size_t row = cell / per_row - static_cast<std::size_t>(shape_.first_row);
        shares[cell] = fractions[cell] > 0.0 ? fractions[cell] * cell_height(row) : 0.0;
    }
    sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::ranges::transform(shares, shares.begin(), [sum](double share) { return share / sum; });
    return shares;
}

void CaseBuilder::add_wells(CaseArrays& arrays) {
    const std::vector<Connection> reached = values_.perforation ? std::vector<Connection>() : connections();
    Values fractions(active_.size(), 0.0);
    if (values_.perforation) {
        fractions = interval_fractions();
    }
    for (const Connection& connection : reached) {
        fractions[static_cast<std::size_t>(connection.cell)] = 1.0;
    }
    if (std::ranges::all_of(fractions, [](double fraction) { return fraction == 0.0; })) {
        const bool is_idle = rate_ == 0.0 && !steps_.snapshots.empty();
        missing(is_idle ? "no perforated cell in the formation, since nothing is injected"
                        : "no perforated cell in the formation",
                shape_.geometry == Geometry::radial
                    ? "set perforation to [TOP, BOTTOM], depths below the top of the formation in m"
                : is_idle ? "set wells with the rate 0, in the columns where they stand"
                          : "set wells, or let the simulator write their connections (ICON) to the restart file");
    }
    arrays["perforation"] = on_grid(fractions);
    if (shape_.geometry == Geometry::cartesian) {
        Values shares = shares_of(fractions, reached);
        std::ranges::transform(shares, shares.begin(), [this](double share) { return share * rate_; });
        arrays["cell_injection_rate"] = on_grid(shares);
    }
}

double CaseBuilder::rate() {
    if (injection_.rate) {
        return *injection_.rate;
    }
    if (values_.surface_density && !steps_.snapshots.empty()) {
        missing("no FGIT in the summary and no rates of connections, so surface_density gives no rate",
                "set injection_rate in Mt/year");
    }
    missing("no injection_rate",
            "set it in Mt/year, or surface_density in kg/sm3 to have it worked out from the summary (FGIT)");
}

double CaseBuilder::cell_height(std::size_t row) const { return shape_.z_edges[row + 1] - shape_.z_edges[row]; }

/// From the uppermost active cell, and the active one below it, along a straight line up to the top.
double CaseBuilder::top_pressure() {
    if (values_.initial_pressure) {
        return *values_.initial_pressure;
    }
    if (steps_.snapshots.empty()) {
        missing("no initial_pressure", "set it in bar, at the top of the formation");
    }
    const Values pressure = model_.pressure(steps_.initial);
    std::size_t highest = active_.size();
    for (std::size_t cell = 0; cell < active_.size(); ++cell) {
        if (active_[cell] != 0 &&
            (highest == active_.size() || cell_depth(shape_, cell) < cell_depth(shape_, highest))) {
            highest = cell;
        }
    }
    const std::size_t below = highest + static_cast<std::size_t>(shape_.lines() * shape_.columns());
    if (below >= active_.size() || active_[below] == 0) {
        return pressure[highest];
    }
    const double gradient =
        (pressure[below] - pressure[highest]) / (cell_depth(shape_, below) - cell_depth(shape_, highest));
    return pressure[highest] - gradient * cell_depth(shape_, highest);
}

double CaseBuilder::temperature() {
    if (values_.temperature) {
        return *values_.temperature;
    }
    if (const auto stated = temperature_line(model_, shape_)) {
        const double base = shape_.geometry == Geometry::radial ? thickness() : shape_.z_edges.back();
        return stated->top + 0.5 * stated->gradient * (base - shape_.z_edges.front());
    }
    const auto values = steps_.snapshots.empty() ? std::nullopt : model_.temperature(steps_.initial);
    if (!values) {
        missing("no temperature", "set it in degC");
    }
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t cell = 0; cell < active_.size(); ++cell) {
        sum += active_[cell] != 0 ? (*values)[cell] : 0.0;
        count += active_[cell];
    }
    return sum / count;
}

/// Of the formation: from its top to the base of the last active row, or the mean over the columns of a box.
double CaseBuilder::thickness() const {
    const auto per_row = static_cast<std::size_t>(shape_.lines() * shape_.columns());
    std::vector<double> of_column(per_row, 0.0);
    double base = 0.0;
    for (std::size_t cell = static_cast<std::size_t>(shape_.first_row) * per_row; cell < active_.size(); ++cell) {
        const std::size_t row = cell / per_row - static_cast<std::size_t>(shape_.first_row);
        if (active_[cell] != 0) {
            base = std::max(base, shape_.z_edges[row + 1]);
            of_column[cell % per_row] += cell_height(row);
        }
    }
    if (shape_.geometry == Geometry::radial) {
        return base;
    }
    const auto columns =
        static_cast<double>(std::ranges::count_if(of_column, [](double height) { return height > 0.0; }));
    return std::accumulate(of_column.begin(), of_column.end(), 0.0) / columns;
}

void CaseBuilder::add_scalars(CaseArrays& arrays) {
    const auto add = [&](const char* name, double value) { arrays[name] = {static_cast<float>(value)}; };
    add("injection_rate", rate_);
    add("initial_pressure", top_pressure());
    add("temperature", temperature());
    add("thickness", thickness());
    add("salinity", salinity_of_case(model_, values_));
    add("residual_gas_saturation", values_.residual_gas_saturation.value_or(0.0));
    if (values_.dissolution_rate_limit && shape_.geometry != Geometry::radial) {
        throw InvalidInput(model_.name() +
                           ": dissolution_rate_limit (on Cartesian grids gas and brine are in equilibrium); leave it "
                           "out");
    }
    if (shape_.geometry == Geometry::radial) {
        add("dissolution_rate_limit", values_.dissolution_rate_limit.value_or(never_reached_dissolution_rate));
    }
    for (const auto& [name, value] : {std::pair("irreducible_water_saturation", values_.irreducible_water_saturation),
                                      std::pair("van_genuchten_lambda", values_.van_genuchten_lambda)}) {
        if (value) {
            add(name, *value);
        } else if (shape_.geometry == Geometry::radial) {
            missing(fmt::format("no {}", name), "set it");
        }
    }
}

CaseArrays CaseBuilder::inputs() {
    CaseArrays arrays;
    find_active();
    rate_ = rate();
    add_rock(arrays);
    add_wells(arrays);
    add_scalars(arrays);
    return arrays;
}

}  // namespace

double salinity_of_case(ReservoirModel& model, const CaseValues& values) {
    return values.salinity ? *values.salinity : model.salinity().value_or(0.0);
}

std::optional<TemperatureLine> temperature_line(ReservoirModel& model, const StoredGrid& shape) {
    const RunningTotal stated = model.temperatures();
    if (stated.days.empty()) {
        return std::nullopt;
    }
    const double top = stated.at(shape.top + shape.z_edges.front());
    const double base = stated.at(shape.top + shape.z_edges.back());
    return TemperatureLine{top, (base - top) / (shape.z_edges.back() - shape.z_edges.front())};
}

CaseArrays case_inputs(ReservoirModel& model, const CaseValues& values, const CaseSteps& steps,
                       const Injection& injection, const StoredGrid& shape, const StoredGrid& grid) {
    return CaseBuilder(model, values, steps, injection, shape, grid).inputs();
}

}  // namespace plumecast
