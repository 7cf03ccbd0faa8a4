#include <algorithm>

#include <plumecast/architectures/weights_file.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/io/safetensors.hpp>

namespace plumecast {
namespace {

Tensor as_float32(Tensor values) {
    if (values.type() == DType::float32) {
        return values;
    }
    Tensor rounded(host_memory(), values.shape(), DType::float32);
    std::ranges::transform(values.values<double>(), rounded.values<float>().begin(),
                           [](double value) { return static_cast<float>(value); });
    return rounded;
}

}  // namespace

void write_weights(const std::filesystem::path& path, const Parameters& parameters,
                   const std::map<std::string, std::string>& metadata) {
    std::vector<Tensor> values;
    std::vector<NamedView> arrays;
    for (const Parameter& parameter : parameters.all()) {
        values.push_back(as_float32(parameters.download(parameter)));
        arrays.push_back({parameter.name, values.back().view()});
        if (!is_finite(arrays.back().values)) {
            throw InvalidInput("weight '" + parameter.name +
                               "' is not finite (the training diverged); go back to an earlier checkpoint and lower "
                               "the learning rate");
        }
    }
    write_safetensors(path, arrays, metadata);
}

}  // namespace plumecast
