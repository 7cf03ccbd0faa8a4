#include "reservoir/physics/two_phase/column_system.hpp"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace plumecast::two_phase {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// Gauss elimination with the largest pivot of each column.
std::vector<double> dense_solution(Matrix matrix, std::vector<double> right) {
    const std::size_t size = right.size();
    for (std::size_t k = 0; k < size; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < size; ++i) {
            pivot = std::abs(matrix[i][k]) > std::abs(matrix[pivot][k]) ? i : pivot;
        }
        std::swap(matrix[k], matrix[pivot]);
        std::swap(right[k], right[pivot]);
        for (std::size_t i = k + 1; i < size; ++i) {
            const double factor = matrix[i][k] / matrix[k][k];
            for (std::size_t j = k; j < size; ++j) {
                matrix[i][j] -= factor * matrix[k][j];
            }
            right[i] -= factor * right[k];
        }
    }
    for (std::size_t k = size; k-- > 0;) {
        for (std::size_t j = k + 1; j < size; ++j) {
            right[k] -= matrix[k][j] * right[j];
        }
        right[k] /= matrix[k][k];
    }
    return right;
}

class RandomSystem {
   public:
    RandomSystem(std::size_t columns, std::size_t rows, unsigned seed) : system(columns, rows), random_(seed) {
        for (std::size_t column = 0; column < columns; ++column) {
            draw_column(column);
        }
        draw_right();
    }

    /// Coefficients of a column; a negative coupling of up to 1000 and a diagonal a little above their sum.
    void draw_column(std::size_t column) {
        const std::size_t rows = system.rows();
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t i = column * rows + row;
            system.above[i] = row > 0 ? coupling() : 0.0;
            system.below[i] = row + 1 < rows ? coupling() : 0.0;
            system.inner[i] = column > 0 ? coupling() : 0.0;
            system.outer[i] = column + 1 < system.columns() ? coupling() : 0.0;
            double sum = system.above[i] + system.below[i] + system.inner[i] + system.outer[i];
            if (column == 0) {
                system.well_in_cell[row] = coupling();
                system.cell_in_well[row] = coupling();
                sum += system.well_in_cell[row];
            }
            system.diagonal[i] = 0.1 - sum;
        }
        if (column == 0) {
            system.well_diagonal = 0.1;
            for (const double value : system.cell_in_well) {
                system.well_diagonal -= value;
            }
        }
    }

    void draw_right() {
        for (double& value : system.right) {
            value = uniform_(random_) - 0.5;
        }
        system.well_right = 10.0;
    }

    /// Cells and, last, the well.
    std::vector<double> expected() const {
        const std::size_t rows = system.rows(), cells = rows * system.columns();
        Matrix matrix(cells + 1, std::vector<double>(cells + 1));
        for (std::size_t i = 0; i < cells; ++i) {
            const auto couple = [&](std::size_t other, double value) {
                if (value != 0.0) {
                    matrix[i][other] = value;
                }
            };
            couple(i, system.diagonal[i]);
            couple(i - 1, system.above[i]);
            couple(i + 1, system.below[i]);
            couple(i - rows, system.inner[i]);
            couple(i + rows, system.outer[i]);
        }
        for (std::size_t row = 0; row < rows; ++row) {
            matrix[row][cells] = system.well_in_cell[row];
            matrix[cells][row] = system.cell_in_well[row];
        }
        matrix[cells][cells] = system.well_diagonal;
        std::vector<double> right = system.right;
        right.push_back(system.well_right);
        return dense_solution(matrix, right);
    }

    void expect_solution(std::size_t kept) {
        std::vector<double> cells;
        double well = 0.0;
        system.solve(cells, well, kept);
        cells.push_back(well);
        const std::vector<double> wanted = expected();
        ASSERT_EQ(cells.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            EXPECT_NEAR(cells[i], wanted[i], 1e-9 * std::abs(wanted.back())) << "unknown " << i;
        }
    }

    ColumnSystem system;

   private:
    double coupling() { return -std::pow(10.0, 6.0 * uniform_(random_) - 3.0); }

    std::mt19937 random_;
    std::uniform_real_distribution<double> uniform_{0.0, 1.0};
};

TEST(ColumnSystem, SolvesWhatADenseSolverDoes) {
    const std::pair<std::size_t, std::size_t> sizes[] = {{1, 1}, {1, 7}, {5, 1}, {3, 2}, {4, 8}, {9, 13}, {6, 17}};
    for (const auto& [columns, rows] : sizes) {
        SCOPED_TRACE(testing::Message() << columns << " columns, " << rows << " rows");
        RandomSystem random(columns, rows, static_cast<unsigned>(100 * columns + rows));
        random.expect_solution(columns);
    }
}

TEST(ColumnSystem, UsesTheEliminationOfColumnsThatAreKept) {
    constexpr std::size_t columns = 8, rows = 5;
    for (std::size_t kept = 1; kept < columns; ++kept) {
        SCOPED_TRACE(testing::Message() << "columns kept from " << kept);
        RandomSystem random(columns, rows, static_cast<unsigned>(kept));
        random.expect_solution(columns);
        for (std::size_t column = 0; column < kept; ++column) {
            random.draw_column(column);
        }
        random.draw_right();
        random.expect_solution(kept);
    }
}

// A x = b and A^T y = w have w x = y b.
TEST(ColumnSystem, SolvesTheTransposedSystemByTheSameElimination) {
    const std::pair<std::size_t, std::size_t> sizes[] = {{1, 1}, {1, 7}, {5, 1}, {3, 2}, {9, 13}};
    for (const auto& [columns, rows] : sizes) {
        SCOPED_TRACE(testing::Message() << columns << " columns, " << rows << " rows");
        RandomSystem random(columns, rows, static_cast<unsigned>(7 * columns + rows));
        std::vector<double> x;
        double well = 0.0;
        random.system.solve(x, well, columns);
        for (std::size_t weighed = 0; weighed <= x.size(); ++weighed) {
            std::vector<double> y(x.size());
            double of_well = weighed == x.size() ? 1.0 : 0.0;
            if (weighed < x.size()) {
                y[weighed] = 1.0;
            }
            random.system.solve_transposed(y, of_well);
            double sum = of_well * random.system.well_right;
            double size = std::abs(sum);
            for (std::size_t i = 0; i < y.size(); ++i) {
                sum += y[i] * random.system.right[i];
                size += std::abs(y[i] * random.system.right[i]);
            }
            EXPECT_NEAR(sum, weighed < x.size() ? x[weighed] : well, 1e-9 * size) << "unknown " << weighed;
        }
    }
}

TEST(ColumnSystem, SolvesWithoutAConnectionToSomeRowsOfTheWell) {
    RandomSystem random(4, 6, 11);
    for (const std::size_t row : {0, 3, 5}) {
        random.system.diagonal[row] += random.system.well_in_cell[row];
        random.system.well_diagonal += random.system.cell_in_well[row];
        random.system.well_in_cell[row] = random.system.cell_in_well[row] = 0.0;
    }
    random.expect_solution(4);
}

}  // namespace
}  // namespace plumecast::two_phase
