#include <plumecast/architectures/weights_file.hpp>

#include <algorithm>
#include <cmath>

#include <plumecast/core/error.hpp>
#include <plumecast/io/safetensors.hpp>

namespace plumecast {
namespace {

template <class T>
bool all_finite(ConstView values) {
    const T* begin = values.as<T>();
    return std::all_of(begin, begin + values.shape.count(), [](T value) { return std::isfinite(value); });
}

[[noreturn]] void refuse_file(const SafetensorsFile& file, const std::string& problem, const std::string& remedy) {
    throw InvalidModel(file.path().string() + ": " + problem + "; " + remedy);
}

void check_array(const SafetensorsFile& file, const Parameter& parameter) {
    const std::string& name = parameter.name;
    if (!file.contains(name)) {
        refuse_file(file, "array '" + name + "' is missing (the network that model.json describes has it)",
                    "copy the bundle again, or correct model.json");
    }
    if (file.shape(name) != parameter.whole) {
        refuse_file(file,
                    "array '" + name + "' has shape " + file.shape(name).text() + " (the network needs " +
                        parameter.whole.text() + ")",
                    "correct width, modes and channels in model.json");
    }
    if (file.dtype(name) != "F32") {
        refuse_file(file, "array '" + name + "' holds " + std::string(file.dtype(name)) + " (weights are F32)",
                    "write the model again");
    }
}

}  // namespace

bool is_finite(ConstView values) {
    return values.type == DType::float32 ? all_finite<float>(values) : all_finite<double>(values);
}

void read_weights(const std::filesystem::path& path, const Parameters& parameters) {
    const SafetensorsFile file(path);
    for (const Parameter& parameter : parameters.all()) {
        check_array(file, parameter);
    }
    for (const std::string& name : file.names()) {
        if (std::ranges::find(parameters.all(), name, &Parameter::name) == parameters.all().end()) {
            refuse_file(file, "array '" + name.substr(0, 64) + "' is left over (the network has none of that name)",
                        "correct architecture and blocks in model.json");
        }
    }
    for (const Parameter& parameter : parameters.all()) {
        const Tensor values = file.read(parameter.name);
        if (!is_finite(values)) {
            refuse_file(file, "array '" + parameter.name + "' holds a NaN or infinity (weights are finite)",
                        "use a model that was not damaged");
        }
        parameters.assign(parameter.name, values);
    }
}

}  // namespace plumecast
