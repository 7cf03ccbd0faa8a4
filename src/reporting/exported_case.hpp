#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/eclipse/output/pillar_grid.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_series.hpp"

namespace plumecast {

struct ExportOptions;

/// A case with everything that the writers of the formats need.
struct ExportedCase {
    const CaseReader& reader;
    const ExportOptions& options;
    CaseFields fields;
    std::vector<std::pair<std::string, std::vector<float>>> maps;  ///< inputs [cells] by name: porosity ...
    std::vector<NamedSeries> totals;
    eclipse::PillarGrid grid;
    std::chrono::sys_seconds start;  ///< moment of day 0
    std::size_t copies = 1;          ///< cells of the grid per cell of the file, side by side in j
    std::filesystem::path stem;      ///< FOLDER/NAME

    /// A cylinder, not a box.
    bool is_radial() const { return reader.dataset().geometry() == Geometry::radial; }
    /// Where a box lies on the map; nowhere for cells whose shape is not known.
    GridPlace place() const;
    /// Pressure [cells] [bar] at a time.
    std::vector<float> pressure(std::size_t time) const;
    /// The values [cells] of the file on the cells of the grid.
    template <class Value>
    std::vector<Value> on_grid(const std::vector<Value>& values) const {
        const std::size_t inner = values.size() / grid.nz;
        std::vector<Value> result;
        result.reserve(values.size() * copies);
        for (std::size_t row = 0; row < grid.nz; ++row) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * inner);
            for (std::size_t copy = 0; copy < copies; ++copy) {
                result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(inner));
            }
        }
        return result;
    }
    /// The same, active cells only.
    std::vector<float> on_active_grid(const std::vector<float>& values) const;
    /// Pore volumes [cells] [m3] of cells of the grid: those of the file's cells, shared out.
    std::vector<float> pore_volumes() const;
};

void export_eclipse(const ExportedCase& one);
void export_vtk(const ExportedCase& one);
void export_csv(const ExportedCase& one);
void export_xdmf(const ExportedCase& one);

}  // namespace plumecast
