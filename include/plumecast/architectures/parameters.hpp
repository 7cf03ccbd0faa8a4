#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/architectures/weight.hpp>
#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/graph/ops/given.hpp>

namespace plumecast {

/// A weight or buffer of a network under its path name, such as "blocks.3.unet.conv1.weight".
struct Parameter {
    std::string name;
    Weight weight;
    bool trainable = true;        ///< false for buffers, such as running statistics
    bool complex_valued = false;  ///< pairs of numbers count as one parameter
    Shape whole = {};             ///< shape of the whole array, which files hold
    /// Empty where every rank holds the whole array. Else the rank at place p of a group holds the rows
    /// [owners[p], owners[p + 1]) of it, counted along the first axes of `whole` as if they were one.
    AxisPartition owners = {};

    bool is_sharded() const { return !owners.empty(); }
    /// Whether an optimizer moves it.
    bool moves() const { return trainable && !weight.is_frozen(); }
};

/// All parameters of a network in the order of their creation. Initial values depend on (seed, name, index) alone;
/// without a seed they are zero, for what is assigned, or only planned.
class Parameters {
   public:
    /// `grid` places the ranks that work on the network together, and outlives it; nullptr for one rank alone.
    Parameters(Backend& backend, std::optional<std::uint64_t> seed, const ProcessGrid* grid = nullptr)
        : backend_(&backend), seed_(seed), grid_(grid) {}

    Backend& backend() const { return *backend_; }
    /// The ranks that work together; nullptr for one alone.
    const ProcessGrid* grid() const { return grid_; }
    const std::vector<Parameter>& all() const { return all_; }
    /// Throws InvalidInput for a name that does not exist.
    const Parameter& at(const std::string& name) const;
    /// Trainable numbers, a complex one counted once as in the published tables.
    std::int64_t count() const;

    /// A weight or buffer as a graph names it, with initial values. Where ranks cut space, the rows that the first
    /// `shared_axes` axes make are sharded among them. Throws Error for a name that exists.
    void add(const WeightOp& weight, int shared_axes = 0);

    /// Replaces values by those of a whole host array; each rank takes what it holds. Throws InvalidInput naming the
    /// parameter and both shapes.
    void assign(const std::string& name, ConstView values) const;
    /// Values as a whole host array of the backend's element type. Where a parameter is sharded, the ranks of a
    /// group do this together, the first gets the array and the others get an empty tensor.
    Tensor download(const Parameter& parameter) const;
    /// The same for an array held as the parameter is, such as one of an optimizer.
    Tensor download(const Parameter& parameter, ConstView held) const;
    /// What this rank holds of a whole array.
    ConstView held_part(const Parameter& parameter, ConstView whole) const;
    /// Freezes all weights of the given names, or whose names go on with a dot after one of them: no gradient, no
    /// optimizer. Throws InvalidInput for a name that is that of no weight, naming what there is.
    void freeze(const std::vector<std::string>& names) const;

   private:
    Tensor uniform_values(const Parameter& parameter, std::uint64_t seed, double low, double high) const;
    Shape held_shape(const Parameter& parameter) const;

    Backend* backend_;
    std::optional<std::uint64_t> seed_;
    const ProcessGrid* grid_;
    std::vector<Parameter> all_;
};

}  // namespace plumecast
