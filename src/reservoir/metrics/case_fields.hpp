#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>
#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/metrics/case_well.hpp"
#include "reservoir/metrics/cell_geometry.hpp"
#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast {

/// Where the depth of the top of the formation comes from.
enum class DepthSource {
    given,         ///< the caller states it
    data_set,      ///< the data set states it
    water_at_rest  ///< computed: where fresh water at rest has the initial pressure
};

/// "given", "data set", "water at rest".
std::string name_of(DepthSource source);

/// What measuring needs beside a data set.
struct MeasuringOptions {
    std::optional<double> top_depth = {};  ///< of all cases [m]; by default what the data set states, else computed
    /// [m], of grids whose first edge is not the wall of the well; by default what the data set states, else 0.1
    std::optional<double> well_radius = {};
    std::optional<MapPolygon> polygon = {};  ///< of which CO2 inside and outside is measured
};

/// One case of a data set or result file in memory, with what follows from its inputs.
struct CaseFields {
    std::int64_t number = 0;                    ///< position in the file
    CellGeometry geometry;                      ///< its distances count from the wells of the case
    std::vector<float> active;                  ///< [cells] 0 or 1
    std::vector<float> porosity;                ///< [cells]
    std::vector<float> gas_saturation;          ///< [T, cells]; empty when the file has none
    std::vector<float> pressure_buildup;        ///< [T, cells] [bar]; empty when the file has none
    std::vector<float> dissolved_co2;           ///< [T, cells] [kg per m3 of pore volume]; empty when the file has none
    std::vector<float> trapped_gas_saturation;  ///< [T, cells]; empty when the file has none
    LandTrapping trapping;                      ///< of gas by brine, as far as the inputs tell; without tables
    std::vector<double> pore_volumes;           ///< [cells] [m3], 0 in inactive cells
    std::vector<double> inside;                 ///< [columns] share within the polygon; empty without one
    std::vector<double> initial_pressures;      ///< [cells] [bar] at the centres, water at rest
    double injection_rate = 0.0;                ///< [Mt/year]
    InjectionSchedule schedule;                 ///< of the rates; no periods when the rate holds at all times
    std::vector<double> injected_mass;          ///< until each time [T] [Mt], where a simulator counted it; else empty
    /// Of the pressure in the well at its uppermost connection [bar]; infinite without one
    double bottom_hole_pressure_limit = std::numeric_limits<double>::infinity();
    /// Of the CO2 dissolved in a volume of brine [kg/(m3 year)]; infinite without one.
    double dissolution_rate_limit = std::numeric_limits<double>::infinity();
    double temperature = 0.0;                               ///< [degC]
    std::vector<double> temperatures;                       ///< [cells] [degC] where it grows with depth; else empty
    double salinity = 0.0;                                  ///< of the brine [kg/kg]
    double top_depth = 0.0;                                 ///< depth of the top of the formation below the surface [m]
    DepthSource depth_source = DepthSource::water_at_rest;  ///< where that depth comes from
    double initial_pressure = 0.0;                          ///< at the top of the formation [bar]
    std::vector<CaseWell> wells;                            ///< of CaseReader; none where nothing is perforated
    WellFluids well_fluids;                                 ///< what flows from the wells into the rock
    std::vector<std::vector<SaturationRow>> tables;         ///< of saturation regions; empty without
    std::vector<std::size_t> regions;  ///< [cells] table of each, from 1; 0 if inactive; empty without tables
    std::vector<LandTrapping> trapping_of_tables;  ///< of gas by brine, by the critical saturations of the tables

    bool is_scheduled = false;  ///< of a data set with a schedule, also where the rate of this case is constant
    /// Rate [Mt/year] on a day, and CO2 injected until it [Mt], after the schedule or at the constant rate.
    double rate(double day) const;
    double injected(double day) const;
    /// Temperature of a cell [degC].
    double temperature_in(std::size_t cell) const { return temperatures.empty() ? temperature : temperatures[cell]; }
    /// Trapping of gas by brine in a cell.
    const LandTrapping& trapping_in(std::size_t cell) const {
        return regions.empty() || regions[cell] == 0 ? trapping : trapping_of_tables[regions[cell] - 1];
    }
    /// Values [cells] of a field at a time.
    std::span<const float> at(const std::vector<float>& field, std::size_t time) const {
        return std::span(field).subspan(time * active.size(), active.size());
    }
};

/// What follows from the inputs of a case; its fields are empty. Throws InvalidData when a porosity of an active cell
/// is not finite, IoError, and InvalidInput for a case that does not exist.
CaseFields case_inputs(const Dataset& dataset, std::int64_t number, const MeasuringOptions& options = {});
/// The same with its wells and what flows from them.
CaseFields case_with_wells(const Dataset& dataset, std::int64_t number, const MeasuringOptions& options = {});

/// Adds the wells of a case, and the radius of which bottom-hole pressures follow from: by default what the data set
/// states. Throws InvalidData, IoError.
void add_wells(const Dataset& dataset, std::optional<double> radius, CaseFields& fields);

/// Cases of a file that are to be measured.
struct ChosenCases {
    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> without_values;  ///< left out: those that the run could not compute
};

/// Reads the cases of a data set one by one; memory is that of one case.
class CaseReader {
   public:
    /// Throws IoError, or InvalidData when the file is no data set or holds no outputs.
    explicit CaseReader(const std::string& path, const MeasuringOptions& options = {});
    /// The same of an open data set, such as one in memory.
    explicit CaseReader(Dataset dataset, const MeasuringOptions& options = {});

    const Dataset& dataset() const { return dataset_; }
    const std::vector<double>& times() const { return dataset_.times(); }
    bool has(const std::string& output) const;

    /// The cases asked for, each once, or all when none are. Throws InvalidInput for one that does not exist.
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
    MeasuringOptions options_;
    std::vector<float> injected_mass_;  // [N, T], or empty
    std::vector<double> inside_;        // [columns] share within the polygon, or empty
};

}  // namespace plumecast
