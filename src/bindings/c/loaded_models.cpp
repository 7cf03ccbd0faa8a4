#include "bindings/c/loaded_models.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace plumecast::c {
namespace {

/// The text of model.json; empty where it cannot be read, which loading then says.
std::string description_in(const std::string& path) {
    std::ifstream file(std::filesystem::path(path) / "model.json", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::shared_ptr<const Predictor> LoadedModels::load(const std::string& path, Backend& backend) {
    const std::lock_guard lock(mutex_);
    std::erase_if(known_, [](const Known& one) { return one.model.expired(); });
    Known wanted{path, description_in(path), {}};
    const auto found = std::ranges::find_if(known_, [&](const Known& one) {
        return !wanted.description.empty() && one.path == path && one.description == wanted.description;
    });
    if (found != known_.end()) {
        if (std::shared_ptr<const Predictor> model = found->model.lock()) {
            return model;
        }
    }
    auto model = std::make_shared<const Predictor>(path, backend);
    wanted.model = model;
    known_.push_back(std::move(wanted));
    return model;
}

}  // namespace plumecast::c
