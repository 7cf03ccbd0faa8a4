#include "architectures/architecture.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

namespace plumecast {
namespace {

/// In floating point, as the others: the products of a hostile description overflow integers.
double real(std::int64_t count) { return static_cast<double>(count); }

/// Numbers of a convolution of kernel 3 for each pair of channels.
double kernel_numbers(const NetworkConfig& config) {
    return (config.space_axes() == 3 ? 27.0 : 9.0) * real(config.time_kernel);
}

double least_fourier_weights(const NetworkConfig& config) {
    const double width = real(config.width);
    double modes = 1.0;
    for (const std::int64_t kept : config.modes) {
        modes *= real(kept) * 2.0;
    }
    return (real(config.fourier_blocks) + real(config.extended_blocks)) * modes * width * width +
           real(config.extended_blocks) * kernel_numbers(config) * width * width +
           real(config.hidden) * (width + real(config.fields));
}

double least_cnn_weights(const NetworkConfig& config) {
    constexpr double widest = 8.0;
    const double width = real(config.width), kernel = kernel_numbers(config);
    return kernel * (2.0 * real(config.residual_blocks) + 1.0) * widest * width * widest * width +
           kernel * real(config.fields) * width;
}

constexpr Architecture table[] = {
    {"fno", fourier_network, least_fourier_weights},
    {"conv_fno", fourier_network, least_fourier_weights},
    {"ufno", fourier_network, least_fourier_weights},
    {"cnn", cnn, least_cnn_weights},
};

}  // namespace

std::span<const Architecture> architectures() { return table; }

std::vector<std::string> architecture_names() {
    std::vector<std::string> names;
    for (const Architecture& one : architectures()) {
        names.emplace_back(one.name);
    }
    return names;
}

const Architecture& architecture_of(std::string_view name) {
    for (const Architecture& one : architectures()) {
        if (one.name == name) {
            return one;
        }
    }
    const std::vector<std::string> names = architecture_names();
    std::string known;
    for (const std::string& one : names) {
        known += (known.empty() ? "" : ", ") + one;
    }
    const std::string near = nearest(name, names);
    throw InvalidInput("unknown architecture '" + std::string(name) + "' (known: " + known + "); " +
                       (near.empty() ? "choose one of them" : "did you mean '" + near + "'?"));
}

bool has_more_weights(const NetworkConfig& config, double numbers) {
    const Architecture& architecture = architecture_of(config.architecture);
    const double lift = real(config.channels) * real(config.width);
    const double body = architecture.least_weights == nullptr ? 0.0 : architecture.least_weights(config);
    const double blocks = real(std::max({config.fourier_blocks, config.extended_blocks, config.residual_blocks}));
    if (lift + body > numbers || blocks > numbers) {
        return true;
    }
    double all = 0.0;
    for (const WeightOp& weight : smallest_graph(config).weights()) {
        double one = 1.0;
        for (const std::int64_t extent : weight.shape.extents()) {
            one *= real(extent);
        }
        all += one;
    }
    return all > numbers;
}

}  // namespace plumecast
