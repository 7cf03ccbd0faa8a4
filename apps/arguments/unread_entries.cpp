#include "arguments/unread_entries.hpp"

#include <fmt/format.h>

namespace plumecast::app {

void warn_of_unread(const Recipe& recipe, Console& console) {
    const NetworkConfig& network = recipe.network.network;
    for (const std::string& name : network.unread()) {
        console.warn(
            fmt::format("network.{} has no effect (nothing reads it in a {}, which has no Fourier blocks); leave "
                        "it out",
                        name, network.architecture));
    }
}

}  // namespace plumecast::app
