#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/predictor.hpp>

namespace plumecast::c {

/// The models of a device that are in use, so that one that is loaded again shares weights and plans. Knows them as
/// long as somebody has them. Safe for any number of threads.
class LoadedModels {
   public:
    /// The model of a folder on the backend of the device: one that was loaded from there, if its model.json, which
    /// names the hashes of the weights, has not changed since. Throws InvalidModel.
    std::shared_ptr<const Predictor> load(const std::string& path, Backend& backend);

   private:
    struct Known {
        std::string path, description;
        std::weak_ptr<const Predictor> model;
    };

    std::mutex mutex_;
    std::list<Known> known_;
};

}  // namespace plumecast::c
