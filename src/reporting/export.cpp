#include <plumecast/reporting/export.hpp>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/machine/in_parallel.hpp"
#include "core/machine/threads.hpp"
#include "io/output_folder.hpp"
#include "reporting/exported_case.hpp"
#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/dataset/cases/start_dates.hpp"

namespace plumecast {
namespace {

std::vector<std::pair<std::string, std::vector<float>>> read_maps(const CaseReader& reader, std::int64_t number) {
    std::vector<std::pair<std::string, std::vector<float>>> maps;
    for (const char* name : {"porosity", "permeability_r", "permeability_x", "permeability_y", "permeability_z"}) {
        if (find_array(name, reader.dataset().geometry()) != nullptr) {
            std::vector<float> values(static_cast<std::size_t>(reader.dataset().cells()));
            const std::int64_t cases[] = {number};
            reader.dataset().read_map(name, cases, values);
            maps.emplace_back(name, std::move(values));
        }
    }
    return maps;
}

/// The points that tell where a box lies; far apart, since single precision holds coordinates of a map to half a metre.
std::array<double, 6> map_axes_of(const GridPlace& place) {
    constexpr double far = 1e5;
    const auto y = place.on_map(0.0, far), zero = place.on_map(0.0, 0.0), x = place.on_map(far, 0.0);
    return {y[0], y[1], zero[0], zero[1], x[0], x[1]};
}

/// The corner points that a data set states, or the box of its edges.
eclipse::PillarGrid cells_of(const Dataset& dataset, double top_depth) {
    const std::vector<float>&pillars = dataset.cell_values("pillars"), &depths = dataset.cell_values("corner_depths");
    if (pillars.empty()) {
        return eclipse::box_grid(dataset.x_edges(), dataset.y_edges(), dataset.z_edges(), top_depth);
    }
    eclipse::PillarGrid grid{dataset.x_edges().size() - 1, dataset.y_edges().size() - 1, dataset.z_edges().size() - 1,
                             pillars, depths};
    const auto top = static_cast<float>(top_depth);
    for (std::size_t depth = 2; depth < grid.coord.size(); depth += 3) {
        grid.coord[depth] += top;
    }
    for (float& depth : grid.zcorn) {
        depth += top;
    }
    return grid;
}

ExportedCase read_case(const CaseReader& reader, const ExportOptions& options, std::int64_t number,
                       std::chrono::sys_seconds start, const std::filesystem::path& stem) {
    const Dataset& dataset = reader.dataset();
    ExportedCase one{reader, options, reader.read(number), read_maps(reader, number), {}, {}, start, 1, stem};
    SeriesOptions series;
    series.thresholds = {plume_threshold};
    one.totals = case_series(one.fields, reader.times(), series);
    if (one.is_radial()) {
        one.copies = options.sectors;
        one.grid = eclipse::cylinder_grid(dataset.r_edges(), dataset.z_edges(), options.sectors, one.fields.top_depth);
    } else {
        one.grid = cells_of(dataset, one.fields.top_depth);
        if (const GridPlace place = one.place(); place != GridPlace()) {
            one.grid.map_axes = map_axes_of(place);
        }
    }
    return one;
}

void write(const ExportedCase& one) {
    for (const ExportFormat format : one.options.formats) {
        switch (format) {
            case ExportFormat::eclipse:
                export_eclipse(one);
                break;
            case ExportFormat::vtk:
                export_vtk(one);
                break;
            case ExportFormat::xdmf:
                export_xdmf(one);
                break;
            case ExportFormat::csv:
                export_csv(one);
                break;
        }
    }
}

/// More than cores, since threads wait for the disk, which takes the files of several cases in one go.
std::size_t default_jobs() {
    constexpr std::size_t per_core = 4;
    constexpr std::size_t most = 32;
    return std::clamp(per_core * std::thread::hardware_concurrency(), per_core, most);
}

std::string stem_of(const ExportOptions& options, const std::vector<std::int64_t>& cases, std::int64_t number) {
    return cases.size() == 1 ? options.name : fmt::format("{}_{:04d}", options.name, number);
}

void require_name(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.')) {
        throw InvalidInput(
            "ExportOptions::name '" + name +
            "' names no file (the files of a case are NAME.EGRID and the like, in the folder of the export); "
            "leave out folders and dots at the start");
    }
}

/// Whether an export in this format writes a file, by its path from the folder, of a case whose files begin with
/// `stem`.
bool is_written(ExportFormat format, const std::filesystem::path& relative, const std::string& stem) {
    const std::string name = relative.string(), ending = relative.extension().string();
    switch (format) {
        case ExportFormat::eclipse:  // ends in capitals
            return ending.size() > 1 && ending[1] >= 'A' && ending[1] <= 'Z' && relative.stem().string() == stem;
        case ExportFormat::vtk:
            return name == stem + ".pvd" ||
                   (name.starts_with(stem + "_vtk/" + stem + "_") && (ending == ".vtr" || ending == ".vtu"));
        case ExportFormat::xdmf:
            return name == stem + ".xdmf" || name == stem + "_mesh.h5";
        default:
            return name == stem + "_cells.csv" || name == stem + "_fields.csv" || name == stem + "_totals.csv";
    }
}

/// Files of these cases in the formats that are wanted.
OutputFolder::Claim claim_of(const ExportOptions& options, const std::vector<std::int64_t>& cases) {
    std::set<std::string> stems;
    for (const std::int64_t number : cases) {
        stems.insert(stem_of(options, cases, number));
    }
    return [formats = options.formats, stems](const std::filesystem::path& relative) {
        return std::ranges::any_of(formats, [&](ExportFormat format) {
            return std::ranges::any_of(stems,
                                       [&](const std::string& stem) { return is_written(format, relative, stem); });
        });
    };
}

/// Which depth of the top of the formation the files have, and where it comes from.
std::string depth_message(const CaseReader& reader, const ExportOptions& options,
                          const std::vector<std::int64_t>& cases) {
    const std::string start = "depth of the top of the formation: ";
    if (const auto known = options.top_depth ? options.top_depth : reader.dataset().top_depth()) {
        return start + fmt::format("{:.6g} m, as {}", *known, options.top_depth ? "given" : "the file states it");
    }
    const double first = case_inputs(reader.dataset(), cases.front()).top_depth;
    return start + fmt::format(
                       "{:.6g} m in case {}, computed: where fresh water at rest has the initial pressure, since the "
                       "file states no depth; if that is not the depth of your formation, give it",
                       first, cases.front());
}

/// Cases side by side, each by one thread; how many were written.
std::int64_t write_cases(const CaseReader& reader, const ExportOptions& options, const std::vector<std::int64_t>& cases,
                         const ExportProgress& progress) {
    const std::vector<StartDate> starts = start_dates(reader.dataset().path(), reader.dataset().cases());
    std::mutex telling;
    std::int64_t done = 0;
    in_parallel(cases.size(), options.jobs == 0 ? default_jobs() : options.jobs, [&](std::size_t i) {
        const std::int64_t number = cases[i];
        write(read_case(reader, options, number, start_of(options.start, starts, number),
                        options.folder / stem_of(options, cases, number)));
        const std::lock_guard guard(telling);
        ++done;
        return !progress || progress(done, static_cast<std::int64_t>(cases.size()));
    });
    return done;
}

}  // namespace

GridPlace ExportedCase::place() const {
    const Dataset& dataset = reader.dataset();
    const bool has_shapes = dataset.cell_values("cell_volume").empty() || !dataset.cell_values("pillars").empty();
    return has_shapes ? dataset.place() : GridPlace();
}

std::vector<float> ExportedCase::pressure(std::size_t time) const {
    std::vector<float> values(fields.active.size(), 0.0F);
    const auto buildup = fields.at(fields.pressure_buildup, time);
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        const double initial = fields.initial_pressures[cell];
        values[cell] = fields.active[cell] != 0.0F ? static_cast<float>(initial) + buildup[cell] : 0.0F;
    }
    return values;
}

std::vector<float> ExportedCase::on_active_grid(const std::vector<float>& values) const {
    const std::size_t inner = values.size() / grid.nz;
    std::vector<float> result;
    result.reserve(values.size() * copies);
    std::vector<float> row;
    for (std::size_t begin = 0; begin < values.size(); begin += inner) {
        row.clear();
        for (std::size_t cell = begin; cell < begin + inner; ++cell) {
            if (fields.active[cell] != 0.0F) {
                row.push_back(values[cell]);
            }
        }
        for (std::size_t copy = 0; copy < copies; ++copy) {
            result.insert(result.end(), row.begin(), row.end());
        }
    }
    return result;
}

std::vector<float> ExportedCase::pore_volumes() const {
    std::vector<float> values;
    std::ranges::transform(fields.pore_volumes, std::back_inserter(values),
                           [this](double volume) { return static_cast<float>(volume / static_cast<double>(copies)); });
    return values;
}

std::int64_t export_fields(const std::string& path, const ExportOptions& options, const ExportProgress& progress) {
    const CaseReader reader(path, {.top_depth = options.top_depth});
    const ChosenCases chosen = reader.choose(options.cases);
    const std::vector<std::int64_t>& cases = chosen.numbers;
    for (const std::int64_t number : chosen.without_values) {
        if (options.without_values) {
            options.without_values(number);
        }
    }
    require_name(options.name);
    OutputFolder folder(options.folder, path, claim_of(options, cases), options.is_forced);
    if (options.log) {
        options.log(Severity::info, depth_message(reader, options, cases));
    }
    const bool is_drawn = reader.dataset().geometry() == Geometry::cartesian && !is_box(reader.dataset()) &&
                          reader.dataset().cell_values("pillars").empty();
    if (options.log && is_drawn) {
        options.log(
            Severity::warning,
            "cells are drawn as those of the box that resembles their grid: the file states volumes and centres "
            "of its corner-point grid, but no corners (/grid/pillars, corner_depths); import the run again to "
            "have them");
    }
    folder.begin();
    const std::int64_t done = write_cases(reader, options, cases, progress);
    folder.finish(OutputFolder::Former::keep);
    return done;
}

}  // namespace plumecast
