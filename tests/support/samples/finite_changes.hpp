#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace plumecast::testing {

/// How derivatives predict changes of an input that a user makes: a derivative beside central differences over several
/// relative steps, of which those count that agree among themselves.
class FiniteChanges {
   public:
    static constexpr std::array<double, 3> steps{0.003, 0.01, 0.03};

    /// `differences`: of the steps, in their order.
    void add(const std::string& name, double derivative, const std::array<double, 3>& differences);

    /// Comparisons whose differences are within 2 % of each other.
    std::size_t stable() const { return errors_.size(); }
    double median() const;
    double largest() const;
    /// The largest of those that are compared, in words.
    const std::string& worst() const { return worst_; }

   private:
    std::vector<double> errors_;
    std::string worst_;
};

}  // namespace plumecast::testing
