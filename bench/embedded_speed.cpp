// What a program that embeds the library pays beside the networks: from arrays to arrays over the bare pass, C over
// C++, many cases, two threads, a second predictor, the memory of many calls, and gradients over predictions.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>
#include <sched.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast.h>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inference/field_plan.hpp"
#include "inference/prediction/prediction_slot.hpp"
#include "program.hpp"

namespace plumecast::bench {
namespace {

struct Options {
    std::string model, data, gradients;
    int rounds = 7, calls = 0;
    std::int64_t cases = 1000;
};

double seconds_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Medians of several works, one after the other in each round.
std::vector<double> medians(int rounds, const std::vector<std::function<void()>>& works) {
    std::vector<std::vector<double>> times(works.size());
    for (int round = -1; round < rounds; ++round) {  // the first warms up
        for (std::size_t i = 0; i < works.size(); ++i) {
            const double seconds = seconds_of(works[i]);
            if (round >= 0) {
                times[i].push_back(seconds);
            }
        }
    }
    std::vector<double> found;
    for (std::vector<double>& one : times) {
        std::ranges::nth_element(one, one.begin() + static_cast<std::ptrdiff_t>(one.size() / 2));
        found.push_back(one[one.size() / 2]);
    }
    return found;
}

void print(const std::string& name, double value) { std::printf("  \"%s\": %.6g,\n", name.c_str(), value); }

/// Resident memory [bytes], with what the heap holds in reserve given back.
double resident() {
    malloc_trim(0);
    std::ifstream status("/proc/self/statm");
    double pages = 0.0;
    status >> pages >> pages;
    return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void require(plumecast_status status) {
    if (status != PLUMECAST_OK) {
        throw InvalidInput(plumecast_last_error());
    }
}

/// The first case of a data set in memory, as often as is asked for: one geology and one set of conditions, by strides
/// of 0.
class RepeatedCase {
   public:
    RepeatedCase(const std::string& path, std::int64_t count) : dataset_(path), count_(count) {
        const std::int64_t first = 0;
        const Shape whole = dataset_.space();
        const std::vector<std::int64_t> space(whole.extents().begin(), whole.extents().end());
        for (const ArraySpec& spec : dataset_arrays(dataset_.geometry())) {
            const std::string name(spec.name());
            if (spec.role == Role::map && dataset_.has(name)) {
                std::vector<float>& values = values_[name];
                values.resize(static_cast<std::size_t>(dataset_.cells()));
                dataset_.read_map(name, {&first, 1}, values);
                std::vector<std::int64_t> strides(space.size(), 1);
                for (std::size_t axis = space.size(); axis-- > 1;) {
                    strides[axis - 1] = strides[axis] * space[axis];
                }
                add(name, spec.unit, values.data(), space, strides);
            } else if (spec.role == Role::scalar && dataset_.has(name)) {
                values_[name] = {dataset_.scalar(name).front()};
                add(name, spec.unit, values_[name].data(), {}, {});
            }
        }
        axis("r_edges", dataset_.r_edges(), "m");
        axis("x_edges", dataset_.x_edges(), "m");
        axis("y_edges", dataset_.y_edges(), "m");
        axis("z_edges", dataset_.z_edges(), "m");
        axis("times", dataset_.times(), "day");
        for (const char* name :
             {"residual_gas_saturation", "entry_pressure", "rock_compressibility", "initial_brine_temperature"}) {
            if (const std::string text = dataset_.attribute(name); !text.empty()) {
                cases_.attributes[name] = text;
            }
        }
        extents_ = {count, dataset_.snapshots()};
        extents_.insert(extents_.end(), space.begin(), space.end());
    }
    RepeatedCase(const RepeatedCase&) = delete;
    RepeatedCase& operator=(const RepeatedCase&) = delete;

    const MemoryCases& cases() const { return cases_; }
    const std::vector<std::int64_t>& extents() const { return extents_; }
    std::size_t values() const { return static_cast<std::size_t>(count_ * dataset_.cells() * dataset_.snapshots()); }

    /// The same behind the C face.
    plumecast_cases* in_c() const {
        plumecast_cases* made = nullptr;
        require(plumecast_cases_create(&made));
        for (const auto& [name, view] : cases_.arrays) {
            std::vector<std::int64_t> extents = view.extents, strides = view.strides;
            plumecast_array array{};
            array.data = const_cast<void*>(view.data);
            array.device = {PLUMECAST_HOST, 0};
            array.ndim = static_cast<std::int32_t>(extents.size());
            array.dtype = {PLUMECAST_FLOAT, static_cast<std::uint8_t>(8 * size_of(view.type)), 1};
            array.shape = extents.data();
            array.strides = strides.empty() ? nullptr : strides.data();
            require(plumecast_cases_set(made, name.c_str(), view.unit.c_str(), &array));
        }
        return made;
    }

   private:
    void add(const std::string& name, const std::string& unit, const float* values, std::vector<std::int64_t> extents,
             std::vector<std::int64_t> strides) {
        extents.insert(extents.begin(), count_);
        strides.insert(strides.begin(), 0);
        cases_.arrays[name] = view_of(values, std::move(extents), unit, std::move(strides));
    }
    void axis(const std::string& name, const std::vector<double>& entries, const std::string& unit) {
        if (!entries.empty()) {
            cases_.arrays[name] = view_of(entries.data(), {static_cast<std::int64_t>(entries.size())}, unit);
        }
    }

    Dataset dataset_;
    std::int64_t count_;
    std::map<std::string, std::vector<float>> values_;
    MemoryCases cases_;
    std::vector<std::int64_t> extents_;
};

/// All fields of a model, in arrays.
class Fields {
   public:
    Fields(const Predictor& predictor, const RepeatedCase& cases) {
        for (const BundleNetwork& network : predictor.bundle().networks) {
            for (const Field& field : network.network->description().fields) {
                values_[field.name].resize(cases.values());
                outputs_.arrays[field.name] = output_to(values_[field.name].data(), cases.extents());
            }
        }
    }
    const PredictedArrays& outputs() const { return outputs_; }
    std::map<std::string, std::vector<float>>& values() { return values_; }

   private:
    std::map<std::string, std::vector<float>> values_;
    PredictedArrays outputs_;
};

/// The networks alone, on batches that are loaded.
class BarePass {
   public:
    BarePass(const Predictor& predictor, const Dataset& dataset, std::int64_t count) {
        std::vector<std::int64_t> cases(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < cases.size(); ++i) {
            cases[i] = static_cast<std::int64_t>(i);
        }
        for (const BundleNetwork& network : predictor.bundle().networks) {
            batches_.push_back(cases_for(network.network->description(), dataset, Targets::skip)->load(cases));
            plans_.push_back(std::make_unique<FieldPlans>(*network.network));
            slots_.push_back(std::make_unique<PredictionSlot>(*network.network, *plans_.back()));
        }
    }
    void run() {
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            slots_[i]->start(batches_[i]);
            slots_[i]->finish();
        }
    }

   private:
    std::vector<Batch> batches_;
    std::vector<std::unique_ptr<FieldPlans>> plans_;
    std::vector<std::unique_ptr<PredictionSlot>> slots_;
};

/// A model behind the C face.
class ModelInC {
   public:
    explicit ModelInC(const std::string& path) {
        plumecast_device* device = nullptr;
        require(plumecast_device_open("cpu", nullptr, &device));
        require(plumecast_model_load(device, path.c_str(), &model_));
        plumecast_device_release(device);
    }
    ~ModelInC() { plumecast_model_release(model_); }
    ModelInC(const ModelInC&) = delete;
    ModelInC& operator=(const ModelInC&) = delete;

    void predict(const plumecast_cases* cases, const PredictedArrays& to) const {
        std::vector<plumecast_named> outputs;
        for (const auto& [name, array] : to.arrays) {
            outputs.push_back({name.c_str(),
                               {array.data,
                                {PLUMECAST_HOST, 0},
                                static_cast<std::int32_t>(array.extents.size()),
                                {PLUMECAST_FLOAT, 32, 1},
                                const_cast<std::int64_t*>(array.extents.data()),
                                nullptr,
                                0}});
        }
        require(plumecast_predict(model_, cases, outputs.data(), outputs.size(), nullptr));
    }

   private:
    plumecast_model* model_ = nullptr;
};

PredictionOptions in_batches(std::int64_t size) {
    PredictionOptions options;
    options.batch = size;
    return options;
}

void one_case(const Options& options) {
    const auto backend = make_cpu_backend();
    const Predictor predictor(options.model, *backend);
    const RepeatedCase one(options.data, 1);
    const Dataset dataset(one.cases());
    Fields fields(predictor, one), of_c(predictor, one);
    BarePass bare(predictor, dataset, 1);
    const ModelInC in_c(options.model);
    plumecast_cases* cases = one.in_c();
    const std::vector<double> times = medians(
        options.rounds, {[&] { bare.run(); }, [&] { predictor.predict(one.cases(), fields.outputs(), in_batches(0)); },
                         [&] { in_c.predict(cases, of_c.outputs()); }});
    plumecast_cases_release(cases);
    print("bare_pass_seconds", times[0]);
    print("arrays_to_arrays_over_bare_pass", times[1] / times[0]);
    print("c_over_cpp", times[2] / times[1]);
}

void many_cases(const Options& options) {
    constexpr std::int64_t batch = 4;
    const auto backend = make_cpu_backend();
    const Predictor predictor(options.model, *backend);
    const RepeatedCase four(options.data, batch), many(options.data, options.cases);
    const Dataset dataset(four.cases());
    BarePass bare(predictor, dataset, batch);
    Fields fields(predictor, many);
    PredictionReport report;
    const std::vector<double> times =
        medians(1, {[&] { report = predictor.predict(many.cases(), fields.outputs(), in_batches(batch)); }});
    const double pass = medians(options.rounds, {[&] { bare.run(); }})[0];
    print("cases", static_cast<double>(options.cases));
    print("many_cases_rate_of_networks", pass * static_cast<double>(options.cases) / batch / times[0]);
    print("many_cases_physics_share", report.stages.physics / report.seconds);
}

/// A thread that works on one core, with the threads that it starts: a prediction loads cases in one of its own.
std::jthread on_core(std::size_t core, const std::function<void()>& work) {
    return std::jthread([core, work] {
        cpu_set_t one{};
        CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
        work();
    });
}

void two_threads(const Options& options) {
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor predictor(options.model, *backend);
    const RepeatedCase one(options.data, 4);
    Fields first(predictor, one), second(predictor, one), alone(predictor, one);
    const auto predict = [&](Fields& to) { predictor.predict(one.cases(), to.outputs(), in_batches(1)); };
    const auto both = [&] {
        const std::jthread other = on_core(1, [&] { predict(second); });
        on_core(0, [&] { predict(first); });
    };
    const std::vector<double> times = medians(options.rounds, {[&] { on_core(0, [&] { predict(alone); }); }, both});
    bool is_same = true;
    for (const auto& [name, values] : alone.values()) {
        const std::size_t bytes = values.size() * sizeof(float);
        is_same = is_same && std::memcmp(values.data(), first.values()[name].data(), bytes) == 0 &&
                  std::memcmp(values.data(), second.values()[name].data(), bytes) == 0;
    }
    print("two_threads_over_one", 2.0 * times[0] / times[1]);
    print("two_threads_same_bits", is_same ? 1.0 : 0.0);
}

void memory(const Options& options) {
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor predictor(options.model, *backend);
    const RepeatedCase one(options.data, 1);
    Fields fields(predictor, one);
    predictor.predict(one.cases(), fields.outputs(), in_batches(1));
    const double before = resident();
    const Predictor second = predictor;  // on the same weights
    second.predict(one.cases(), fields.outputs(), in_batches(1));
    print("second_predictor_bytes", resident() - before);
    if (options.calls == 0) {
        return;
    }
    // Grids that differ in how deep they reach, by a thousandth each.
    constexpr int grids = 20;
    const Dataset dataset(options.data);
    std::vector<std::vector<double>> edges(grids, dataset.z_edges());
    for (int grid = 0; grid < grids; ++grid) {
        for (double& edge : edges[static_cast<std::size_t>(grid)]) {
            edge *= 1.0 - 1e-3 * grid;
        }
    }
    double after_all_grids = 0.0;
    for (int call = 0; call < options.calls; ++call) {
        MemoryCases cases = one.cases();
        const std::vector<double>& own = edges[static_cast<std::size_t>(call % grids)];
        cases.arrays["z_edges"] = view_of(own.data(), {static_cast<std::int64_t>(own.size())}, "m");
        predictor.predict(cases, fields.outputs(), in_batches(1));
        if (call == options.calls / 10) {
            after_all_grids = resident();
        }
    }
    print("calls", options.calls);
    print("bytes_grown_in_the_last_nine_tenths_of_calls", resident() - after_all_grids);
}

void gradients(const Options& options) {
    const auto backend = make_cpu_backend();
    const Predictor predictor(options.gradients, *backend);
    const RepeatedCase one(options.data, 1);
    Fields fields(predictor, one), weights(predictor, one);
    FieldWeights views;
    for (auto& [name, values] : weights.values()) {
        std::ranges::fill(values, 1.0F);
        views[name] = view_of(values.data(), one.extents(), "");
    }
    std::vector<float> slopes(one.values() / static_cast<std::size_t>(one.extents()[1]));
    std::vector<std::int64_t> map = one.extents();
    map.erase(map.begin() + 1);
    const std::string input = map.size() == 3 ? "permeability_r" : "permeability_x";
    const std::vector<double> times = medians(
        options.rounds,
        {[&] { predictor.predict(one.cases(), fields.outputs(), in_batches(1)); },
         [&] {
             predictor.record(one.cases(), in_batches(1)).pull_back(views, {{input, output_to(slopes.data(), map)}});
         }});
    print("record_and_pull_back_over_predict", times[1] / times[0]);
}

int run(int argc, char** argv) {
    CLI::App app("Prints ratios and bytes as JSON; medians of rounds in turn. Let nothing else run beside it.");
    Options options;
    app.add_option("model", options.model, "Folder of a model")->required();
    app.add_option("data", options.data, "Data set on the model's grid, of which the first case is taken")->required();
    app.add_option("--gradients", options.gradients, "Model on that grid that has gradients, for the last number");
    app.add_option("--rounds", options.rounds)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--cases", options.cases, "Cases predicted in one call")->capture_default_str();
    app.add_option("--calls", options.calls, "Calls over 20 grids whose memory is to stay flat")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    std::printf("{\n");
    one_case(options);
    many_cases(options);
    two_threads(options);
    memory(options);
    if (!options.gradients.empty()) {
        gradients(options);
    }
    std::printf("  \"version\": \"%s\"\n}\n", plumecast_version());
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
