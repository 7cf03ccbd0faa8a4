#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/eclipse/case_files.hpp"
#include "reservoir/eclipse/restart.hpp"
#include "reservoir/eclipse/summary.hpp"
#include "reservoir/eclipse/units.hpp"
#include "reservoir/import/model_notes/active_cells.hpp"
#include "reservoir/import/model_notes/run_notes.hpp"
#include "reservoir/import/reservoir_model.hpp"
#include "reservoir/import/runs/dissolved_gas.hpp"
#include "reservoir/import/runs/gas_history.hpp"
#include "reservoir/import/runs/initial_flow.hpp"
#include "reservoir/import/runs/initial_tables.hpp"
#include "reservoir/import/runs/run_start.hpp"
#include "reservoir/import/runs/step_order.hpp"
#include "reservoir/import/runs/well_states.hpp"

namespace plumecast {
namespace {

using eclipse::CornerPointGrid;
using eclipse::StepFiles;
using eclipse::Units;

constexpr std::array<std::string_view, 17> initial_keywords = {
    "TRANX", "TRANY", "TRANZ", "TRANNNC", "INTEHEAD", "PORV",    "PORO", "NTG",     "PERMX",
    "PERMY", "PERMZ", "PERMR", "PERMTHT", "SATNUM",   "TABDIMS", "TAB",  "LOGIHEAD"};
constexpr std::array<std::string_view, 9> state_keywords = {"SEQNUM", "INTEHEAD", "DOUBHEAD", "PRESSURE", "PCGW",
                                                            "SGAS",   "SOIL",     "TEMP",     "SSOL"};

// Places in INTEHEAD, as the manuals of the format number them from 0.
constexpr std::size_t unit_item = 2;
constexpr std::size_t phases_item = 14;
constexpr double water_and_gas = 6.0;
constexpr double three_phases = 7.0;
constexpr std::size_t dual_porosity_item = 14;  // of LOGIHEAD
constexpr double least_gas = 1e-6;              // a saturation below is none

/// All keywords of states, each once.
std::vector<std::string_view> keywords_of_states() {
    std::vector<std::string_view> all(state_keywords.begin(), state_keywords.end());
    all.insert(all.end(), std::begin(well_keywords), std::end(well_keywords));
    all.insert(all.end(), std::begin(dissolved_gas_keywords), std::end(dissolved_gas_keywords));
    return all;
}

class SimulatedModel : public ReservoirModel {
   public:
    explicit SimulatedModel(const std::string& path)
        : files_(eclipse::find_case(path)),
          name_(files_.root.string()),
          initial_(std::array{files_.init}, initial_keywords),
          states_(files_.restart, keywords_of_states()) {
        if (initial_.steps() == 0) {
            throw InvalidData(files_.init.string() +
                              ": the file is empty (it holds the properties); run the case again");
        }
        units_ = eclipse::units_of(item(initial_, 0, unit_item), files_.init.string());
        if (units_.name == "LAB") {
            throw InvalidData(
                files_.init.string() +
                ": LAB units (programs differ in whether its days are hours there); run the case in METRIC");
        }
        refuse_dual_porosity();
        read_times();
    }

    const std::string& name() const override { return name_; }
    const CornerPointGrid* grid() override {
        if (!grid_) {
            grid_ = eclipse::read_grid(files_.grid, units_.metres);
            FoundCells found = mark_inactive(*grid_, initial_);
            stored_ = std::move(found.stored);
            undefined_ = found.undefined.notes();
            stored_cells_ = std::ranges::count_if(stored_, [](std::uint8_t mark) { return mark != 0; });
        }
        return &*grid_;
    }
    std::vector<std::string> notes(bool is_radial, bool states_flow) override {
        std::vector<std::string> notes = run_notes(files_, *grid(),
                                                   {.is_radial = is_radial,
                                                    .has_tables = !is_radial && !saturation_tables().empty(),
                                                    .has_flow = states_flow});
        notes.insert(notes.end(), undefined_.begin(), undefined_.end());
        if (const std::string wrong = wrong_run_start(record().summary, states_.numbers(0, "INTEHEAD"), times_.front());
            !wrong.empty()) {
            notes.push_back(wrong);
        }
        if (item(states_, 0, phases_item) == water_and_gas && !states_.has(states_.steps() - 1, "PCGW")) {
            notes.emplace_back(
                "PRESSURE of a run of gas and water is that of the gas in OPM Flow, above that of the brine by the "
                "capillary pressure; it is taken as it is, let the simulator write PCGW too (RPTRST PCGW)");
        }
        if (const std::optional<double> limit = reached_limit()) {
            notes.push_back(fmt::format(
                "WCONINJE limits the pressure in a well to {:g} bar, which the run comes to: its rates are what it "
                "injected then, and no bottom_hole_pressure_limit is stated beside them",
                *limit));
        }
        if (!order_.empty()) {
            notes.insert(notes.begin(), order_);
        }
        return notes;
    }
    std::optional<double> salinity() override { return run_salinity(files_); }
    std::optional<double> rock_compressibility() override {
        const std::optional<double> stated = run_rock_compressibility(files_);
        return stated ? std::optional(*stated / units_.bar) : std::nullopt;
    }
    SaturationTables saturation_tables() override;
    std::optional<Transmissibilities> transmissibilities() override {
        return transmissibilities_of(initial_, *grid(), units_.reservoir_volume / units_.bar,
                                     [this](std::string_view keyword) { return over_cells(initial_, 0, keyword); });
    }
    std::map<std::int64_t, double> well_connection_factors() override;
    RunningTotal temperatures() override {
        const std::vector<double> stated = run_temperatures(files_);
        RunningTotal temperatures;
        for (std::size_t i = 0; i + 1 < stated.size(); i += 2) {
            temperatures.add(stated[i] * units_.metres, units_.celsius(stated[i + 1]));
        }
        return temperatures;
    }
    std::optional<std::vector<double>> property(std::string_view keyword, std::int64_t) override;
    const std::vector<double>& times() override { return times_; }
    std::vector<double> pressure(std::size_t step) override {
        std::vector<double> values = over_cells(states_, step, "PRESSURE");
        if (states_.has(step, "PCGW")) {  // the pressure is that of gas
            std::ranges::transform(values, over_cells(states_, step, "PCGW"), values.begin(), std::minus<>());
        }
        std::ranges::transform(values, values.begin(), [this](double value) { return value * units_.bar; });
        return values;
    }
    std::vector<double> gas_saturation(std::size_t step) override;
    std::optional<std::vector<double>> oil_saturation(std::size_t step) override;
    std::optional<std::vector<double>> temperature(std::size_t step) override;
    std::optional<InjectionHistory> injected(double from, double to) override {
        return gas_history(record(), from, to);
    }
    std::optional<std::chrono::sys_seconds> start_date() override {
        const std::optional<std::chrono::sys_seconds>& stated = record().summary.start;
        return stated ? stated : run_start(record().summary, states_.numbers(0, "INTEHEAD"), times_.front());
    }
    std::optional<std::vector<double>> dissolved_gas(std::size_t step) override;
    std::pair<bool, std::string> tells_dissolved_gas(std::size_t step) override;
    std::optional<GasImbalance> imbalance(const InjectionHistory& history, double from, std::size_t initial) override;
    std::map<double, double> bottom_hole_pressures(double from) override {
        return plumecast::bottom_hole_pressures(record(), from);
    }

   private:
    static double item(StepFiles& files, std::size_t step, std::size_t place) {
        const std::vector<double> head = files.numbers(step, "INTEHEAD");
        if (head.size() <= place) {
            files.incomplete(step, fmt::format("INTEHEAD with {} values", head.size()), "run the case again");
        }
        if (!(std::abs(head[place]) <= std::numeric_limits<std::int32_t>::max())) {
            files.incomplete(step, "INTEHEAD with values that are no whole numbers", "run the case again");
        }
        return head[place];
    }
    std::vector<double> over_cells(StepFiles& files, std::size_t step, std::string_view keyword);
    void refuse_dual_porosity();
    void read_times();
    void require_units(std::size_t step);
    const RunRecord& record();
    std::optional<double> reached_limit();
    double injectivity(std::int64_t cell);
    void refuse_solvent(std::size_t step);

    eclipse::CaseFiles files_;
    std::string name_;
    StepFiles initial_;
    StepFiles states_;
    Units units_;
    std::vector<double> times_;
    std::string order_;  // what is to be said of the order of the states
    std::optional<CornerPointGrid> grid_;
    std::vector<std::uint8_t> stored_;    // cells whose values arrays hold
    std::vector<std::string> undefined_;  // what is to be said of cells without values
    std::int64_t stored_cells_ = 0;
    std::optional<RunRecord> record_;
    std::optional<std::vector<double>> permeability_;  // along x, for injectivity()
};

/// Older grid files do not tell it.
void SimulatedModel::refuse_dual_porosity() {
    const std::vector<double> flags =
        initial_.has(0, "LOGIHEAD") ? initial_.numbers(0, "LOGIHEAD") : std::vector<double>();
    if (flags.size() > dual_porosity_item && flags[dual_porosity_item] != 0.0) {
        throw InvalidData(files_.init.string() +
                          ": LOGIHEAD declares dual porosity (every cell must have one porosity); import the matrix or "
                          "the fractures as a model of their own");
    }
}

/// Days of the states, which are put in order by them.
void SimulatedModel::read_times() {
    if (states_.steps() == 0) {
        throw InvalidData(files_.restart.front().string() +
                          ": the file is empty (it holds the states); run the case again");
    }
    std::vector<double> days, numbers;
    for (std::size_t step = 0; step < states_.steps(); ++step) {
        const std::vector<double> head = states_.numbers(step, "DOUBHEAD");
        if (head.empty() || !std::isfinite(head[0])) {
            states_.incomplete(step, "DOUBHEAD without a time", "run the case again");
        }
        require_units(step);
        days.push_back(head[0]);
        const std::vector<double> number =
            states_.has(step, "SEQNUM") ? states_.numbers(step, "SEQNUM") : std::vector<double>();
        numbers.push_back(number.empty() ? std::numeric_limits<double>::quiet_NaN() : number[0]);
    }
    StepOrder order = step_order(name_, days, numbers);
    states_.keep(order.steps);
    order_ = std::move(order.note);
    for (const std::size_t step : order.steps) {
        times_.push_back(days[step]);
    }
}

/// The states of a run have the unit system of its INIT file.
void SimulatedModel::require_units(std::size_t step) {
    const std::vector<double> head =
        states_.has(step, "INTEHEAD") ? states_.numbers(step, "INTEHEAD") : std::vector<double>();
    if (head.size() <= unit_item || !(head[unit_item] >= 1.0 && head[unit_item] <= 4.0)) {
        return;  // it states none
    }
    const Units units = eclipse::units_of(head[unit_item], states_.path(step));
    if (units.name != units_.name) {
        throw InvalidData(fmt::format("{}: INTEHEAD declares {} units ({} has {}); give the files of one run",
                                      states_.path(step), units.name, files_.init.string(), units_.name));
    }
}

std::optional<std::vector<double>> SimulatedModel::property(std::string_view keyword, std::int64_t) {
    if (!initial_.has(0, keyword)) {
        return std::nullopt;
    }
    std::vector<double> values = over_cells(initial_, 0, keyword);
    if (keyword == "PORV") {
        std::ranges::transform(values, values.begin(),
                               [this](double volume) { return volume * units_.reservoir_volume; });
    }
    return values;
}

/// Arrays hold the active cells only, a few hold all.
std::vector<double> SimulatedModel::over_cells(StepFiles& files, std::size_t step, std::string_view keyword) {
    const CornerPointGrid& grid = *this->grid();
    std::vector<double> values = files.numbers(step, keyword);
    const auto count = static_cast<std::int64_t>(values.size());
    if (count != grid.cells() && count != stored_cells_) {
        files.incomplete(step,
                         fmt::format("{} with {} values for a grid of {} cells, {} of them active", keyword, count,
                                     grid.cells(), stored_cells_),
                         "give files of one run");
    }
    std::vector<double> all(grid.active().size(), 0.0);
    std::size_t next = 0;
    for (std::size_t cell = 0; cell < all.size(); ++cell) {
        if (stored_[cell] != 0) {
            const double value = count == grid.cells() ? values[cell] : values[next++];
            all[cell] = grid.active()[cell] != 0 ? value : 0.0;
        }
    }
    return all;
}

/// Of runs with water and gas alone, as their INIT file has them.
SaturationTables SimulatedModel::saturation_tables() {
    const bool has_tables = initial_.has(0, "TABDIMS") && initial_.has(0, "TAB") && states_.has(0, "INTEHEAD") &&
                            item(states_, 0, phases_item) == water_and_gas;
    return has_tables ? saturation_tables_of(initial_.numbers(0, "TABDIMS"), initial_.numbers(0, "TAB"), units_.bar,
                                             files_.init.string())
                      : SaturationTables();
}

std::map<std::int64_t, double> SimulatedModel::well_connection_factors() {
    std::map<std::int64_t, double> factors;
    for (const std::vector<WellState>& wells : record().wells) {
        for (const WellState& well : wells) {
            for (const ConnectionState& connection : well.connections) {
                if (connection.factor > 0.0) {
                    factors[connection.cell] = connection.factor;
                }
            }
        }
    }
    return factors;
}

/// CO2 of the solvent model is no gas in the run, and would be left out of the saturation.
void SimulatedModel::refuse_solvent(std::size_t step) {
    const std::vector<double> solvent =
        states_.has(step, "SSOL") ? states_.numbers(step, "SSOL") : std::vector<double>();
    const double most = solvent.empty() ? 0.0 : std::ranges::max(solvent);
    if (most > least_gas) {
        throw InvalidData(fmt::format(
            "{}: SSOL up to {:.3g} (CO2 is a solvent beside the gas, keyword SOLVENT, and its saturation is not that "
            "of the gas); run the case with CO2 as the gas, as by CO2STORE",
            states_.path(step), most));
    }
}

std::vector<double> SimulatedModel::gas_saturation(std::size_t step) {
    refuse_solvent(step);
    if (states_.has(step, "SGAS")) {
        return over_cells(states_, step, "SGAS");
    }
    if (!states_.has(step, "SWAT") || item(states_, step, phases_item) != water_and_gas) {
        states_.incomplete(step, "no SGAS, and no SWAT of a run with water and gas alone",
                           "let the simulator write SGAS");
    }
    std::vector<double> gas = over_cells(states_, step, "SWAT");
    for (std::size_t cell = 0; cell < gas.size(); ++cell) {
        gas[cell] = grid_->active()[cell] != 0 ? 1.0 - gas[cell] : 0.0;
    }
    return gas;
}

/// Of runs with water beside the oil, unless their CO2 is stored in it (CO2STORE).
std::optional<std::vector<double>> SimulatedModel::oil_saturation(std::size_t step) {
    const bool is_oil = states_.has(step, "SOIL") && states_.has(step, "INTEHEAD") &&
                        item(states_, step, phases_item) == three_phases && !is_brine_oil(files_);
    return is_oil ? std::optional(over_cells(states_, step, "SOIL")) : std::nullopt;
}

std::optional<std::vector<double>> SimulatedModel::temperature(std::size_t step) {
    if (!states_.has(step, "TEMP")) {
        return std::nullopt;
    }
    std::vector<double> values = over_cells(states_, step, "TEMP");
    std::ranges::transform(values, values.begin(), [this](double value) { return units_.celsius(value); });
    return values;
}

/// What summary and wells tell, read once.
const RunRecord& SimulatedModel::record() {
    if (!record_) {
        record_.emplace();
        record_->name = name_;
        record_->summary = eclipse::read_summary(files_, history_keywords, units_);
        record_->days = times_;
        record_->columns = grid()->nx() * grid()->ny();
        for (std::size_t step = 0; step < states_.steps(); ++step) {
            record_->wells.push_back(well_states(states_, step, *grid(), units_));
        }
        record_->injectivity = [this](std::int64_t cell) { return injectivity(cell); };
    }
    return *record_;
}

/// A limit of the deck that the highest pressure of the wells comes to [bar].
std::optional<double> SimulatedModel::reached_limit() {
    constexpr double close = 1e-3;  // to which simulators hold a well at it, and files its pressure
    for (const double stated : run_pressure_limits(files_)) {
        const double limit = stated * units_.bar;
        for (const auto& [day, pressure] : plumecast::bottom_hole_pressures(record(), times_.front())) {
            if (std::abs(pressure - limit) <= close * limit) {
                return limit;
            }
        }
    }
    return std::nullopt;
}

/// Permeability times thickness; 0 in inactive cells.
double SimulatedModel::injectivity(std::int64_t cell) {
    const CornerPointGrid& grid = *this->grid();
    if (!permeability_) {
        permeability_ = property("PERMX", grid.cells());
        permeability_ = permeability_ ? permeability_ : property("PERMR", grid.cells());
        permeability_ = permeability_ ? permeability_ : std::vector<double>(grid.active().size(), 1.0);
    }
    const std::int64_t in_layer = grid.nx() * grid.ny();
    const eclipse::Corners corners = grid.corners(cell % grid.nx(), cell % in_layer / grid.nx(), cell / in_layer);
    double height = 0.0;
    for (std::size_t c = 0; c < 4; ++c) {
        height += 0.25 * (corners[c + 4].z - corners[c].z);
    }
    const auto at = static_cast<std::size_t>(cell);
    return grid.active()[at] != 0 ? (*permeability_)[at] * height : 0.0;
}

std::optional<std::vector<double>> SimulatedModel::dissolved_gas(std::size_t step) {
    const auto arrays = dissolved_gas_arrays(states_, step, item(states_, step, phases_item), units_);
    if (!arrays) {
        return std::nullopt;
    }
    std::vector<double> values = over_cells(states_, step, arrays->ratio);
    const bool has_brine = arrays->is_brine_water && states_.has(step, "SWAT");
    const std::vector<double> phase = has_brine ? over_cells(states_, step, "SWAT") : gas_saturation(step);
    const std::vector<double> expansion =
        arrays->expansion.empty() ? std::vector<double>() : over_cells(states_, step, arrays->expansion);
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        const double brine = has_brine ? phase[cell] : 1.0 - phase[cell];
        double surface = 1.0;  // volume of brine at the surface per volume in the reservoir
        if (!expansion.empty() && grid_->active()[cell] != 0) {
            surface = arrays->is_inverse ? expansion[cell] : 1.0 / expansion[cell];
        }
        values[cell] *= arrays->per_unit * brine * surface;
    }
    return values;
}

std::pair<bool, std::string> SimulatedModel::tells_dissolved_gas(std::size_t step) {
    const double phases = item(states_, step, phases_item);
    const auto arrays = dissolved_gas_arrays(states_, step, phases, units_);
    if (!arrays) {
        return {false, states_.has(step, "RS") ? "RS is left out (oil holds the gas that it counts)"
                                               : missing_ratio(run_dissolved_ratio(files_), phases)};
    }
    return {true, arrays->expansion.empty() ? missing_expansion(*arrays) : ""};
}

std::optional<GasImbalance> SimulatedModel::imbalance(const InjectionHistory& history, double from,
                                                      std::size_t initial) {
    const auto is_none = [](double value) { return value <= least_gas; };
    const auto dissolved = dissolved_gas(initial);
    const bool starts_without_gas = std::ranges::all_of(gas_saturation(initial), is_none) &&
                                    (!dissolved || std::ranges::all_of(*dissolved, is_none));
    return gas_imbalance(record(), history, from, starts_without_gas);
}

}  // namespace

std::unique_ptr<ReservoirModel> simulated_model(const std::string& path) {
    return std::make_unique<SimulatedModel>(path);
}

}  // namespace plumecast
