// Writes networks as ONNX files, with inputs and what this library computes from them, for onnxruntime to be compared.
// Usage: write_onnx FOLDER [MODEL...]     small networks of each architecture, and the models
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <plumecast/architectures/describe.hpp>

#include "inference/exported_network.hpp"
#include "onnx/export_onnx.hpp"
#include "passes/fold_constants.hpp"
#include "support/comparison.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

namespace fs = std::filesystem;

Shape field_shape(std::int64_t batch, const Shape& extents, std::int64_t channels) {
    Shape shape{batch};
    for (const std::int64_t extent : extents.extents()) {
        shape = shape.append(extent);
    }
    return shape.append(channels);
}

class Writer {
   public:
    Writer(Backend& backend, fs::path folder) : backend_(&backend), folder_(std::move(folder)) {}

    void file(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
    }
    /// A random input, also written.
    Tensor random(Json& sample, const std::string& name, const Shape& shape) const {
        const Tensor host = random_tensor(shape, DType::float32, name);
        Tensor value(backend_->memory(), shape, backend_->compute_type());
        backend_->upload(host, value);
        array(sample["inputs"][name], *sample.find("name")->get_if<std::string>() + "." + name, host);
        return value;
    }
    void expected(Json& sample, const Tensor& result) {
        Tensor host = host_zeros(result.shape());
        backend_->download(result.view(), host);
        array(sample["expected"], *sample.find("name")->get_if<std::string>() + ".expected", host);
        samples_.push_back(sample);
    }
    void finish() const { file("samples.json", Json(samples_).dump()); }

   private:
    void array(Json& entry, const std::string& name, const Tensor& host) const {
        Json::Array shape;
        for (const std::int64_t extent : host.shape().extents()) {
            shape.emplace_back(extent);
        }
        entry = Json::Object{{"file", name}, {"shape", shape}};
        const auto values = host.values<float>();
        file(name, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    }

    Backend* backend_;
    fs::path folder_;
    Json::Array samples_;
};

Json sample_of(const std::string& model, std::int64_t batch) {
    return Json::Object{
        {"name", model + "." + std::to_string(batch)}, {"model", model + ".onnx"}, {"inputs", Json::Object{}}};
}

void write_small(Writer& writer, Backend& backend, const std::string& name, const NetworkConfig& config,
                 const Shape& extents) {
    const auto network = small_network(backend, config);
    const NetworkShapes shapes = whole_input(config, 1, extents);
    const auto weight = [&](const std::string& of) { return network->parameters().at(of).weight.value(); };
    const auto on_host = [&](const std::string& of) {
        Tensor host = host_zeros(network->parameters().at(of).whole);
        backend.download(weight(of), host);
        return host;
    };
    const Graph graph = fold_constants(backend, describe(config, shapes, ExecutionMode::evaluation), weight);
    writer.file(name + ".onnx", onnx_file(graph, on_host, {{"name", name}}));
    for (const std::int64_t batch : {1, 3}) {
        Json sample = sample_of(name, batch);
        NetworkInput input{{}, batch, extents};
        input.groups.push_back({shapes.groups.front().channels,
                                writer.random(sample, "channels", field_shape(batch, extents, config.channels))});
        writer.expected(sample, described_prediction(*network, input));
    }
}

void write_all_small(Writer& writer, Backend& backend) {
    for (const std::string& architecture : architecture_names()) {
        write_small(writer, backend, architecture, small_config(architecture), {5, 7, 3});
        write_small(writer, backend, architecture + "_3d", small_config_3d(architecture), {3, 4, 5, 2});
    }
    for (const auto& [name, kind] : {std::pair{"tanh", Activation::Kind::tanh},
                                     {"gelu", Activation::Kind::gelu},
                                     {"leaky_relu", Activation::Kind::leaky_relu}}) {
        NetworkConfig config = small_config("fno");
        config.activation = {kind};
        write_small(writer, backend, name, config, {4, 4, 3});
    }
}

void write_model(Writer& writer, Backend& backend, const std::string& path) {
    const Bundle bundle = Bundle::load(path, backend);
    const FieldNetwork& network = *bundle.networks.front().network;
    const Shape extents = grid_of_training(bundle);
    const std::string name = fs::path(path).filename().string();
    writer.file(name + ".onnx", exported_network(network, extents));
    Json sample = sample_of(name, 2);
    const NetworkConfig& config = network.description().network;
    FieldInput input;
    input.network.batch = 2;
    input.network.extents = extents;
    input.network.groups.push_back({whole_input(config, 1, extents).groups.front().channels,
                                    writer.random(sample, "channels", field_shape(2, extents, config.channels))});
    if (network.description().corrects_physics()) {
        input.base = writer.random(sample, "base", field_shape(2, extents, config.fields));
        input.correction = writer.random(sample, "correction", field_shape(2, extents, config.fields));
    }
    writer.expected(sample, described_fields(network, input));
}

}  // namespace
}  // namespace plumecast::testing

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: write_onnx FOLDER [MODEL...]\n", stderr);
        return 2;
    }
    const auto backend = plumecast::make_cpu_backend({.threads = 1});
    plumecast::testing::Writer writer(*backend, argv[1]);
    plumecast::testing::write_all_small(writer, *backend);
    for (int i = 2; i < argc; ++i) {
        plumecast::testing::write_model(writer, *backend, argv[i]);
    }
    writer.finish();
    return 0;
}
