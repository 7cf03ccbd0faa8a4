#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/json.hpp>

/// Makes data sets of simulated cases: CO2 injection into a saline formation through one well in the axis of a cylinder
/// or through several wells in a box, run in OPM Flow.
namespace plumecast {

/// Closed interval a value is drawn from.
struct ValueRange {
    double low = 0.0;
    double high = 0.0;

    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// Closed interval a whole number is drawn from, all alike.
struct CountRange {
    int low = 1;
    int high = 1;

    friend bool operator==(const CountRange&, const CountRange&) = default;
};

/// Families of permeability fields.
enum class Medium { gaussian, von_karman, discontinuous, layered, homogeneous };
/// Their names in files, in the order of the enumeration.
inline constexpr std::array<std::string_view, 5> medium_names = {"gaussian", "von_karman", "discontinuous", "layered",
                                                                 "homogeneous"};

/// Cells of the simulation. Edges are those of the lattice's continuous map, so grids of any size share one reservoir.
struct GridSettings {
    int rows = 32;
    int columns = 64;
};

/// The cells on which the geology is drawn, and the reservoir's extent. The defaults are the published grid of Wen et
/// al. 2022: 96 x 200 cells, 200 m, 100 km.
struct LatticeSettings {
    int rows = 96;
    int columns = 200;
    double height = 200.0;           ///< [m]
    double well_radius = 0.1;        ///< [m]
    double first_width = 3.5938;     ///< width of the first column [m]
    double width_growth = 1.035012;  ///< width of a column over that of the one before
};

/// The way a fault goes: along x or along y.
enum class FaultAxis { x, y };
/// Their names in files, in the order of the enumeration.
inline constexpr std::array<std::string_view, 2> fault_axis_names = {"x", "y"};

/// An upright fault along the sides of cells of a box.
struct FaultSettings {
    FaultAxis along = FaultAxis::y;
    double at = 0.0;  ///< place across its way; it follows the sides of cells nearest to it [m]
    double displacement =
        0.0;  ///< by which the side beyond `at` lies deeper; at most, in the middle between two ends [m]
    /// Its ends [m], between which the throw follows half an ellipse; without them it crosses the box with one throw.
    std::optional<ValueRange> ends = {};
    ValueRange multiplier{1.0, 1.0};  ///< of the transmissibilities across it, log-uniform, of each case
};

/// A rise of the layers of a box: `height` exp(-(u / length)^2 - (v / width)^2), u along its axis and v across.
struct AnticlineSettings {
    double height = 0.0;     ///< [m]
    double x = 0.0;          ///< of its highest point [m]
    double y = 0.0;          ///< [m]
    double length = 0.0;     ///< [m]
    double width = 0.0;      ///< [m]
    double direction = 0.0;  ///< of its axis, from x towards y [degree]
};

/// How the layers of a box lie, in all cases alike; their thickness is the same everywhere and all pillars are upright.
struct TopographySettings {
    double dip = 0.0;            ///< [degree]
    double dip_direction = 0.0;  ///< in which layers go down, from x towards y [degree]
    std::vector<AnticlineSettings> anticlines = {};
    std::vector<FaultSettings> faults = {};
};

/// A box of equal cells, [Z, Y, X], that takes the place of the radial grid. The rock is drawn at the centres of its
/// cells.
struct BoxSettings {
    int rows = 8;
    int lines = 32;
    int columns = 32;
    double height = 120.0;      ///< [m]
    double length_y = 10000.0;  ///< [m]
    double length_x = 10000.0;  ///< [m]
    /// What the pore volume of the outermost cells is multiplied by in the simulation: they stand for the aquifer
    /// around.
    double aquifer = 1000.0;
    std::optional<TopographySettings> topography = {};  ///< of a corner-point grid; level layers without
};

/// Wells in a box, each at a place and of a rate of its own.
struct WellSettings {
    CountRange count{1, 3};
    double margin = 2000.0;          ///< between a well and the sides, at least [m]
    double least_distance = 1500.0;  ///< between two wells; one that finds no place is left out [m]
};

/// Times of the snapshots: steps of `first` days, each `growth` times the one before.
struct TimeSettings {
    int count = 24;
    double first = 1.0;  ///< [day]
    double growth = 1.421245;
};

/// How the rate changes in the course of injection.
enum class RateLaw { constant, ramp, steps, intermittent };
/// Their names in files, in the order of the enumeration.
inline constexpr std::array<std::string_view, 4> rate_law_names = {"constant", "ramp", "steps", "intermittent"};

/// Laws of rates that change, each well's by itself; all inject at one rate until the last time by default.
struct ScheduleSettings {
    std::array<double, 4> shares = {1.0, 0.0, 0.0, 0.0};  ///< of each law, in the order of RateLaw
    ValueRange ramp{1.0, 10.0};                           ///< until the whole rate is reached, uniform [year]
    ValueRange changes{0.5, 20.0};                        ///< of steps and intermittent rates per decade, log-uniform
    ValueRange stop{0.0, 0.0};                            ///< end of the injection, uniform [year]; 0 for none
    double period = 0.25;                                 ///< rates change at multiples of it [year]

    bool is_constant() const { return shares[1] + shares[2] + shares[3] == 0.0 && stop.high == 0.0; }
};

/// Laws of the values without axes, all uniform.
struct InputSettings {
    ValueRange injection_rate{0.2, 2.0};    ///< of each well [Mt/year]
    ValueRange initial_pressure{100, 300};  ///< at the top [bar]
    ValueRange temperature{35, 125};        ///< [degC]
    ValueRange irreducible_water_saturation{0.1, 0.3};
    ValueRange van_genuchten_lambda{0.3, 0.7};
    ValueRange thickness{12.5, 200.0};             ///< [m]
    ValueRange salinity{0.0, 0.0};                 ///< of the brine [kg NaCl per kg]; fresh water alone by default
    ValueRange residual_gas_saturation{0.0, 0.0};  ///< that brine traps at most (Land); no hysteresis by default
    /// Of the pressure in the well, per pressure of water (1000 kg/m3) at rest at the upper end of its
    /// perforation; no limit by default.
    ValueRange bottom_hole_pressure_limit{0.0, 0.0};
    ValueRange dissolution_rate_limit{0.0, 0.0};  ///< [kg/(m3 year)]; equilibrium by default
    double least_perforation = 12.5;              ///< the interval's length is uniform from this to the thickness [m]
    ScheduleSettings schedule;
};

/// Laws of the horizontal permeability.
struct PermeabilitySettings {
    /// Share of each medium, in the order of Medium.
    std::array<double, 5> shares = {0.30, 0.25, 0.20, 0.10, 0.15};
    ValueRange geometric_mean{5.0, 500.0};    ///< log-uniform [mD]
    ValueRange log_deviation{0.2, 2.0};       ///< standard deviation of the natural logarithm, uniform
    ValueRange correlation_z{2.1, 12.5};      ///< also of the thickness of layers, uniform [m]
    ValueRange correlation_r{208.0, 6250.0};  ///< log-uniform [m]
    ValueRange hurst{0.1, 0.5};               ///< exponent of a von Karman medium, uniform
    CountRange facies{2, 6};                  ///< of a discontinuous medium
    ValueRange limits{1e-3, 1e4};             ///< values are clipped to it [mD]
};

/// Vertical permeability: materials by class of horizontal permeability, each with its own ratio.
struct AnisotropySettings {
    CountRange materials{1, 6};
    ValueRange ratio{1.0, 150.0};  ///< horizontal over vertical permeability, uniform
};

/// Porosity from permeability (Pape et al. 1999) with normal noise.
struct PorositySettings {
    double noise = 0.005;  ///< standard deviation
    ValueRange limits{0.01, 0.45};
};

/// When a case is rejected.
struct CheckSettings {
    double estimated_buildup = 200.0;  ///< above it a case is not run [bar]
    double mass_error = 1e-3;          ///< CO2 in place against CO2 injected, at every snapshot
    double injection_error = 1e-2;     ///< CO2 injected against CO2 asked for, at every snapshot
    double supersaturation = 1.1;      ///< largest dissolved ratio without gas over that beside gas
};

/// The simulator.
struct SimulatorSettings {
    std::string program = "flow";     ///< looked up on PATH
    double time_limit = 3600.0;       ///< of one case [s]
    double step_after_change = 0.05;  ///< first time step after a change of a rate [day]; 0: the simulator's own
};

/// Everything that determines a generated data set: the content of a configuration file.
struct GeneratorConfiguration {
    std::string title = "Radial CO2 injection";  ///< of the data set
    std::uint64_t seed = 1;                      ///< with a case's number it determines everything that is drawn
    std::int64_t cases = 50;                     ///< of the data set; rejected ones are drawn in addition
    GridSettings grid;
    LatticeSettings lattice;
    std::optional<BoxSettings> box;  ///< instead of grid and lattice
    WellSettings wells;              ///< with a box
    TimeSettings times;
    InputSettings inputs;
    PermeabilitySettings permeability;
    AnisotropySettings anisotropy;
    PorositySettings porosity;
    CheckSettings checks;
    SimulatorSettings simulator;
    /// Bits of the mantissa that outputs keep, 1 to 23; fewer compress better. 12: a relative rounding of 1.2e-4.
    int output_bits = 12;

    /// Defaults for a box with several wells.
    static GeneratorConfiguration cartesian();
    /// Reads a configuration; entries left out take their defaults, with `box` those of cartesian(). Throws
    /// InvalidInput naming the entry, and for an unknown one the nearest that exists.
    static GeneratorConfiguration from_json(const Json& json, const std::string& origin);
    /// Reads a file. Throws IoError, InvalidInput.
    static GeneratorConfiguration from_file(const std::string& path);
    /// Every entry, in the order of the documentation.
    Json to_json() const;
    /// Throws InvalidInput naming the first entry that cannot be used.
    void check() const;
};

}  // namespace plumecast
