#include <plumecast/results/export.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <plumecast/data/schema.hpp>

#include "results/exported_case.hpp"

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

ExportedCase read_case(const CaseReader& reader, const ExportOptions& options, std::int64_t number,
                       const std::filesystem::path& stem) {
    const Dataset& dataset = reader.dataset();
    ExportedCase one{reader, options, reader.read(number), read_maps(reader, number), {}, {}, 1, stem};
    SeriesOptions series;
    series.thresholds = {plume_threshold};
    one.totals = case_series(one.fields, reader.times(), series);
    if (one.is_radial()) {
        one.copies = options.sectors;
        one.grid = eclipse::cylinder_grid(dataset.r_edges(), dataset.z_edges(), options.sectors, one.fields.top_depth);
    } else {
        one.grid = eclipse::box_grid(dataset.x_edges(), dataset.y_edges(), dataset.z_edges(), one.fields.top_depth);
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

}  // namespace

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
    for (std::size_t row = 0; row < grid.nz; ++row) {
        for (std::size_t copy = 0; copy < copies; ++copy) {
            for (std::size_t cell = row * inner; cell < (row + 1) * inner; ++cell) {
                if (fields.active[cell] != 0.0F) {
                    result.push_back(values[cell]);
                }
            }
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
    const CaseReader reader(path, options.top_depth);
    const std::vector<std::int64_t> cases = reader.select(options.cases);
    std::filesystem::create_directories(options.folder);
    std::int64_t done = 0;
    for (const std::int64_t number : cases) {
        const std::string name = cases.size() == 1 ? options.name : fmt::format("{}_{:04d}", options.name, number);
        write(read_case(reader, options, number, options.folder / name));
        ++done;
        if (progress && !progress(done, static_cast<std::int64_t>(cases.size()))) {
            break;
        }
    }
    return done;
}

}  // namespace plumecast
