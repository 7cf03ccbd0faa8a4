#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/cell_geometry.hpp>

namespace plumecast {

/// One case of a data set or result file in memory, with what follows from its inputs.
struct CaseFields {
    std::int64_t number = 0;                ///< position in the file
    CellGeometry geometry;                  ///< its distances count from the wells of the case
    std::vector<float> active;              ///< [cells] 0 or 1
    std::vector<float> porosity;            ///< [cells]
    std::vector<float> gas_saturation;      ///< [T, cells]; empty when the file has none
    std::vector<float> pressure_buildup;    ///< [T, cells] [bar]; empty when the file has none
    std::vector<float> dissolved_co2;       ///< [T, cells] [kg per m3 of pore volume]; empty when the file has none
    std::vector<double> pore_volumes;       ///< [cells] [m3], 0 in inactive cells
    std::vector<double> initial_pressures;  ///< [cells] [bar] at the centres, water at rest
    double injection_rate = 0.0;            ///< [Mt/year]
    std::vector<double> injected_mass;      ///< until each time [T] [Mt]; empty when the rate holds at all times
    double temperature = 0.0;               ///< [degC]
    double top_depth = 0.0;                 ///< depth of the top of the formation below the surface [m]

    /// Values [cells] of a field at a time.
    std::span<const float> at(const std::vector<float>& field, std::size_t time) const {
        return std::span(field).subspan(time * active.size(), active.size());
    }
};

/// What follows from the inputs of a case; its fields are empty. `top_depth` [m] as of CaseReader. Throws InvalidData
/// when a porosity of an active cell is not finite, IoError, and InvalidInput for a case that does not exist.
CaseFields case_inputs(const Dataset& dataset, std::int64_t number, std::optional<double> top_depth = {});

/// Cases of a file that are to be measured.
struct ChosenCases {
    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> without_values;  ///< left out: those that the run could not compute
};

/// Reads the cases of a data set one by one; memory is that of one case.
class CaseReader {
   public:
    /// `top_depth` [m] of all cases; without it the depth at which water at rest has the initial pressure of the case.
    /// Throws IoError, or InvalidData when the file is no data set or holds no outputs.
    explicit CaseReader(const std::string& path, std::optional<double> top_depth = {});
    /// The same of an open data set, such as one in memory.
    explicit CaseReader(Dataset dataset, std::optional<double> top_depth = {});

    const Dataset& dataset() const { return dataset_; }
    const std::vector<double>& times() const { return dataset_.times(); }
    bool has(const std::string& output) const;

    /// The cases asked for, or all when none are. Throws InvalidInput for one that does not exist.
    std::vector<std::int64_t> select(const std::vector<std::int64_t>& wanted) const;
    /// The same, less those without values where all are asked for. Throws InvalidData where a case that is asked for,
    /// or every one, has none.
    ChosenCases choose(const std::vector<std::int64_t>& wanted) const;
    /// Reads a case. Throws InvalidData naming file, case and array when a value in an active cell is not finite, and
    /// InvalidInput for a case that does not exist.
    CaseFields read(std::int64_t number) const;

   private:
    bool has_values(std::int64_t number) const;
    std::vector<float> read_field(const std::string& name, const CaseFields& fields) const;

    Dataset dataset_;
    std::optional<double> top_depth_;
    std::vector<float> injected_mass_;  // [N, T], or empty
};

}  // namespace plumecast
