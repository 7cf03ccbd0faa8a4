#include "architectures/architecture.hpp"

#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

namespace plumecast {
namespace {

constexpr Architecture table[] = {
    {.name = "fno",
     .body = fourier_network,
     .least_weights = least_fourier_weights,
     .set_usual = set_usual_fno,
     .is_plain = true},
    {.name = "conv_fno", .body = fourier_network, .least_weights = least_fourier_weights, .convolves = true},
    {.name = "ufno", .body = fourier_network, .least_weights = least_fourier_weights, .multiple = 8, .convolves = true},
    {.name = "cnn",
     .body = cnn,
     .least_weights = least_cnn_weights,
     .set_usual = set_usual_cnn,
     .width_3d = 16,
     .multiple = 8,
     .convolves = true,
     .ignores_modes = true},
    {.name = "f_fno", .body = f_fno, .set_usual = set_usual_f_fno, .is_plain = true},
    {.name = "uno", .body = uno, .set_usual = set_usual_uno, .multiple = 4, .is_plain = true},
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
