#include <cerrno>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/data/atomic_file.hpp>

#include "results/exported_case.hpp"

namespace plumecast {
namespace {

/// What a column of a table is called: name and unit.
std::string heading(const std::string& name, const std::string& unit) {
    return unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

std::string cells_table(const ExportedCase& one) {
    const Dataset& dataset = one.reader.dataset();
    const CellGeometry& geometry = one.reader.geometry();
    std::string text =
        "row,column,r_inner [m],r_outer [m],z_top [m],z_bottom [m],cell_volume [m3],pore_volume [m3],porosity,"
        "permeability_r [mD],permeability_z [mD]\n";
    for (std::size_t cell = 0; cell < geometry.cells(); ++cell) {
        if (one.fields.active[cell] == 0.0F) {
            continue;
        }
        const std::size_t row = cell / geometry.columns;
        const std::size_t column = cell % geometry.columns;
        fmt::format_to(std::back_inserter(text), "{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", row, column,
                       dataset.r_edges()[column], dataset.r_edges()[column + 1], geometry.depths[row],
                       geometry.depths[row + 1], geometry.volumes[cell], one.fields.pore_volumes[cell]);
        for (const auto& [name, values] : one.maps) {
            fmt::format_to(std::back_inserter(text), ",{:.7g}", values[cell]);
        }
        text += '\n';
    }
    return text;
}

/// Writes the fields time by time, so that only one time is in memory as text.
void write_fields(const ExportedCase& one, const std::filesystem::path& path) {
    const CaseFields& fields = one.fields;
    const std::size_t columns = one.reader.geometry().columns;
    AtomicFile target(path);
    std::ofstream file(target.path(), std::ios::binary | std::ios::trunc);
    std::string text = "time [day],row,column";
    for (const std::string& name : one.reader.dataset().outputs()) {
        text += "," + heading(name, name == "pressure_buildup" ? "bar" : "1");
    }
    text += '\n';
    for (std::size_t time = 0; time < one.reader.times().size(); ++time) {
        const std::string day = fmt::format("{:.9g}", one.reader.times()[time]);
        for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
            if (fields.active[cell] == 0.0F) {
                continue;
            }
            fmt::format_to(std::back_inserter(text), "{},{},{}", day, cell / columns, cell % columns);
            for (const std::string& name : one.reader.dataset().outputs()) {
                const auto& field = name == "gas_saturation" ? fields.gas_saturation : fields.pressure_buildup;
                fmt::format_to(std::back_inserter(text), ",{:.7g}", fields.at(field, time)[cell]);
            }
            text += '\n';
        }
        file << text;
        text.clear();
    }
    file.close();
    if (!file) {
        throw IoError(path.string() + ": the table was not written (the disk may be full); free space and try again");
    }
    target.commit();
}

std::string totals_table(const ExportedCase& one) {
    std::string text = "time [day]";
    for (const NamedSeries& series : one.totals) {
        text += "," + heading(series.name, series.unit);
    }
    text += '\n';
    for (std::size_t time = 0; time < one.reader.times().size(); ++time) {
        fmt::format_to(std::back_inserter(text), "{:.9g}", one.reader.times()[time]);
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
