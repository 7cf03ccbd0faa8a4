#pragma once

#include <memory>
#include <vector>

#include <plumecast/architectures/network.hpp>
#include <plumecast/data/batch.hpp>
#include <plumecast/data/channels.hpp>

namespace plumecast {

/// What a network reads and predicts, in physical terms, beside its shape.
struct NetworkDescription {
    NetworkConfig network;
    std::vector<Channel> channels;  ///< as many as network.channels, in the order of the lift's weight
    std::vector<Field> fields;      ///< as many as network.fields

    friend bool operator==(const NetworkDescription&, const NetworkDescription&) = default;
};

/// A network together with the meaning of its channels and fields.
class FieldNetwork {
   public:
    /// Initial weights from the seed; the backend must outlive it, and so must the grid of the ranks that work on it
    /// together (nullptr for one alone). Throws InvalidInput when counts do not match.
    FieldNetwork(Backend& backend, NetworkDescription description, std::uint64_t seed,
                 const ProcessGrid* grid = nullptr);

    /// Normalised fields [B, Z, R, T, F] of a host batch, whose channels are found by name. Where ranks work together,
    /// the batch holds this rank's share, and so does the result. Throws InvalidInput naming a channel that is missing.
    Variable forward(const Batch& batch, Mode mode) const;

    /// Memory for the input groups of such a batch, not filled, for network().forward(). Throws the same.
    NetworkInput input_for(const Batch& batch) const;

    const NetworkDescription& description() const { return description_; }
    const Parameters& parameters() const { return network_->parameters(); }
    Backend& backend() const { return network_->parameters().backend(); }
    const Network& network() const { return *network_; }

   private:
    NetworkDescription description_;
    std::unique_ptr<Network> network_;
};

}  // namespace plumecast
