#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

/// Content of a data set file in memory.
struct DatasetContent {
    FileAttributes attributes;
    /// [R+1] [m], [Z+1] [m], [T] [day]
    std::vector<double> r_edges;
    std::vector<double> z_edges;
    std::vector<double> times;
    /// Maps [N, Z, R], scalars [N] and outputs [N, T, Z, R] by name, in the units of the format. With a Cartesian grid
    /// [Z, Y, X] takes the place of [Z, R], and there are arrays of cells [Z, Y, X] and of connections [K], [N, K].
    std::map<std::string, std::vector<float>> arrays;
    /// Of a Cartesian grid, instead of r_edges: [X+1] and [Y+1] [m].
    std::vector<double> x_edges = {};
    std::vector<double> y_edges = {};

    /// [P] [day] of the periods of "schedule_rate" [N, W, P] among the arrays; empty without a schedule.
    std::vector<double> schedule_ends = {};
    std::int64_t wells = 1;  ///< W
    /// What is said of the cases in words, [N] by the path of the array: "/case/start_date".
    std::map<std::string, std::vector<std::string>> texts = {};

    Geometry geometry() const { return x_edges.empty() ? Geometry::radial : Geometry::cartesian; }
};

}  // namespace plumecast
