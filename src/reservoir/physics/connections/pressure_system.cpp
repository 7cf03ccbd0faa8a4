#include "reservoir/physics/connections/pressure_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/SparseCholesky>

namespace plumecast::connections {
namespace {

constexpr int most_iterations = 500;

Eigen::Map<Eigen::VectorXd> map(std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }
Eigen::Map<const Eigen::VectorXd> map(const std::vector<double>& x) {
    return {x.data(), static_cast<Eigen::Index>(x.size())};
}

double product(const std::vector<double>& x, const std::vector<double>& y) { return map(x).dot(map(y)); }

}  // namespace

/// The system summed over groups, with an exact factorisation.
class PressureSystem::Coarse {
   public:
    Coarse(const std::vector<Link>& links, const std::vector<std::size_t>& groups)
        : size_(groups.empty() ? 0 : *std::ranges::max_element(groups) + 1) {
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t group = 0; group < size_; ++group) {
            entries.emplace_back(index(group), index(group), 1.0);
        }
        for (const auto& [first, second] : links) {
            const std::size_t low = std::min(groups[first], groups[second]);
            const std::size_t high = std::max(groups[first], groups[second]);
            if (low != high) {
                entries.emplace_back(index(high), index(low), 1.0);
            }
        }
        matrix_.resize(index(size_), index(size_));
        matrix_.setFromTriplets(entries.begin(), entries.end());
        for (const auto& [first, second] : links) {
            const std::size_t low = std::min(groups[first], groups[second]);
            const std::size_t high = std::max(groups[first], groups[second]);
            places_.push_back(low == high ? none : place(high, low));
        }
        for (std::size_t group = 0; group < size_; ++group) {
            diagonals_.push_back(place(group, group));
        }
        factors_.analyzePattern(matrix_);
    }

    bool factor(const PressureSystem& fine) {
        double* values = matrix_.valuePtr();
        std::fill_n(values, matrix_.nonZeros(), 0.0);
        for (std::size_t i = 0; i < fine.own.size(); ++i) {
            values[diagonals_[fine.groups_[i]]] += fine.own[i];
        }
        for (std::size_t i = 0; i < fine.links_.size(); ++i) {
            if (places_[i] != none) {
                values[places_[i]] -= fine.conductance[i];
                values[diagonals_[fine.groups_[fine.links_[i].first]]] += fine.conductance[i];
                values[diagonals_[fine.groups_[fine.links_[i].second]]] += fine.conductance[i];
            }
        }
        factors_.factorize(matrix_);
        return factors_.info() == Eigen::Success;
    }

    /// Adds to x what makes the residual 0 in the sum over each group.
    void correct(const std::vector<std::size_t>& groups, const std::vector<double>& residual, std::vector<double>& x) {
        right_.setZero(index(size_));
        for (std::size_t i = 0; i < groups.size(); ++i) {
            right_[index(groups[i])] += residual[i];
        }
        solution_ = factors_.solve(right_);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            x[i] += solution_[index(groups[i])];
        }
    }

   private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static int index(std::size_t i) { return static_cast<int>(i); }

    /// Where the value of an entry of the lower triangle stands.
    std::size_t place(std::size_t row, std::size_t column) const {
        const int* begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column];
        const int* end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column + 1];
        return static_cast<std::size_t>(std::lower_bound(begin, end, index(row)) - matrix_.innerIndexPtr());
    }

    std::size_t size_;
    Eigen::SparseMatrix<double> matrix_;  // lower triangle
    std::vector<std::size_t> places_, diagonals_;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors_;
    Eigen::VectorXd right_, solution_;
};

PressureSystem::PressureSystem(std::size_t unknowns, std::vector<Link> links, std::vector<std::size_t> groups)
    : own(unknowns), conductance(links.size()), right(unknowns), links_(std::move(links)), groups_(std::move(groups)) {
    std::vector<std::size_t> order(links_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t link) {
        const auto [low, high] = std::minmax(links_[link].first, links_[link].second);
        return std::pair(high, low);
    };
    std::ranges::sort(order, {}, place);
    row_starts_.assign(unknowns + 1, 0);
    for (const std::size_t link : order) {
        const auto [row, column] = place(link);
        ++row_starts_[row + 1];
        columns_.push_back(static_cast<std::uint32_t>(column));
        entry_links_.push_back(static_cast<std::uint32_t>(link));
    }
    std::partial_sum(row_starts_.begin(), row_starts_.end(), row_starts_.begin());
    entries_.resize(links_.size());
    for (auto* part : {&diagonal_, &inverse_pivots_, &work_, &second_}) {
        part->resize(unknowns);
    }
    coarse_ = std::make_unique<Coarse>(links_, groups_);
}

PressureSystem::~PressureSystem() = default;

/// Incomplete Cholesky factors without fill, which differ from the matrix in their pivots alone: all there is to them
/// where no three cells are connected with each other. Where they are, as at faults, entries between them keep their
/// values too.
void PressureSystem::factor() {
    diagonal_ = own;
    for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
        entries_[entry] = -conductance[entry_links_[entry]];
    }
    for (std::size_t link = 0; link < links_.size(); ++link) {
        diagonal_[links_[link].first] += conductance[link];
        diagonal_[links_[link].second] += conductance[link];
    }
    for (std::size_t row = 0; row < diagonal_.size(); ++row) {
        double pivot = diagonal_[row];
        for (std::size_t entry = row_starts_[row]; entry < row_starts_[row + 1]; ++entry) {
            pivot -= entries_[entry] * entries_[entry] * inverse_pivots_[columns_[entry]];
        }
        inverse_pivots_[row] = 1.0 / std::max(pivot, 1e-3 * diagonal_[row]);
    }
}

void PressureSystem::multiply(const std::vector<double>& x, std::vector<double>& y) const {
    for (std::size_t row = 0; row < x.size(); ++row) {
        double sum = diagonal_[row] * x[row];
        for (std::size_t entry = row_starts_[row]; entry < row_starts_[row + 1]; ++entry) {
            sum += entries_[entry] * x[columns_[entry]];
            y[columns_[entry]] += entries_[entry] * x[row];
        }
        y[row] = sum;
    }
}

void PressureSystem::apply_factors(const std::vector<double>& residual, std::vector<double>& x) const {
    for (std::size_t row = 0; row < x.size(); ++row) {
        double sum = residual[row];
        for (std::size_t entry = row_starts_[row]; entry < row_starts_[row + 1]; ++entry) {
            sum -= entries_[entry] * x[columns_[entry]];
        }
        x[row] = sum * inverse_pivots_[row];
    }
    for (std::size_t row = x.size(); row-- > 0;) {
        const double value = x[row];
        for (std::size_t entry = row_starts_[row]; entry < row_starts_[row + 1]; ++entry) {
            x[columns_[entry]] -= entries_[entry] * inverse_pivots_[columns_[entry]] * value;
        }
    }
}

/// The factors, the coarse space, and the factors again, so that all together are symmetric.
void PressureSystem::precondition(const std::vector<double>& residual, std::vector<double>& x) {
    const auto left_over = [&] {
        multiply(x, work_);
        map(work_) = map(residual) - map(work_);
    };
    apply_factors(residual, x);
    left_over();
    coarse_->correct(groups_, work_, x);
    left_over();
    apply_factors(work_, second_);
    map(x) += map(second_);
}

std::optional<int> PressureSystem::solve(std::vector<double>& x, double tolerance) {
    x.assign(own.size(), 0.0);
    std::vector<double> residual = right, better(own.size()), image(own.size());
    const double wanted = tolerance * tolerance * product(right, right);
    if (wanted == 0.0) {
        return 0;
    }
    factor();
    if (!coarse_->factor(*this)) {
        return std::nullopt;
    }
    precondition(residual, better);
    std::vector<double> direction = better;
    double size = product(residual, better);
    for (int iteration = 1; iteration <= most_iterations; ++iteration) {
        multiply(direction, image);
        const double step = size / product(direction, image);
        map(x) += step * map(direction);
        map(residual) -= step * map(image);
        const double left = product(residual, residual);
        if (!std::isfinite(left)) {
            return std::nullopt;
        }
        if (left <= wanted) {
            return iteration;
        }
        precondition(residual, better);
        const double next = product(residual, better);
        const double share = next / size;
        size = next;
        map(direction) = map(better) + share * map(direction);
    }
    return std::nullopt;
}

}  // namespace plumecast::connections
