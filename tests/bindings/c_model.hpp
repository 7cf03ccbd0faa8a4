#pragma once

#include <plumecast.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {

/// An array of C; the extents must outlive it.
inline plumecast_array c_array(const void* data, ElementType type, std::vector<std::int64_t>& extents) {
    plumecast_array array{};
    array.data = const_cast<void*>(data);
    array.device = {PLUMECAST_HOST, 0};
    array.ndim = static_cast<std::int32_t>(extents.size());
    const std::string name(name_of(type));
    array.dtype.code = name[0] == 'f' ? PLUMECAST_FLOAT : name[0] == 'u' ? PLUMECAST_UINT : PLUMECAST_INT;
    array.dtype.bits = static_cast<std::uint8_t>(8 * size_of(type));
    array.dtype.lanes = 1;
    array.shape = extents.data();
    return array;
}

/// The CPU with one thread.
inline plumecast_device* open_cpu() {
    plumecast_device* device = nullptr;
    plumecast_device_options options{};
    options.size = sizeof options;
    options.threads = 1;
    plumecast_device_open("cpu", &options, &device);
    return device;
}

/// A tiny model, as a rule a guided one, and its cases behind the C face.
class CModel {
   public:
    explicit CModel(const NetworkDescription& description = tiny_guided_network("fno")) {
        write_guided_sample(folder_);
        write_tiny_model(path(), *make_cpu_backend({.threads = 1}), description);
        device = open_cpu();
        plumecast_model_load(device, path().c_str(), &model);
        cases = cases_of(content_);
    }
    ~CModel() {
        plumecast_cases_release(cases);
        plumecast_model_release(model);
        plumecast_device_release(device);
    }
    CModel(const CModel&) = delete;
    CModel& operator=(const CModel&) = delete;

    /// Cases with the arrays of `content`, which must outlive them.
    static plumecast_cases* cases_of(const DatasetContent& content) {
        plumecast_cases* cases = nullptr;
        plumecast_cases_create(&cases);
        for (auto& [name, view] : views_of(content).arrays) {
            std::vector<std::int64_t> extents = view.extents;
            const plumecast_array array = c_array(view.data, view.type, extents);
            plumecast_cases_set(cases, name.c_str(), view.unit.c_str(), &array);
        }
        return cases;
    }
    /// Predicts the saturation [3, 3, 4, 5] of the cases.
    plumecast_status predict(std::vector<float>& values, const plumecast_options* options = nullptr) const {
        values.assign(180, -7.0F);
        std::vector<std::int64_t> extents = {3, 3, 4, 5};
        const plumecast_named output{"gas_saturation", c_array(values.data(), ElementType::float32, extents)};
        return plumecast_predict(model, cases, &output, 1, options);
    }
    std::string path() const { return folder_.file("model"); }
    std::string data() const { return folder_.file("guided.h5"); }
    std::string file(const std::string& name) const { return folder_.file(name); }
    const DatasetContent& content() const { return content_; }

    plumecast_device* device = nullptr;
    plumecast_model* model = nullptr;
    plumecast_cases* cases = nullptr;

   private:
    ScratchFolder folder_;
    DatasetContent content_ = guided_content();
};

}  // namespace plumecast::testing
