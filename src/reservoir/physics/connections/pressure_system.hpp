#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace plumecast::connections {

/// A symmetric linear system on a graph: each unknown has a diagonal entry of its own beside the conductances of its
/// links. Solved by conjugate gradients with two levels: incomplete Cholesky factors without fill before and after an
/// exact solution in a coarse space, which has one unknown for each group of unknowns.
class PressureSystem {
   public:
    using Link = std::pair<std::size_t, std::size_t>;

    /// `groups` names the group of each unknown, from 0 on.
    PressureSystem(std::size_t unknowns, std::vector<Link> links, std::vector<std::size_t> groups);
    ~PressureSystem();
    PressureSystem(const PressureSystem&) = delete;
    PressureSystem& operator=(const PressureSystem&) = delete;

    std::vector<double> own;  ///< [unknowns] what an unknown has beside its links, above 0 somewhere in each part
    std::vector<double> conductance;  ///< [links] 0 or more
    std::vector<double> right;        ///< [unknowns]

    /// Solves until the residual is `tolerance` of the right side, both in the root of the sum of squares. The number
    /// of iterations; nothing where 500 do not suffice.
    std::optional<int> solve(std::vector<double>& x, double tolerance);

   private:
    class Coarse;
    void factor();
    void multiply(const std::vector<double>& x, std::vector<double>& y) const;
    void apply_factors(const std::vector<double>& residual, std::vector<double>& x) const;
    void precondition(const std::vector<double>& residual, std::vector<double>& x);

    std::vector<Link> links_;
    std::vector<std::size_t> groups_;
    // Lower triangle by rows: [rows + 1] where each begins, columns, and the link that an entry is.
    std::vector<std::uint32_t> row_starts_, columns_, entry_links_;
    std::vector<double> entries_, diagonal_, inverse_pivots_;
    std::vector<double> work_, second_;
    std::unique_ptr<Coarse> coarse_;
};

}  // namespace plumecast::connections
