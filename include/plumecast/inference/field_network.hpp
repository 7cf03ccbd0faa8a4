#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <plumecast/architectures/network.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// The reduced physics that a guided network corrects.
struct NetworkPhysics {
    PhysicsSettings settings;

    friend bool operator==(const NetworkPhysics&, const NetworkPhysics&) = default;
};

/// What a network reads and predicts, in physical terms, beside its shape.
struct NetworkDescription {
    NetworkConfig network;
    std::vector<Channel> channels;  ///< as many as network.channels, in the order of the lift's weight
    std::vector<Field> fields;      ///< as many as network.fields
    /// Of guided networks: where channels and fields that come from the physics come from.
    std::optional<NetworkPhysics> physics = std::nullopt;

    /// Whether a field corrects the physics, so that a prediction needs this as its base.
    bool corrects_physics() const;
    /// Whether a prediction is base + correction * network, by physics or by constants of points.
    bool has_base() const;

    friend bool operator==(const NetworkDescription&, const NetworkDescription&) = default;
};

/// Throws InvalidInput naming the first source that the description's physics, or its absence, leaves without values,
/// and for physics on a grid that is not radial.
void check_physics(const NetworkDescription& description);

/// Memory on a backend for what a network reads of a batch.
struct FieldInput {
    NetworkInput network;
    Tensor base, correction;  ///< of no axis where a network predicts whole fields

    /// All arrays, in the order of arrays_of().
    std::vector<View> views();
};
/// The host arrays of a batch that a network reads.
std::vector<ConstView> arrays_of(const Batch& batch);

/// A network together with the meaning of its channels and fields.
class FieldNetwork {
   public:
    /// Initial weights from the seed, or zeros without one, for weights that come from a file; the backend must outlive
    /// it, and so must the grid of the ranks that work on it together (nullptr for one alone). Throws InvalidInput when
    /// counts do not match.
    FieldNetwork(Backend& backend, NetworkDescription description, std::optional<std::uint64_t> seed,
                 const ProcessGrid* grid = nullptr);

    /// Memory for the arrays of a host batch, whose channels are found by name, not filled. Where ranks work together,
    /// the batch holds what this rank has of it. Throws InvalidInput naming a channel that is missing, and without a
    /// base where the network corrects one.
    FieldInput input_for(const Batch& batch) const;

    const NetworkDescription& description() const { return description_; }
    const Parameters& parameters() const { return network_->parameters(); }
    Backend& backend() const { return network_->parameters().backend(); }
    const Network& network() const { return *network_; }

   private:
    NetworkDescription description_;
    std::unique_ptr<Network> network_;
};

}  // namespace plumecast
