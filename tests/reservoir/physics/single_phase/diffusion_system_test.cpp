#include "reservoir/physics/single_phase/diffusion_system.hpp"
#include "reservoir/physics/radial_connections.hpp"

#include <cmath>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/single_phase/radial_network.hpp"

namespace plumecast {
namespace {

/// A system of a formation whose permeabilities differ by up to a factor of a million from cell to cell.
struct RoughSystem {
    RadialCase radial;
    RadialConnections connections;
    std::vector<double> storage;  // [columns, rows]
    DiffusionSystem system;

    RoughSystem(std::size_t rows, std::size_t columns)
        : radial(rough(rows, columns)),
          connections(radial),
          storage(rows * columns),
          system(radial_network(radial, connections), 0.5) {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> uniform(-2.0, 2.0);
        for (double& value : storage) {
            value = std::pow(10.0, uniform(random));
        }
        system.set_storage(storage);
    }

    static RadialCase rough(std::size_t rows, std::size_t columns) {
        RadialCase radial = uniform_radial_case(rows, columns);
        std::mt19937 random(7);
        std::uniform_real_distribution<double> uniform(-3.0, 3.0);
        for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
            radial.permeability_r[cell] = std::pow(10.0, uniform(random));
            radial.permeability_z[cell] = std::pow(10.0, uniform(random));
        }
        return radial;
    }

    /// b - A x of a cell, from the definition.
    double residual(const ColumnVector& b, const ColumnVector& x, std::size_t row, std::size_t column) const {
        const std::size_t rows = radial.rows();
        const std::size_t columns = radial.columns();
        const auto value = [&](std::size_t r, std::size_t c) { return x.cells()[c * rows + r]; };
        const double here = value(row, column);
        double sum = b.cells()[column * rows + row] - storage[column * rows + row] * here;
        const auto flow = [&](double transmissibility, double other) {
            sum += transmissibility / 0.5 * (other - here);
        };
        if (column == 0) {
            flow(connections.well[row], x.wells[0]);
        } else {
            flow(connections.radial[row * (columns - 1) + column - 1], value(row, column - 1));
        }
        if (column + 1 < columns) {
            flow(connections.radial[row * (columns - 1) + column], value(row, column + 1));
        }
        if (row > 0) {
            flow(connections.vertical[(row - 1) * columns + column], value(row - 1, column));
        }
        if (row + 1 < rows) {
            flow(connections.vertical[row * columns + column], value(row + 1, column));
        }
        return sum;
    }

    double well_residual(const ColumnVector& b, const ColumnVector& x) const {
        double sum = b.wells[0];
        for (std::size_t row = 0; row < radial.rows(); ++row) {
            sum -= connections.well[row] / 0.5 * (x.wells[0] - x.cells()[row]);
        }
        return sum;
    }
};

ColumnVector drawn_vector(const DiffusionSystem& system, unsigned seed) {
    ColumnVector result(system.network());
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (std::size_t i = 0; i < result.count(); ++i) {
        result.cells()[i] = uniform(random);
    }
    result.wells[0] = uniform(random);
    return result;
}

double product(const ColumnVector& a, const ColumnVector& b) {
    double sum = a.wells[0] * b.wells[0];
    for (std::size_t i = 0; i < a.count(); ++i) {
        sum += a.cells()[i] * b.cells()[i];
    }
    return sum;
}

constexpr double tolerance = 1e-12;
constexpr int limit = 500;

TEST(DiffusionSystem, SolvesForAnyNumberOfRowsAndColumns) {
    for (const auto& [rows, columns] :
         {std::pair{1ul, 1ul}, {1ul, 9ul}, {2ul, 1ul}, {2ul, 5ul}, {3ul, 4ul}, {8ul, 7ul}, {17ul, 23ul}}) {
        RoughSystem rough(rows, columns);
        const ColumnVector b = drawn_vector(rough.system, 11);
        ColumnVector x(rough.system.network());
        rough.system.solve(b, x, tolerance, limit);
        const double scale = 1e-6 * std::sqrt(product(b, b));
        EXPECT_NEAR(rough.well_residual(b, x), 0.0, scale);
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < columns; ++column) {
                EXPECT_NEAR(rough.residual(b, x, row, column), 0.0, scale) << rows << " " << columns;
            }
        }
    }
}

TEST(DiffusionSystem, IsSymmetric) {
    RoughSystem rough(12, 20);
    const ColumnVector a = drawn_vector(rough.system, 1);
    const ColumnVector b = drawn_vector(rough.system, 2);
    ColumnVector of_a(rough.system.network()), of_b(rough.system.network());
    rough.system.solve(a, of_a, tolerance, limit);
    rough.system.solve(b, of_b, tolerance, limit);
    const double one = product(of_a, b);
    EXPECT_NEAR(one, product(a, of_b), 1e-9 * std::sqrt(product(of_a, a) * product(of_b, b)));
}

TEST(DiffusionSystem, NeedsNoIterationWhereRowsDoNotExchangeFluid) {
    RoughSystem rough(6, 30);
    for (double& connection : rough.connections.vertical) {
        connection = 0.0;
    }
    DiffusionSystem system(radial_network(rough.radial, rough.connections), 0.5);
    system.set_storage(rough.storage);
    ColumnVector x(rough.system.network());
    EXPECT_LE(system.solve(drawn_vector(rough.system, 4), x, 1e-9, limit), 1);
}

TEST(DiffusionSystem, BalancesTheSumEvenWhereItStopsEarly) {
    RoughSystem rough(15, 25);
    const ColumnVector b = drawn_vector(rough.system, 8);
    ColumnVector x(rough.system.network());
    rough.system.solve(b, x, 0.1, limit);
    double stored = 0.0, given = b.wells[0], size = std::abs(b.wells[0]);
    for (std::size_t i = 0; i < x.count(); ++i) {
        stored += rough.storage[i] * x.cells()[i];
        given += b.cells()[i];
        size += std::abs(b.cells()[i]);
    }
    EXPECT_NEAR(stored, given, 1e-11 * size);
}

TEST(DiffusionSystem, SaysSoWhenItDoesNotConverge) {
    RoughSystem rough(15, 25);
    ColumnVector x(rough.system.network());
    EXPECT_THROW(rough.system.solve(drawn_vector(rough.system, 8), x, 1e-14, 2), NotConverged);
}

}  // namespace
}  // namespace plumecast
