#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/metrics/series_options.hpp>

namespace plumecast {

/// Ends between which a number may be chosen.
struct DesignRange {
    double low = 0.0;
    double high = 0.0;
};

/// A place on the map [m].
struct WellPlace {
    double x = 0.0;
    double y = 0.0;
};

/// What a figure of the report may reach at any time of the file.
struct StorageLimit {
    std::string figure;                   ///< a series of the report: "fracture_margin", "bottom_hole_pressure" ...
    std::optional<double> at_most = {};   ///< of its largest value over time, in its unit
    std::optional<double> at_least = {};  ///< of its least value over time
    /// That the figure may be wrong by, in its unit: the limit is kept by so much. Where it is left out, by the
    /// interval of a calibrated model.
    std::optional<double> margin = {};
    std::optional<double> probability = {};  ///< over the geologies; by default that of the configuration
    std::optional<double> front = {};  ///< of front_radius and front_area: build-up at the edge of the front [bar]
    std::string polygon = {};          ///< of CO2 inside and outside of an area: its file
    /// Of pressure_buildup and gas_saturation, whose largest value over the depth at a place counts, such as at a
    /// legacy well: its x and y on the map, or its distance from the well of rings [m].
    std::optional<double> x = {}, y = {}, r = {};

    /// The numbers of the place, x and y or r; none where it has none.
    std::vector<double> place() const;

    /// "plume_radius_0.01 at most 2000", "front_radius of 2 bar at most 5000".
    std::string name() const;
};

/// Everything that determines an optimization: the content of a configuration file (docs/optimize.md).
struct StorageConfig {
    std::string data;                 ///< data set of geologies, or of sites; its rates and outputs are not used
    std::vector<std::int64_t> cases;  ///< of it; all where none is named
    std::string model;                ///< bundle; by reduced physics alone where none is named
    int substeps = 2;                 ///< of the reduced physics alone
    std::string output = "optimum";   ///< folder
    DesignRange rate{0.0, 3.0};       ///< of injection in each period [Mt/year]
    std::vector<double> ends;         ///< of the periods [day]; one until the last time of the data where none is named
    /// Top of the perforated interval below that of the formation, and its length [m]; those of the data set otherwise.
    std::optional<DesignRange> top, length;
    /// Among which those of the wells of boxes are chosen; those of the data set where none is named.
    std::vector<WellPlace> well_places;
    double probability = 0.9;  ///< with which each limit holds over the geologies
    /// For which the most that can be stored is tabled.
    std::vector<double> probabilities = {0.5, 0.7, 0.8, 0.9, 0.95};
    FractureLimit fracture;             ///< of fracture_margin
    std::optional<double> top_depth;    ///< of the formations below the surface [m], as for a report
    std::optional<double> well_radius;  ///< [m], as for a report
    std::vector<StorageLimit> limits;
    int points = 64, polished = 3, evaluations = 80;  ///< as in DesignSearch
    double tolerance = 1e-3;                          ///< as in DesignSearch
    int threads = 0;                                  ///< that compute; 0 for all

    /// A configuration to begin with, which names the data set of the examples.
    static StorageConfig example();
    /// Entries left out take their defaults. Throws InvalidInput naming the entry, and for an unknown one the nearest
    /// that exists.
    static StorageConfig from_json(const Json& json, const std::string& origin);
    /// Reads a file. Throws IoError, InvalidInput.
    static StorageConfig from_file(const std::string& path);
    /// Every entry, in the order of the documentation.
    Json to_json() const;
    /// Sets an entry, "search.points=128". Throws InvalidInput.
    void set(const std::string& assignment);
    /// Throws InvalidInput naming the first entry that cannot be used, and limits that contradict each other.
    void check() const;

    /// The probability with which a limit is to hold.
    double probability_of(const StorageLimit& limit) const { return limit.probability.value_or(probability); }
    /// How the figures are measured where the front is that of a limit.
    SeriesOptions series_of(const std::optional<double>& front) const;
};

}  // namespace plumecast
