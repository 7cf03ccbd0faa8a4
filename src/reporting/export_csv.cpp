#include <cerrno>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "io/atomic_file.hpp"
#include "reporting/exported_case.hpp"
#include "reservoir/dataset/cases/start_dates.hpp"

namespace plumecast {
namespace {

/// What a column of a table is called: name and unit.
std::string heading(const std::string& name, const std::string& unit) {
    return unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

/// Names of the indices of a cell, and the indices themselves: row and column, or row, line and column of a box.
std::string index_names(const ExportedCase& one) { return one.is_radial() ? "row,column" : "row,line,column"; }

std::string index_text(const ExportedCase& one, std::size_t cell) {
    const std::size_t map_cells = one.fields.geometry.columns;
    const auto columns = static_cast<std::size_t>(one.reader.dataset().columns());
    if (one.is_radial()) {
        return fmt::format("{},{}", cell / map_cells, cell % map_cells);
    }
    return fmt::format("{},{},{}", cell / map_cells, cell % map_cells / columns, cell % columns);
}

/// Centre of a cell of a corner-point grid, as the file states it [m].
std::string centre_text(const ExportedCase& one, std::size_t cell) {
    const Dataset& dataset = one.reader.dataset();
    return fmt::format("{:.9g},{:.9g},{:.9g}", dataset.cell_values("cell_centre_x")[cell],
                       dataset.cell_values("cell_centre_y")[cell], dataset.cell_values("cell_centre_z")[cell]);
}

bool has_corner_points(const ExportedCase& one) { return !one.reader.dataset().cell_values("pillars").empty(); }

std::string edge_names(const ExportedCase& one) {
    if (has_corner_points(one)) {
        return "x_centre [m],y_centre [m],z_centre [m]";
    }
    return std::string(one.is_radial() ? "r_inner [m],r_outer [m]" : "x_low [m],x_high [m],y_low [m],y_high [m]") +
           ",z_top [m],z_bottom [m]";
}

std::string edge_text(const ExportedCase& one, std::size_t cell) {
    if (has_corner_points(one)) {
        return centre_text(one, cell);
    }
    const Dataset& dataset = one.reader.dataset();
    const auto columns = static_cast<std::size_t>(dataset.columns());
    const std::size_t column = cell % columns;
    const std::size_t row = cell / one.fields.geometry.columns;
    std::string text = fmt::format("{:.9g},{:.9g}", dataset.last_edges()[column], dataset.last_edges()[column + 1]);
    if (!one.is_radial()) {
        const std::size_t line = cell % one.fields.geometry.columns / columns;
        text += fmt::format(",{:.9g},{:.9g}", dataset.y_edges()[line], dataset.y_edges()[line + 1]);
    }
    return text + fmt::format(",{:.9g},{:.9g}", dataset.z_edges()[row], dataset.z_edges()[row + 1]);
}

std::string cells_table(const ExportedCase& one) {
    std::string text = index_names(one) + "," + edge_names(one) + ",cell_volume [m3],pore_volume [m3]";
    for (const auto& [name, values] : one.maps) {
        text += "," + heading(name, name == "porosity" ? "1" : "mD");
    }
    text += '\n';
    for (std::size_t cell = 0; cell < one.fields.active.size(); ++cell) {
        if (one.fields.active[cell] == 0.0F) {
            continue;
        }
        fmt::format_to(std::back_inserter(text), "{},{},{:.9g},{:.9g}", index_text(one, cell), edge_text(one, cell),
                       one.fields.geometry.volumes[cell], one.fields.pore_volumes[cell]);
        for (const auto& [name, values] : one.maps) {
            fmt::format_to(std::back_inserter(text), ",{:.7g}", values[cell]);
        }
        text += '\n';
    }
    return text;
}

/// The outputs of the file, in their order, each [T, cells].
std::vector<std::vector<float>> outputs_of(const ExportedCase& one) {
    const Dataset& dataset = one.reader.dataset();
    std::vector<std::vector<float>> all;
    for (const std::string& name : dataset.outputs()) {
        all.emplace_back(dataset.times().size() * one.fields.active.size());
        dataset.read_output(name, {&one.fields.number, 1}, all.back());
    }
    return all;
}

/// Writes the fields time by time, so that only one time is in memory as text.
void write_fields(const ExportedCase& one, const std::filesystem::path& path) {
    const CaseFields& fields = one.fields;
    const std::vector<std::vector<float>> outputs = outputs_of(one);
    AtomicFile target(path);
    std::ofstream file(target.path(), std::ios::binary | std::ios::trunc);
    std::string text = "time [day]," + index_names(one);
    for (const std::string& name : one.reader.dataset().outputs()) {
        text += "," + heading(name, find_array(name)->unit);
    }
    text += '\n';
    for (std::size_t time = 0; time < one.reader.times().size(); ++time) {
        const std::string day = fmt::format("{:.9g}", one.reader.times()[time]);
        for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
            if (fields.active[cell] == 0.0F) {
                continue;
            }
            fmt::format_to(std::back_inserter(text), "{},{}", day, index_text(one, cell));
            for (const std::vector<float>& output : outputs) {
                fmt::format_to(std::back_inserter(text), ",{:.7g}", fields.at(output, time)[cell]);
            }
            text += '\n';
        }
        file << text;
        text.clear();
    }
    file.close();
    if (!file) {
        throw IoError(path.string() +
                      ": the table was not written (the disk may be full); free space or choose another folder");
    }
    target.commit();
}

std::string totals_table(const ExportedCase& one) {
    std::string text = "time [day],DATE";
    for (const NamedSeries& series : one.totals) {
        text += "," + heading(series.name, series.unit);
    }
    text += '\n';
    for (std::size_t time = 0; time < one.reader.times().size(); ++time) {
        const double day = one.reader.times()[time];
        fmt::format_to(std::back_inserter(text), "{:.9g},{}", day, date_text(days_after(one.start, day)));
        for (const NamedSeries& series : one.totals) {
            fmt::format_to(std::back_inserter(text), ",{:.9g}", series.values[time]);
        }
        text += '\n';
    }
    return text;
}

std::filesystem::path beside(const ExportedCase& one, const char* end) {
    std::filesystem::path path = one.stem;
    return path += end;
}

}  // namespace

void export_csv(const ExportedCase& one) {
    write_text_atomically(beside(one, "_cells.csv"), cells_table(one));
    write_fields(one, beside(one, "_fields.csv"));
    write_text_atomically(beside(one, "_totals.csv"), totals_table(one));
}

}  // namespace plumecast
