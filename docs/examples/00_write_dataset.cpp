// Writes a small data set file: eight homogeneous cases on 8 rows x 16 columns at 6 times.
//
//   example_00_write_dataset cases.h5
//
// Prints the file and what a check of it finds ("cases.h5: 8 cases, 0 violations").
// The fields come from a formula that stands in for a simulator, to have something small to learn from. They are no
// physics: put the arrays of a simulator in their place.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

namespace {

constexpr std::size_t cases = 8, rows = 8, columns = 16, times = 6;

/// Cell edges and times; radii grow by a constant factor from the well outwards.
void add_grid(plumecast::DatasetContent& content) {
    content.r_edges = {0.1};
    for (std::size_t i = 0; i < columns; ++i) {
        content.r_edges.push_back(10.0 * std::pow(1.5, static_cast<double>(i)));
    }
    for (std::size_t i = 0; i <= rows; ++i) {
        content.z_edges.push_back(5.0 * static_cast<double>(i));
    }
    content.times = {1.0, 10.0, 100.0, 500.0, 2000.0, 10950.0};
}

struct Cell {
    double depth, radius;  ///< of its centre [m]
    bool perforated;
};

/// Stand-in for a simulator: a cone of gas under the cap rock, pressure falling with the logarithm of the radius.
struct StandIn {
    double rate, permeability;

    double saturation(const Cell& cell, double day) const {
        const double reach = 25.0 * std::sqrt(rate * day) * (1.0 - cell.depth / 45.0);
        return cell.radius < reach ? 0.6 * (1.0 - cell.radius / reach) : 0.0;
    }
    double buildup(const Cell& cell, double day) const {
        const double reach = 400.0 * std::sqrt(day);
        return cell.radius < reach ? 400.0 * rate / permeability * std::log(reach / cell.radius) : 0.0;
    }
};

/// Appends one case: maps [Z, R] row by row, scalars, fields [T, Z, R]. Inactive cells hold 0 everywhere.
void add_case(plumecast::DatasetContent& content, std::size_t which) {
    auto& arrays = content.arrays;
    const auto number = static_cast<double>(which);
    const StandIn fields{0.4 + 0.2 * number, 40.0 + 15.0 * number};
    const std::size_t active_rows = which % 2 == 0 ? rows : rows - 2;
    const auto put = [&](const char* name, double value) { arrays[name].push_back(static_cast<float>(value)); };
    std::vector<Cell> cells;
    for (std::size_t z = 0; z < rows; ++z) {
        for (std::size_t r = 0; r < columns; ++r) {
            const double active = z < active_rows ? 1.0 : 0.0;
            cells.push_back({0.5 * (content.z_edges[z] + content.z_edges[z + 1]),
                             0.5 * (content.r_edges[r] + content.r_edges[r + 1]), z + 3 >= active_rows && r == 0});
            put("active", active);
            put("permeability_r", active * fields.permeability);
            put("permeability_z", active * 0.1 * fields.permeability);
            put("porosity", active * 0.2);
            put("perforation", active * (cells.back().perforated ? 1.0 : 0.0));
        }
    }
    put("injection_rate", fields.rate);
    put("initial_pressure", 150.0 + 10.0 * number);
    put("temperature", 45.0 + 5.0 * number);
    put("irreducible_water_saturation", 0.2);
    put("van_genuchten_lambda", 0.5);
    put("thickness", content.z_edges[active_rows]);
    for (const double day : content.times) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const double active = i / columns < active_rows ? 1.0 : 0.0;
            put("gas_saturation", active * fields.saturation(cells[i], day));
            put("pressure_buildup", active * fields.buildup(cells[i], day));
        }
    }
}

int write(const std::string& path) {
    plumecast::DatasetContent content;
    content.attributes = {{"title", "Cases of a formula"}, {"source", "docs/examples/00_write_dataset.cpp"}};
    add_grid(content);
    for (std::size_t i = 0; i < cases; ++i) {
        add_case(content, i);
    }
    plumecast::write_dataset(path, content);
    const auto violations = plumecast::validate(path);
    std::printf("%s: %zu cases, %zu violations\n", path.c_str(), cases, violations.size());
    for (const plumecast::Violation& violation : violations) {
        std::printf("  %s: %s; %s\n", violation.path.c_str(), violation.problem.c_str(), violation.remedy.c_str());
    }
    return violations.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s CASES.h5\n", argv[0]);
        return 2;
    }
    try {
        return write(argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
