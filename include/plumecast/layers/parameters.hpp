#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/distributed/communicator.hpp>
#include <plumecast/layers/variable.hpp>

namespace plumecast {

/// A weight or buffer of a network under its path name, such as "blocks.3.unet.conv1.weight".
struct Parameter {
    std::string name;
    Variable variable;
    bool trainable = true;        ///< false for buffers, such as running statistics
    bool complex_valued = false;  ///< pairs of numbers count as one parameter
};

/// All parameters of a network in the order of their creation. Initial values depend on (seed, name, index) alone.
class Parameters {
   public:
    /// `ranks` hold the fields of the network in boxes, and outlive its layers; nullptr for one rank alone.
    Parameters(Backend& backend, std::uint64_t seed, Communicator* ranks = nullptr)
        : backend_(&backend), seed_(seed), ranks_(ranks) {}

    Backend& backend() const { return *backend_; }
    /// The ranks that hold a field together; nullptr for one alone.
    Communicator* ranks() const { return ranks_; }
    const std::vector<Parameter>& all() const { return all_; }
    /// Throws InvalidInput for a name that does not exist.
    const Parameter& at(const std::string& name) const;
    /// Trainable numbers, a complex one counted once as in the published tables.
    std::int64_t count() const;

    /// Uniform in [low, high). Throws Error for a name that exists.
    Variable uniform(const std::string& name, const Shape& shape, double low, double high);
    /// Planar complex weight, real and imaginary parts uniform in [0, high).
    Variable complex_uniform(const std::string& name, const Shape& shape, double high);
    Variable constant(const std::string& name, const Shape& shape, double value);
    /// A constant that no optimizer touches.
    Variable buffer(const std::string& name, const Shape& shape, double value);

    /// Replaces values by host ones of the same shape. Throws InvalidInput naming the parameter and both shapes.
    void assign(const std::string& name, ConstView values) const;
    /// Values as a host tensor of the backend's element type.
    Tensor download(const Parameter& parameter) const;
    /// Turns gradients with respect to all weights on or off.
    void set_trainable(bool trainable) const;

   private:
    Variable append(const std::string& name, Tensor host, bool trainable, bool complex_valued);

    Backend* backend_;
    std::uint64_t seed_;
    Communicator* ranks_;
    std::vector<Parameter> all_;
};

/// Parameters under a common prefix; layers create theirs through one.
class Scope {
   public:
    explicit Scope(Parameters& parameters, std::string prefix = "")
        : parameters_(&parameters), prefix_(std::move(prefix)) {}
    Scope child(const std::string& name) const { return Scope(*parameters_, path(name)); }
    std::string path(const std::string& name) const { return prefix_.empty() ? name : prefix_ + "." + name; }
    Parameters& parameters() const { return *parameters_; }
    Backend& backend() const { return parameters_->backend(); }

   private:
    Parameters* parameters_;
    std::string prefix_;
};

}  // namespace plumecast
