#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <nanobind/nanobind.h>

#include <plumecast.h>

#include "bindings/python/arrays.hpp"
#include "bindings/python/unlocked.hpp"

namespace plumecast::python {

/// Releases a handle of plumecast.h.
struct Release {
    void operator()(plumecast_device* device) const { release(plumecast_device_release, device); }
    void operator()(plumecast_model* model) const { release(plumecast_model_release, model); }
    void operator()(plumecast_cases* cases) const { release(plumecast_cases_release, cases); }
    void operator()(plumecast_recording* recording) const { release(plumecast_recording_release, recording); }
    void operator()(plumecast_network* network) const { release(plumecast_network_release, network); }

   private:
    template <class Handle>
    static void release(void (*by)(Handle*), Handle* handle) {
        if (!is_cut_off()) {
            by(handle);
        }
    }
};

template <class Handle>
using Owned = std::unique_ptr<Handle, Release>;

class Device {
   public:
    Device(const std::string& name, int threads, bool bfloat16, std::uint64_t memory_limit, int spectral,
           double memory_share);
    const char* description() const;
    void trim();
    const plumecast_device* get() const { return handle_.get(); }

   private:
    Owned<plumecast_device> handle_;
};

class Model {
   public:
    Model(const Device& device, const std::string& path);
    const char* description() const;  ///< JSON
    const char* hash() const;
    const plumecast_model* get() const { return handle_.get(); }

   private:
    Owned<plumecast_model> handle_;
};

/// Cases, which hold on to the arrays that they look at. Calls take turns, as cases belong to one thread at a
/// time; a callback of a call may ask for the extents.
class Cases {
   public:
    explicit Cases(Owned<plumecast_cases> handle) : handle_(std::move(handle)) {}
    static std::unique_ptr<Cases> create();
    static std::unique_ptr<Cases> create_generic(const std::string& axes);
    static std::unique_ptr<Cases> open(const std::string& path);
    void set(const std::string& name, const std::string& unit, const InputArray& array);
    std::string check();  ///< violations as JSON
    void write(const std::string& path);
    nanobind::tuple extents();
    plumecast_cases* get() const { return handle_.get(); }
    std::recursive_mutex& turn() { return turn_; }

   private:
    Owned<plumecast_cases> handle_;
    std::map<std::string, InputArray> arrays_;
    std::recursive_mutex turn_;
};

/// A forward pass whose tape is kept, with the cases that it looks at.
class Recording {
   public:
    Recording(Owned<plumecast_recording> handle, nanobind::object cases)
        : handle_(std::move(handle)), cases_(std::move(cases)) {}
    void pull_back(const nanobind::dict& weights, const nanobind::dict& gradients);
    std::vector<double> series(const std::string& name, std::size_t count);
    std::vector<std::int64_t> retaken_steps(std::size_t cases);

   private:
    Owned<plumecast_recording> handle_;
    nanobind::object cases_;
    std::recursive_mutex turn_;
};

/// A network whose weights may be changed. Any number of threads may run it at once.
class Network {
   public:
    explicit Network(Owned<plumecast_network> handle) : handle_(std::move(handle)) {}
    static std::unique_ptr<Network> create(const Device& device, const std::string& configuration, std::uint64_t seed);
    static std::unique_ptr<Network> of_model(const Model& model, const std::string& field);
    const char* description() const;  ///< JSON
    void read(const nanobind::dict& parameters) const;
    void assign(const nanobind::dict& parameters);
    void forward(const InputArray& channels, const WritableArray& prediction, bool training);
    void vjp(const InputArray& channels, const InputArray& cotangent, const nanobind::object& by_channels,
             const nanobind::dict& by_parameters, bool training);
    void load(const std::string& path);
    void save(const std::string& path, const std::string& title) const;
    plumecast_network* get() const { return handle_.get(); }

   private:
    Owned<plumecast_network> handle_;
};

/// Binds the classes and functions of a source.
void bind_cases(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_options(nanobind::module_& module);
void bind_predict(nanobind::module_& module);
void bind_gradients(nanobind::module_& module);
void bind_metrics(nanobind::module_& module);
void bind_network(nanobind::module_& module);
void bind_training(nanobind::module_& module);
void bind_inversion(nanobind::module_& module);

}  // namespace plumecast::python
