#include "architectures/architecture.hpp"

#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

namespace plumecast {
namespace {

constexpr Architecture table[] = {
    {"fno", fourier_network, least_fourier_weights},
    {"conv_fno", fourier_network, least_fourier_weights},
    {"ufno", fourier_network, least_fourier_weights},
    {"cnn", cnn, least_cnn_weights},
};

}  // namespace

std::span<const Architecture> architectures() { return table; }

std::vector<std::string> names_of_architectures() {
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
    const std::vector<std::string> names = names_of_architectures();
    std::string known;
    for (const std::string& one : names) {
        known += (known.empty() ? "" : ", ") + one;
    }
    const std::string near = nearest(name, names);
    throw InvalidInput("unknown architecture '" + std::string(name) + "' (known: " + known + "); " +
                       (near.empty() ? "choose one of them" : "did you mean '" + near + "'?"));
}

}  // namespace plumecast
