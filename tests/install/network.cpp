// A program that uses networks and no data sets: links plumecast::nn, and with it plumecast::io, alone.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/architectures/network.hpp>
#include <plumecast/architectures/weights_file.hpp>
#include <plumecast/backend/backend.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

using namespace plumecast;

namespace {

/// Writes a safetensors file, as another program would, in which every number of a network is 1/64.
void write_file(const std::string& path, const Parameters& parameters) {
    std::string header;
    std::uint64_t numbers = 0;
    for (const Parameter& one : parameters.all()) {
        std::string extents;
        for (const std::int64_t extent : one.whole.extents()) {
            extents += (extents.empty() ? "" : ",") + std::to_string(extent);
        }
        const auto count = static_cast<std::uint64_t>(one.whole.count());
        header += (header.empty() ? "" : ",") +
                  ('"' + one.name + R"(":{"dtype":"F32","shape":[)" + extents + R"(],"data_offsets":[)" +
                   std::to_string(4 * numbers) + "," + std::to_string(4 * (numbers + count)) + "]}");
        numbers += count;
    }
    header = "{" + header + "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::ofstream file(path, std::ios::binary);
    for (int byte = 0; byte < 8; ++byte) {
        file.put(static_cast<char>(header.size() >> (8 * byte)));
    }
    file << header;
    for (std::uint64_t i = 0; i < numbers; ++i) {
        file << std::string("\x00\x00\x80\x3c", 4);  // 1/64 in little-endian float32
    }
}

/// The sum of squares of what a network makes of ones.
double squares_of(Backend& backend, const Network& network) {
    const Feed weights = [&](const std::string& name) { return network.parameters().at(name).weight.value(); };
    const Graph described =
        describe(network.config(), whole_input(network.config(), 1, Shape{6, 8, 4}), ExecutionMode::evaluation);
    const Plan plan(backend, for_prediction(backend, described, weights), weights);
    Tensor x(backend.memory(), Shape{1, 6, 8, 4, 2}, DType::float32);
    Tensor y(backend.memory(), Shape{1, 6, 8, 4, 1}, DType::float32);
    backend.fill(x, 1.0);
    Tensor workspace = plan.make_workspace();
    const View outputs[] = {y.view()};
    plan.run(
        workspace, [&](const std::string&) { return static_cast<const Tensor&>(x).view(); }, outputs);
    return backend.squared_norm(y);
}

}  // namespace

int main() {
    const auto backend = make_cpu_backend({.threads = 1});
    NetworkConfig config = NetworkConfig::published("fno");
    config.channels = 2;
    config.width = 4;
    config.modes = {2, 2, 2};
    const Network network(*backend, config, 7);
    const double drawn = squares_of(*backend, network);
    const std::string path = std::filesystem::temp_directory_path() / "plumecast_consumer_weights.safetensors";
    write_file(path, network.parameters());
    read_weights(path, network.parameters());
    std::remove(path.c_str());
    const Tensor lift = network.parameters().download(network.parameters().at("lift.weight"));
    const double loaded = squares_of(*backend, network);
    const bool right = std::isfinite(drawn) && drawn > 0.0 && std::isfinite(loaded) && loaded > 0.0 &&
                       lift.values<float>()[0] == 0.015625F;
    std::printf("plumecast::nn on %s: %s\n", backend->description().c_str(),
                right ? "usable, with weights of a file" : "wrong");
    return right ? 0 : 1;
}
