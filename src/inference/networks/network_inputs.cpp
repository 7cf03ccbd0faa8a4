#include "inference/networks/network_inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inference/batch_size.hpp"
#include "inference/gradients/gradient_arrays.hpp"
#include "inference/prediction/output_checks.hpp"
#include "inference/stream/case_set.hpp"
#include "inference/stream/case_stream.hpp"
#include "reservoir/batches/case_lists.hpp"
#include "reservoir/batches/derived_inputs.hpp"

namespace plumecast {
namespace {

/// Shapes of all arrays that there are, by their names.
std::map<std::string, std::vector<std::int64_t>> known_arrays(const NetworkDescription& description,
                                                              const Dataset& dataset) {
    const auto with = [&](const std::vector<std::int64_t>& last) {
        std::vector<std::int64_t> extents{dataset.cases()};
        const Shape space = dataset.space();
        extents.insert(extents.end(), space.extents().begin(), space.extents().end());
        extents.insert(extents.end(), last.begin(), last.end());
        return extents;
    };
    const std::int64_t times = dataset.snapshots(), channels = description.network.channels,
                       fields = description.network.fields;
    const bool over_time =
        std::ranges::any_of(description.fields, [](const Field& field) { return varies_in_time(field.factors); });
    std::map<std::string, std::vector<std::int64_t>> known{
        {"channels", with({times, channels})},
        {"targets", with({times, fields})},
        {"active", with({})},
        {"scales", over_time ? std::vector<std::int64_t>{dataset.cases(), times, fields}
                             : std::vector<std::int64_t>{dataset.cases(), fields}}};
    if (description.has_base()) {
        known["base"] = with({times, fields});
        known["correction"] = with({times, fields});
    }
    return known;
}

/// Throws InvalidInput for arrays of other names or shapes.
void require_known(const std::map<std::string, OutputArray>& arrays,
                   const std::map<std::string, std::vector<std::int64_t>>& known) {
    for (const auto& [name, array] : arrays) {
        if (known.contains(name)) {
            continue;
        }
        if (name == "base" || name == "correction") {
            throw InvalidInput(fmt::format(
                "the network has no {} (it predicts whole fields, and corrects no physics); leave it out", name));
        }
        std::string names;
        for (const auto& [one, extents] : known) {
            names += (names.empty() ? "" : ", ") + one;
        }
        throw InvalidInput(fmt::format("'{}' is nothing that a network takes of cases (there are {}); name one of them",
                                       name.substr(0, 64), names));
    }
    require_apart(arrays, {"array", "cases and network", known}, {});
}

std::vector<double> numbers_of(const Tensor& tensor) {
    std::vector<double> numbers(static_cast<std::size_t>(tensor.shape().count()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = tensor.number(i);
    }
    return numbers;
}

/// Writes the channels of a group to their places among all C, repeated along the axes that they do not vary over;
/// `whole` is [B, space..., T].
void spread(const InputGroup& group, const std::vector<Channel>& channels, const Shape& whole,
            std::vector<double>& all) {
    const Shape& own = group.values.shape();
    std::vector<std::size_t> places;
    for (const std::string& name : group.channels) {
        places.push_back(
            static_cast<std::size_t>(std::ranges::find(channels, name, &Channel::name) - channels.begin()));
    }
    std::vector<std::int64_t> index(static_cast<std::size_t>(whole.rank()), 0);
    for (std::size_t point = 0; point < static_cast<std::size_t>(whole.count()); ++point) {
        std::int64_t from = 0;
        for (int axis = 0; axis < whole.rank(); ++axis) {
            from = from * own[axis] + (own[axis] == 1 ? 0 : index[static_cast<std::size_t>(axis)]);
        }
        for (std::size_t c = 0; c < places.size(); ++c) {
            all[point * channels.size() + places[c]] =
                group.values.number(static_cast<std::size_t>(from) * places.size() + c);
        }
        for (int axis = whole.rank(); axis-- > 0;) {
            if (++index[static_cast<std::size_t>(axis)] < whole[axis]) {
                break;
            }
            index[static_cast<std::size_t>(axis)] = 0;
        }
    }
}

std::vector<double> channels_of(const Batch& batch, const NetworkDescription& description, const Dataset& dataset) {
    Shape whole{static_cast<std::int64_t>(batch.cases.size())};
    const Shape space = dataset.space();
    for (const std::int64_t extent : space.extents()) {
        whole = whole.append(extent);
    }
    whole = whole.append(dataset.snapshots());
    std::vector<double> all(static_cast<std::size_t>(whole.count()) * description.channels.size());
    for (const InputGroup& group : batch.inputs) {
        spread(group, description.channels, whole, all);
    }
    return all;
}

std::vector<double> values_of(const std::string& name, const Batch& batch, const NetworkDescription& description,
                              const Dataset& dataset) {
    if (name == "channels") {
        return channels_of(batch, description, dataset);
    }
    const Tensor& found = name == "base"         ? batch.base
                          : name == "correction" ? batch.correction
                          : name == "targets"    ? batch.targets
                          : name == "active"     ? batch.active
                                                 : batch.scales;
    if (found.empty()) {
        throw InvalidData(dataset.path() +
                          ": has no outputs (targets are what a network is compared with); leave targets out, or give "
                          "cases with outputs");
    }
    return numbers_of(found);
}

}  // namespace

void read_network_inputs(const FieldNetwork& network, const Dataset& dataset, const PredictedArrays& to,
                         const PredictionOptions& options) {
    const NetworkDescription& description = network.description();
    require_known(to.arrays, known_arrays(description, dataset));
    Backend& backend = network.backend();
    PhysicsOptions physics;
    physics.log = options.log;
    physics.kept_bytes = options.physics_bytes;
    physics.threads = backend.shares_host_memory() ? backend.host_threads() : 0;
    const NetworkDescription* one = &description;
    const CaseSet set(dataset, {&one, 1}, std::move(physics));
    CaseStream stream(
        network, set,
        {.targets = to.arrays.contains("targets") ? Targets::read : Targets::skip, .type = backend.compute_type()});
    stream.start(batches_of(all_cases(dataset.cases()), options.batch > 0 ? options.batch : usual_batch));
    std::int64_t done = 0;
    while (const std::optional<CaseBatch> batch = stream.next()) {
        if (options.stop_requested && options.stop_requested()) {
            throw Interrupted();
        }
        for (const auto& [name, array] : to.arrays) {
            write_entries(array, done, values_of(name, batch->on_model_grid, description, dataset));
        }
        done += batch->count();
        if (options.progress) {
            options.progress(done, dataset.cases());
        }
    }
}

}  // namespace plumecast
