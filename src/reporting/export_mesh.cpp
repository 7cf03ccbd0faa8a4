#include <fmt/format.h>

#include <plumecast/reporting/export.hpp>

#include "io/folders.hpp"
#include "reporting/exported_case.hpp"
#include "reservoir/mesh/vtk_files.hpp"
#include "reservoir/mesh/xdmf_file.hpp"

namespace plumecast {
namespace {

using NamedMaps = std::vector<std::pair<std::string, std::vector<float>>>;

std::vector<float> as_float(const std::vector<double>& values, double divisor) {
    std::vector<float> result;
    for (const double value : values) {
        result.push_back(static_cast<float>(value / divisor));
    }
    return result;
}

/// Maps [cells] that do not change, with the volumes of the cells that are written.
NamedMaps static_maps(const ExportedCase& one, std::size_t copies) {
    NamedMaps maps = one.maps;
    maps.emplace_back("cell_volume", as_float(one.fields.geometry.volumes, static_cast<double>(copies)));
    maps.emplace_back("pore_volume", as_float(one.fields.pore_volumes, static_cast<double>(copies)));
    return maps;
}

NamedMaps maps_at(const ExportedCase& one, std::size_t time) {
    NamedMaps maps;
    const CaseFields& fields = one.fields;
    if (!fields.gas_saturation.empty()) {
        const auto values = fields.at(fields.gas_saturation, time);
        maps.emplace_back("gas_saturation", std::vector<float>(values.begin(), values.end()));
    }
    if (!fields.pressure_buildup.empty()) {
        const auto values = fields.at(fields.pressure_buildup, time);
        maps.emplace_back("pressure_buildup", std::vector<float>(values.begin(), values.end()));
        maps.emplace_back("pressure", one.pressure(time));
    }
    if (!fields.dissolved_co2.empty()) {
        const auto values = fields.at(fields.dissolved_co2, time);
        maps.emplace_back("dissolved_co2", std::vector<float>(values.begin(), values.end()));
    }
    return maps;
}

std::vector<CellArray> arrays_of(const NamedMaps& maps, const NamedMaps& others) {
    std::vector<CellArray> arrays;
    for (const NamedMaps* group : {&maps, &others}) {
        for (const auto& [name, values] : *group) {
            arrays.push_back({name, values});
        }
    }
    return arrays;
}

/// A section in the plane of radius and depth; z grows upwards, so the rows are turned round.
class Section {
   public:
    explicit Section(const ExportedCase& one)
        : one_(one), columns_(one.fields.geometry.columns), maps_(flipped(static_maps(one, 1))) {
        const std::vector<double>& depths = one.fields.geometry.depths;
        for (auto depth = depths.rbegin(); depth != depths.rend(); ++depth) {
            z_.push_back(-(one.fields.top_depth + *depth));
        }
        const std::vector<float> active = flipped(one.fields.active);
        for (const float cell : active) {
            hidden_.push_back(cell == 0.0F ? 1 : 0);
        }
    }

    void write(const std::filesystem::path& path, std::size_t time) const {
        const NamedMaps now = flipped(maps_at(one_, time));
        write_vtr(path, one_.reader.dataset().r_edges(), z_, one_.reader.times()[time], arrays_of(now, maps_), hidden_);
    }

   private:
    std::vector<float> flipped(const std::vector<float>& values) const {
        std::vector<float> result;
        for (std::size_t row = values.size() / columns_; row-- > 0;) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * columns_);
            result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(columns_));
        }
        return result;
    }
    NamedMaps flipped(NamedMaps maps) const {
        for (auto& [name, values] : maps) {
            values = flipped(values);
        }
        return maps;
    }

    const ExportedCase& one_;
    std::size_t columns_;
    NamedMaps maps_;
    std::vector<double> z_;
    std::vector<std::uint8_t> hidden_;
};

/// The active cells in space.
class Solid {
   public:
    explicit Solid(const ExportedCase& one) : one_(one), maps_(shown(static_maps(one, one.copies))) {
        const std::vector<std::int32_t> active(one.fields.active.begin(), one.fields.active.end());
        mesh_ = hexahedra(one.grid, one.on_grid(active));
        put_on_map(mesh_, one.place());
    }

    void write(const std::filesystem::path& path, std::size_t time) const {
        const NamedMaps now = shown(maps_at(one_, time));
        write_vtu(path, mesh_, one_.reader.times()[time], arrays_of(now, maps_));
    }

   private:
    NamedMaps shown(NamedMaps maps) const {
        for (auto& [name, values] : maps) {
            values = one_.on_active_grid(values);
        }
        return maps;
    }

    const ExportedCase& one_;
    NamedMaps maps_;
    HexMesh mesh_;
};

template <class Shape>
void write_series(const ExportedCase& one, const Shape& shape, const char* extension) {
    const std::string name = one.stem.filename().string();
    // Not NAME alone: readers of summaries stumble over a folder of the name of a case.
    std::filesystem::path folder = one.stem;
    create_folders(folder += "_vtk");
    std::vector<std::pair<double, std::string>> steps;
    for (std::size_t time = 0; time < one.reader.times().size(); ++time) {
        const std::string file = fmt::format("{}_{:04d}.{}", name, time, extension);
        shape.write(folder / file, time);
        steps.emplace_back(one.reader.times()[time], name + "_vtk/" + file);
    }
    std::filesystem::path collection = one.stem;
    write_pvd(collection += ".pvd", steps);
}

}  // namespace

void export_vtk(const ExportedCase& one) {
    if (one.is_radial() && one.options.sectors == 1) {
        write_series(one, Section(one), "vtr");
    } else {
        write_series(one, Solid(one), "vtu");
    }
}

void export_xdmf(const ExportedCase& one) {
    // One sector, whose cells are those of the file in its order.
    std::vector<std::int32_t> wanted(one.grid.cells());
    const std::size_t inner = one.fields.geometry.columns;
    for (std::size_t cell = 0; cell < wanted.size(); ++cell) {
        wanted[cell] = cell / inner % one.copies == 0 ? 1 : 0;
    }
    HexMesh cells = hexahedra(one.grid, wanted);
    put_on_map(cells, one.place());
    std::filesystem::path mesh = one.stem;
    write_mesh(mesh += "_mesh.h5", cells, as_float(one.fields.geometry.volumes, 1.0));
    XdmfSeries series{one.reader.dataset().path(),
                      mesh,
                      cells.points.size() / 3,
                      cells.cells(),
                      static_cast<std::size_t>(one.fields.number),
                      one.reader.times(),
                      one.reader.dataset().outputs()};
    series.arrays.emplace_back("active");
    for (const auto& [name, values] : one.maps) {
        series.arrays.push_back(name);
    }
    std::filesystem::path path = one.stem;
    write_xdmf(path += ".xdmf", series);
}

}  // namespace plumecast
