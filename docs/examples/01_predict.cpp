// Predicts fields in memory with a trained model and says how far each plume reaches.
//
//   example_01_predict models/radial-co2 cases.h5
//
// Prints the model, the device, and a line per case: the radius of the plume at the last time when the model predicts
// gas saturation, the largest pressure build-up when it predicts that.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <span>
#include <string>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/evaluation.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

namespace {

/// One line about one field of one case; `values` [1, Z, R, T] in the field's unit.
void report(const plumecast::Dataset& cases, const plumecast::Field& field, const plumecast::Tensor& values,
            const plumecast::Batch& batch) {
    const plumecast::Shape map = batch.active.shape().slice(1, 3);
    const plumecast::ConstView one = values.view().reshaped(map.append(cases.snapshots()));
    const plumecast::ConstView active = batch.active.view().reshaped(map);
    if (field.name == "gas_saturation") {
        const auto sizes = plumecast::plume_sizes(one, active, cases.r_edges(), cases.z_edges());
        std::printf("case %lld: plume radius %.0f m after %.0f days\n", static_cast<long long>(batch.cases[0]),
                    sizes.back().radius, cases.times().back());
        return;
    }
    const std::span<const float> all = values.values<float>();
    const std::span<const float> mask = batch.active.values<float>();
    const auto times = static_cast<std::size_t>(cases.snapshots());
    float largest = 0.0F;
    for (std::size_t i = 0; i < all.size(); ++i) {
        largest = mask[i / times] != 0.0F ? std::max(largest, all[i]) : largest;  // inactive cells mean nothing
    }
    std::printf("case %lld: largest %s %.1f %s\n", static_cast<long long>(batch.cases[0]), field.name.c_str(),
                static_cast<double>(largest), field.unit.c_str());
}

void predict(const std::string& bundle, const std::string& path) {
    const auto backend = plumecast::make_cpu_backend();
    const plumecast::Predictor predictor(bundle, *backend);
    const plumecast::Dataset cases(path);
    std::printf("%s on %s\n", predictor.bundle().title.c_str(), backend->description().c_str());
    for (const plumecast::BundleNetwork& network : predictor.bundle().networks) {
        const plumecast::NetworkDescription& description = network.network->description();
        const auto source = plumecast::cases_for(description, cases, plumecast::Targets::skip);
        for (std::int64_t which = 0; which < cases.cases(); ++which) {
            const plumecast::Batch batch = source->load(std::array{which});
            const plumecast::Tensor values = predictor.predict(network, batch);
            for (std::size_t f = 0; f < description.fields.size(); ++f) {
                const plumecast::Field& field = description.fields[f];
                const plumecast::Tensor physical =
                    plumecast::physical_values(values, static_cast<std::int64_t>(f), field, batch.scales, batch.limits);
                report(cases, field, physical, batch);
            }
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s BUNDLE CASES.h5\n", argv[0]);
        return 2;
    }
    try {
        predict(argv[1], argv[2]);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
