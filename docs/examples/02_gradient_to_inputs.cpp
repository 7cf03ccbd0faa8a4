// Differentiates the mean gas saturation of a case with respect to an input channel, cell by cell.
//
//   example_02_gradient_to_inputs runs/saturation/best cases.h5 log_permeability_r
//
// Prints the mean over active cells and times, and per row of the formation the sum of its derivative with respect to
// the channel as the network sees it, (f(value) - offset) / scale: positive where a larger value means more gas.
// The model must be a plain one, whose fields depend on the inputs through the network alone: not one that corrects
// reduced physics, as models/radial-co2 does.
// Divide by the channel's scale for the derivative with respect to f(value), here the logarithm of the permeability.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/data/batch.hpp>
#include <plumecast/data/dataset.hpp>
#include <plumecast/training/guided_cases.hpp>
#include <plumecast/training/predictor.hpp>

namespace {

using namespace plumecast;

const FieldNetwork& saturation_network(const Bundle& bundle) {
    for (const BundleNetwork& entry : bundle.networks) {
        if (entry.network->description().fields.front().name == "gas_saturation") {
            return *entry.network;
        }
    }
    throw InvalidInput(bundle.path + ": no network predicts gas_saturation first; use another model");
}

/// The channels of a batch as leaves of the tape; those of one group share a tensor.
struct Leaves {
    NetworkInput input;
    Variable group;          ///< the one that holds the wanted channel
    std::int64_t place = 0;  ///< of the channel in its group

    Leaves(const FieldNetwork& network, const Dataset& cases, const Batch& batch, const std::string& wanted) {
        const auto& channels = network.description().channels;
        Backend& backend = network.backend();
        input.extents = {cases.rows(), cases.columns(), cases.snapshots()};
        for (const InputGroup& from : batch.inputs) {
            std::vector<std::int64_t> places;
            for (const std::string& name : from.channels) {
                places.push_back(std::ranges::find(channels, name, &Channel::name) - channels.begin());
            }
            const auto found = std::ranges::find(from.channels, wanted);
            const bool holds_it = found != from.channels.end();
            Tensor values(backend.memory(), from.values.shape(), backend.compute_type());
            backend.upload(from.values, values);
            input.groups.push_back({places, Variable(backend, std::move(values), holds_it)});
            if (holds_it) {
                group = input.groups.back().values;
                place = found - from.channels.begin();
            }
        }
        if (!group.defined()) {
            throw InvalidInput("channel '" + wanted + "' is unknown to the network; choose one of its channels");
        }
    }
};

/// Weight of each value in the mean of field 0 over active cells and times, [1, Z, R, T, F].
Tensor weights_of_mean(const Shape& prediction, const Batch& batch, double scale) {
    Tensor weights = host_zeros(prediction);
    const std::span<const float> active = std::as_const(batch.active).values<float>();
    const auto per_cell = static_cast<std::size_t>(prediction[3] * prediction[4]);
    const auto fields = static_cast<std::size_t>(prediction[4]);
    const auto cells = static_cast<double>(std::ranges::count(active, 1.0F));
    for (std::size_t i = 0; i < active.size() * per_cell; i += fields) {
        const double share = scale / (cells * static_cast<double>(prediction[3]));
        weights.values<float>()[i] = active[i / per_cell] != 0.0F ? static_cast<float>(share) : 0.0F;
    }
    return weights;
}

void print_rows(const Tensor& gradient, std::int64_t place) {
    const Shape& shape = gradient.shape();
    const std::span<const float> values = gradient.values<float>();
    const auto per_row = static_cast<std::size_t>(shape.count(2, 5)), channels = static_cast<std::size_t>(shape[4]);
    for (std::size_t row = 0; row < static_cast<std::size_t>(shape[1]); ++row) {
        double sum = 0.0;
        for (std::size_t i = static_cast<std::size_t>(place); i < per_row; i += channels) {
            sum += static_cast<double>(values[row * per_row + i]);
        }
        std::printf("row %2zu: %+.3e\n", row, sum);
    }
}

void differentiate(const std::string& bundle, const std::string& path, const std::string& channel) {
    const auto backend = make_cpu_backend();
    const Predictor predictor(bundle, *backend);  // its weights want no gradient
    const FieldNetwork& network = saturation_network(predictor.bundle());
    require_input_gradients(network.description());
    const Dataset cases(path);
    const Batch batch = dataset_source(cases, network.description().channels, {})->load(std::array<std::int64_t, 1>{0});
    const Leaves leaves(network, cases, batch, channel);

    const Variable prediction = network.network().forward(leaves.input, Mode::evaluation);
    const Field& field = network.description().fields.front();
    const Tensor weights = weights_of_mean(prediction.shape(), batch, field.scale);
    Tensor values = host_zeros(prediction.shape());
    backend->download(prediction.value(), values);
    double mean = field.offset;
    for (std::size_t i = 0; i < weights.values<float>().size(); ++i) {
        mean += static_cast<double>(weights.values<float>()[i]) * static_cast<double>(values.values<float>()[i]);
    }
    std::printf("mean gas saturation of case 0: %.5f\n", mean);

    Tensor start(backend->memory(), prediction.shape(), backend->compute_type());
    backend->upload(weights, start);
    backward(prediction, std::move(start));
    Tensor gradient = host_zeros(leaves.group.shape());
    backend->download(leaves.group.gradient(), gradient);
    std::printf("derivative with respect to %s, summed over each row:\n", channel.c_str());
    print_rows(gradient, leaves.place);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s BUNDLE CASES.h5 CHANNEL\n", argv[0]);
        return 2;
    }
    try {
        differentiate(argv[1], argv[2], argv[3]);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
