#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast.h>
#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "bindings/c/loaded_models.hpp"
#include "inference/networks/writable_network.hpp"

/// What the handles of plumecast.h are. A model keeps its device; the arrays of cases stay the caller's.
struct plumecast_device {
    std::shared_ptr<plumecast::Backend> backend;
    std::string description;
    std::shared_ptr<plumecast::c::LoadedModels> models = std::make_shared<plumecast::c::LoadedModels>();
};

struct plumecast_model {
    /// An input or a field.
    struct Quantity {
        std::string name, unit, axes, long_name;
        bool is_required = true;
        double low = 0.0, high = 0.0;
        std::optional<plumecast::Range> trained = std::nullopt;
    };

    std::shared_ptr<plumecast::Backend> backend;
    std::shared_ptr<const plumecast::Predictor> predictor;
    std::vector<Quantity> inputs;
    std::vector<Quantity> fields;
    std::string hash;
    std::string description;                          // JSON
    std::map<std::string, std::vector<double>> axes;  // edges and times of the training, by name
};

struct plumecast_cases {
    std::optional<std::string> path;  // of cases in a file
    plumecast::MemoryCases memory;
    std::string report;      // of the last check
    std::string evaluation;  // of the last evaluation
    std::string series;      // of the last measuring

    plumecast::PredictionInput input() const {
        return path ? plumecast::PredictionInput(*path) : plumecast::PredictionInput(memory);
    }
    plumecast::Dataset dataset() const { return path ? plumecast::Dataset(*path) : plumecast::Dataset(memory); }
};

/// A network whose weights are its own.
struct plumecast_network {
    std::shared_ptr<plumecast::Backend> backend;
    plumecast::WritableNetwork network;
    std::string title;  // of the model that it comes from
    std::vector<plumecast::WeightArray> weights;
    std::string description;  // JSON
};

/// Keeps the model whose tape it is.
struct plumecast_recording {
    std::shared_ptr<plumecast::Backend> backend;
    std::shared_ptr<const plumecast::Predictor> predictor;
    plumecast::Recording recording;
};
