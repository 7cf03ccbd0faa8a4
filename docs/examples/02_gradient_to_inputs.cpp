// Differentiates the mean gas saturation of a case with respect to one of its inputs, cell by cell.
//
//   example_02_gradient_to_inputs runs/saturation/best cases.h5 permeability_r
//
// Prints the mean over active cells and times as it is predicted, and its derivative with respect to the input, a map
// summed over each row of the formation: positive where a larger value means more gas. The derivative goes through the
// network, its channels and, of a model that corrects reduced physics, through that physics.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

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

/// Derivatives by each value of the mean of field 0 over active cells and times, [1, Z, R, T, F].
Tensor cotangents_of_mean(const Dataset& cases, const Batch& batch, std::size_t fields) {
    const auto count = static_cast<std::int64_t>(fields);
    Tensor cotangents = host_zeros({1, cases.rows(), cases.columns(), cases.snapshots(), count});
    const std::span<const float> active = std::as_const(batch.active).values<float>();
    const auto per_cell = static_cast<std::size_t>(cases.snapshots()) * fields;
    const auto values = std::ranges::count(active, 1.0F) * cases.snapshots();
    for (std::size_t i = 0; i < active.size() * per_cell; i += fields) {
        cotangents.values<float>()[i] = active[i / per_cell] / static_cast<float>(values);
    }
    return cotangents;
}

void print(const std::string& input, const std::vector<double>& derivatives, const Dataset& cases) {
    if (derivatives.size() == 1) {
        std::printf("derivative with respect to %s: %+.3e\n", input.c_str(), derivatives.front());
        return;
    }
    std::printf("derivative with respect to %s, summed over each row:\n", input.c_str());
    const auto columns = static_cast<std::size_t>(cases.columns());
    for (std::size_t row = 0; row < derivatives.size() / columns; ++row) {
        double sum = 0.0;
        for (std::size_t column = 0; column < columns; ++column) {
            sum += derivatives[row * columns + column];
        }
        std::printf("row %2zu: %+.3e\n", row, sum);
    }
}

void differentiate(const std::string& bundle, const std::string& path, const std::string& input) {
    const auto backend = make_cpu_backend();
    const Predictor predictor(bundle, *backend);  // its weights want no gradient
    const FieldNetwork& network = saturation_network(predictor.bundle());
    const NetworkDescription& description = network.description();
    const Dataset cases(path);
    const std::shared_ptr<CasePhysics> physics = physics_for(description, cases);  // nothing for a plain model
    const Batch batch = cases_for(description, cases, Targets::skip, physics)->load(std::array<std::int64_t, 1>{0});

    const Tensor cotangents = cotangents_of_mean(cases, batch, description.fields.size());
    const PredictionGradients found = prediction_gradients(network, cases, batch, cotangents, physics.get());
    const auto derivatives = found.gradients.inputs.find(input);
    if (derivatives == found.gradients.inputs.end()) {
        throw InvalidInput("no derivative with respect to '" + input +
                           "' (it is no map or number of the cases that could change a little); choose another input, "
                           "for example permeability_r");
    }
    std::printf("mean gas saturation of case 0: %.5f\n", found.sums.front());
    print(input, derivatives->second, cases);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s BUNDLE CASES.h5 INPUT\n", argv[0]);
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
