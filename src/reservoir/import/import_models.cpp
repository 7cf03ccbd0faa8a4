#include <plumecast/reservoir/import/import.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/cases/injected_mass.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/dataset/place_attributes.hpp"
#include "reservoir/eclipse/case_files.hpp"
#include "reservoir/import/array_import.hpp"
#include "reservoir/import/case_arrays.hpp"
#include "reservoir/import/case_loop.hpp"
#include "reservoir/import/cell_flow.hpp"
#include "reservoir/import/formation_top.hpp"
#include "reservoir/import/generic_import.hpp"
#include "reservoir/import/grid_shape.hpp"
#include "reservoir/import/import_sources.hpp"
#include "reservoir/import/injection.hpp"
#include "reservoir/import/model_notes/effective_porosity.hpp"
#include "reservoir/import/model_notes/initial_state.hpp"
#include "reservoir/import/open_case.hpp"
#include "reservoir/import/rock_of_cases.hpp"
#include "reservoir/import/runs/run_labels.hpp"
#include "reservoir/import/tensor_import.hpp"

namespace plumecast {
namespace {

constexpr double snapshot_tolerance = 1e-4;
constexpr double tolerated_before = 0.005;  // CO2 dissolved before injection per CO2 injected

bool is_hdf5_file(const std::string& path) { return path.ends_with(".h5") || path.ends_with(".hdf5"); }

/// What the source of a case says and a data set on `grid` cannot carry.
std::vector<std::string> source_notes(const OpenCase& opened, const StoredGrid& grid, bool states_flow) {
    const bool is_radial = opened.shape.geometry == Geometry::radial;
    std::vector<std::string> notes = opened.model->notes(is_radial, states_flow);
    const auto add = [&](const std::vector<std::string>& more) { notes.insert(notes.end(), more.begin(), more.end()); };
    add(effective_porosity(*opened.model, opened.shape).notes);
    add(opened.shape.notes);
    if (opened.shape.origin != grid.origin) {
        notes.push_back(fmt::format("the grid begins at {}: the place that the data set states, {}, is another case's",
                                    opened.shape.origin, grid.origin));
    }
    return notes;
}

double dissolved_before(const OpenCase& opened) {
    return dissolved_before_injection(*opened.model, opened.steps, opened.injection, opened.shape.ring_share);
}

class Import {
   public:
    explicit Import(const ImportOptions& options);
    ImportReport run();

   private:
    const std::optional<Dataset>& like() const { return opener_.like(); }
    void learn_frame(const OpenCase& opened);
    void check_times(const OpenCase& opened) const;
    bool is_scheduled() const;
    void require_schedule() const;
    DatasetContent frame() const;
    std::vector<std::string> array_list() const;
    void learn_texts(const OpenCase& opened);
    double dissolved_density(const OpenCase& opened) const { return has_dissolved_ ? opened.injection.density : 0.0; }
    CaseArrays arrays_of(const OpenCase& opened) const;
    std::vector<std::string> notes_of(const OpenCase& opened, const CaseArrays& arrays) const;
    bool is_stopped(std::string_view phase, std::size_t done) const {
        return options_.progress && options_.progress(phase, static_cast<std::int64_t>(done),
                                                      static_cast<std::int64_t>(options_.sources.size()));
    }

    const ImportOptions& options_;
    CaseOpener opener_;
    std::string first_;  // name of the case that set the frame
    StoredGrid grid_;
    FormationTop top_;
    std::vector<double> times_;
    bool has_outputs_ = false;
    bool has_dissolved_ = true;             // in all cases
    bool has_salinity_ = false;             // any case
    bool has_hysteresis_ = false;           // any case
    bool has_dissolution_limit_ = false;    // likewise
    std::vector<std::string> start_dates_;  // of the cases, at time 0
    std::vector<std::string> wells_;
    FlowOfCases flow_;
    RockOfCases rock_;
    std::vector<std::vector<std::vector<RatePeriod>>>
        periods_;                       // of the wells of the cases; empty of one that knows none
    std::vector<std::string> changes_;  // of the shares of wells, one for each case
    bool has_departures_ = false;       // of a rate that is not steady, in any case
    CaseArrays first_inputs_;           // tell which optional arrays there are
};

Import::Import(const ImportOptions& options) : options_(options), opener_(options) {}

/// The data set named by --like gives the grid, else the case with most rows; a radial case with fewer stands in its
/// upper rows.
void Import::learn_frame(const OpenCase& opened) {
    const std::string& name = opened.model->name();
    top_.add(opened.shape.top, name);
    if (first_.empty()) {
        first_ = name;
        grid_ = like() ? grid_of(*like()) : opened.shape;
        if (like()) {
            check_same(grid_, opened.shape, name, like()->path());
            grid_.origin = opened.shape.origin;
        }
        times_ = opened.steps.times;
        has_outputs_ = !opened.steps.snapshots.empty();
        first_inputs_ = case_inputs(*opened.model, opened.values, opened.steps, opened.injection, opened.shape, grid_);
        return;
    }
    if (has_outputs_ == opened.steps.snapshots.empty()) {
        throw InvalidData(name + ": " + (has_outputs_ ? "nothing was simulated, but in " : "was simulated, but not ") +
                          first_ + " (all cases of a data set have outputs, or none); import them apart");
    }
    check_times(opened);
    if (!like() && opened.shape.rows() > grid_.rows()) {
        check_same(opened.shape, grid_, name, first_);
        grid_ = opened.shape;
    } else {
        check_same(grid_, opened.shape, name, like() ? like()->path() : first_);
    }
}

void Import::check_times(const OpenCase& opened) const {
    const std::vector<double>& times = opened.steps.times;
    for (std::size_t i = 0; i < std::max(times.size(), times_.size()); ++i) {
        if (i >= times.size() || i >= times_.size() ||
            std::abs(times[i] - times_[i]) > snapshot_tolerance * times_[i]) {
            throw InvalidData(
                fmt::format("{}: {} snapshots, {} has {}, or other days from snapshot {} on (all cases of a data set "
                            "share their times); "
                            "choose common days by times, or import the cases apart",
                            opened.model->name(), times.size(), first_, times_.size(), i + 1));
        }
    }
}

/// Rates that change become a schedule where each case has the same number of wells, whose rates are known.
bool Import::is_scheduled() const {
    return has_departures_ && !options_.constant_rates && std::ranges::all_of(periods_, [this](const auto& wells) {
               return !wells.empty() && wells.size() == periods_.front().size();
           });
}

/// Wells whose shares change need a schedule.
void Import::require_schedule() const {
    const auto found = std::ranges::find_if(changes_, [](const std::string& text) { return !text.empty(); });
    if (found != changes_.end() && !is_scheduled()) {
        throw InvalidData(*found);
    }
}

DatasetContent Import::frame() const {
    DatasetContent content;
    const std::string program = "plumecast " + std::string(version());
    content.attributes = {
        {"title", options_.title.empty() ? "imported cases" : options_.title},
        {"source", "ECLIPSE or OPM files, read by " + program},
        {"history",
         fmt::format("{} import of {}", program, counted(static_cast<std::int64_t>(options_.sources.size()), "case"))}};
    if (!grid_.origin.empty()) {
        content.attributes["origin"] = grid_.origin;
    } else if (like()) {
        content.attributes.merge(attributes_of(like()->place()));
    }
    top_.put(content.attributes);
    for (const auto& [name, number] :
         {std::pair("rock_compressibility", rock_.compressibility()),
          std::pair("temperature_gradient", rock_.temperature_gradient(options_.sources))}) {
        if (number) {
            content.attributes[name] = fmt::format("{:.10g}", *number);
        }
    }
    if (like()) {
        const std::optional<double> depth = top_.differences().empty() ? like()->top_depth() : std::nullopt;
        content.attributes.merge(attributes_of(depth, like()->well_radius()));
    }
    content.r_edges = grid_.r_edges;
    content.x_edges = grid_.x_edges;
    content.y_edges = grid_.y_edges;
    content.z_edges = grid_.z_edges;
    content.times = times_;
    content.arrays = grid_.cells;
    content.arrays.merge(flow_.pairs());
    if (is_scheduled()) {
        content.schedule_ends = common_ends(periods_);
        content.wells = static_cast<std::int64_t>(periods_.front().size());
    }
    return content;
}

std::vector<std::string> Import::array_list() const {
    std::vector<std::string> names;
    for (const auto& [name, values] : first_inputs_) {
        if ((name != "salinity" || has_salinity_) && (name != "residual_gas_saturation" || has_hysteresis_) &&
            (name != "dissolution_rate_limit" || has_dissolution_limit_) && name != "pore_volume" &&
            (name != "saturation_region" || rock_.has_regions())) {
            names.push_back(name);
        }
    }
    if (rock_.has_pore_volumes()) {
        names.emplace_back("pore_volume");
    }
    if (is_scheduled()) {
        names.emplace_back("schedule_rate");
    }
    std::ranges::copy(flow_.array_names(), std::back_inserter(names));
    if (has_outputs_) {
        names.insert(names.end(), {"gas_saturation", "pressure_buildup"});
    }
    if (has_outputs_ && has_dissolved_) {
        names.emplace_back("dissolved_co2");
    }
    return names;
}

/// What is written of each case as text, and whether all cases have what only some runs tell.
void Import::learn_texts(const OpenCase& opened) {
    start_dates_.push_back(opened.steps.snapshots.empty() ? "" : date_of(*opened.model, opened.values.injection_start));
    wells_.push_back(opened.injection.wells);
    periods_.push_back(opened.injection.periods);
    changes_.push_back(opened.injection.changes);
    has_departures_ = has_departures_ || !opened.injection.departure.empty() || !opened.injection.changes.empty();
    has_hysteresis_ = has_hysteresis_ || opened.values.residual_gas_saturation.value_or(0.0) != 0.0;
    has_dissolution_limit_ = has_dissolution_limit_ || opened.values.dissolution_rate_limit.has_value();
    has_salinity_ = has_salinity_ || salinity_of_case(*opened.model, opened.values) != 0.0;
    rock_.add(opened);
    const auto inputs = [&] {
        return case_inputs(*opened.model, opened.values, opened.steps, opened.injection, opened.shape, grid_);
    };
    flow_.add(opened.model->name(), opened.flow, grid_, inputs);
    if (opened.shape.geometry == Geometry::cartesian) {
        flow_.add_wells(opened.model->well_connection_factors(), grid_, inputs);
    }
    bool has_dissolved = opened.injection.density > 0.0 && !(dissolved_before(opened) > tolerated_before);
    for (const std::size_t step : opened.steps.snapshots) {
        has_dissolved = has_dissolved && opened.model->tells_dissolved_gas(step).first;
    }
    has_dissolved_ = has_dissolved_ && has_dissolved;
}

CaseArrays Import::arrays_of(const OpenCase& opened) const {
    Injection injection = opened.injection;
    if (is_scheduled()) {
        injection.rate = mean_rate(injection.periods);
    }
    CaseArrays arrays = case_inputs(*opened.model, opened.values, opened.steps, injection, opened.shape, grid_);
    if (is_scheduled()) {
        const std::vector<double> ends = common_ends(periods_);
        std::vector<float>& rates = arrays["schedule_rate"];
        for (const std::vector<RatePeriod>& well : injection.periods) {
            const std::vector<float> of_well = rates_within(well, ends);
            rates.insert(rates.end(), of_well.begin(), of_well.end());
        }
    }
    if (flow_.is_stated()) {
        flow_.add_to(arrays, *opened.flow);
    }
    if (flow_.states_wells()) {
        FlowOfCases::add_wells_to(arrays, opened.model->well_connection_factors());
    }
    if (rock_.has_pore_volumes() && !arrays.contains("pore_volume")) {
        throw InvalidData(opened.model->name() +
                          ": its pore volumes are those of porosity and cells, those of other cases hold an aquifer "
                          "beside (the cases of a file have the same arrays); import them apart");
    }
    if (has_outputs_) {
        arrays.merge(case_outputs(*opened.model, opened.steps, dissolved_density(opened), opened.shape, grid_));
    }
    if (!opened.injection.mass.empty()) {
        arrays[std::string(injected_mass_name)].assign(opened.injection.mass.begin(), opened.injection.mass.end());
    }
    if (auto pressures = pressures_at(*opened.model, opened.values.injection_start, opened.steps.times);
        !pressures.empty()) {
        arrays["bottom_hole_pressure"] = std::move(pressures);
    }
    return arrays;
}

std::vector<std::string> Import::notes_of(const OpenCase& opened, const CaseArrays& arrays) const {
    std::vector<std::string> notes = opened.injection.notes;
    if (!opened.injection.departure.empty() && !is_scheduled()) {
        notes.insert(notes.begin(),
                     opened.injection.departure + "; choose injection_start and times within a steady injection");
    }
    if (opened.steps.snapshots.empty()) {
        return notes;
    }
    if (std::string departure = pressure_departure(*opened.model, opened.steps.initial, opened.shape, arrays);
        !departure.empty()) {
        notes.push_back(std::move(departure));
    }
    if (std::string change = temperature_change(*opened.model, opened.steps); !change.empty()) {
        notes.push_back(std::move(change));
    }
    const auto [tells, note] = opened.model->tells_dissolved_gas(opened.steps.snapshots.back());
    if (tells && dissolved_before(opened) > tolerated_before) {
        notes.push_back(fmt::format(
            "dissolved CO2 is left out, since the brine holds CO2 before injection (RS, RSW), {:.3g} times what is "
            "injected; begin the run without it (RSVD) where dissolved CO2 is wanted",
            dissolved_before(opened)));
    } else if (tells && !has_dissolved_) {
        notes.push_back(
            opened.injection.density > 0.0
                ? "dissolved CO2 is left out, since not all cases and times have it; import the others apart"
                : "dissolved CO2 (RS, RSW) is left out, since no mass of its volume is known; set "
                  "surface_density in kg/sm3");
    } else if (!note.empty()) {
        notes.push_back(note);
    }
    return notes;
}

ImportReport Import::run() {
    for (std::size_t i = 0; i < options_.sources.size(); ++i) {
        const OpenCase opened = opener_.open(options_.sources[i]);
        learn_frame(opened);
        learn_texts(opened);
        if (is_stopped("reading grids", i + 1)) {
            ImportReport stopped;
            stopped.is_complete = false;
            return stopped;
        }
    }
    require_schedule();
    const ImportPlan plan{frame(),
                          static_cast<std::int64_t>(options_.sources.size()),
                          array_list(),
                          {{"model", short_names(options_.sources)},
                           {"start_date", start_dates_},
                           {"wells", wells_},
                           {std::string(saturation_tables_name), rock_.tables()}}};
    std::vector<std::string> assumptions = top_.differences();
    std::ranges::copy(rock_.differences(options_.sources), std::back_inserter(assumptions));
    std::ranges::copy(flow_.left_out(), std::back_inserter(assumptions));
    std::vector<std::string> notes(options_.sources.size()), kept(notes.size());  // the file keeps assumptions too
    const auto read_case = [&](std::int64_t which) {
        const auto at = static_cast<std::size_t>(which);
        const OpenCase opened = opener_.open(options_.sources[at]);
        std::vector<std::string> all = source_notes(opened, grid_, flow_.is_stated());
        notes[at] = text_of_notes(all);
        CaseArrays arrays = arrays_of(opened);
        for (const std::string& note : notes_of(opened, arrays)) {
            assumptions.push_back(opened.model->name() + ": " + note);
            all.push_back(note);
        }
        kept[at] = text_of_notes(all);
        return arrays;
    };
    ImportReport report = import_cases(options_, plan, read_case, kept);
    report.assumptions = std::move(assumptions);
    report.notes = grouped_notes(notes);
    return report;
}

}  // namespace

ImportReport import_models(const ImportOptions& options) {
    if (!options.map.empty() && is_generic_map(options.map)) {
        return import_generic(options);
    }
    const bool has_tensors = std::ranges::any_of(options.sources, is_tensor_file);
    if (!options.map.empty() || std::ranges::any_of(options.sources, is_hdf5_file)) {
        return import_arrays(options);
    }
    if (has_tensors) {
        return import_tensors(options);
    }
    refuse_bare_arrays(options.sources);
    ImportOptions distinct = options;
    if (std::ranges::none_of(options.sources, is_grdecl)) {
        distinct.sources = eclipse::distinct_runs(options.sources);
    }
    return Import(distinct).run();
}

}  // namespace plumecast
