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
#include <utility>
#include <vector>

#include <malloc.h>
#include <sched.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast.h>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inference/prediction/latest_plans.hpp"
#include "inference/prediction/prediction_slot.hpp"
#include "program.hpp"
#include "repeated_case.hpp"

namespace plumecast::bench {
namespace {

struct Options {
    std::string model, data, gradients;
    std::vector<std::string> only;
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
        } else if (call > 0 && call % 1000 == 0) {
            std::fprintf(stderr, "after %d calls: %+.0f bytes\n", call, resident() - after_all_grids);
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
    FieldCotangents views;
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
    print("record_and_pull_back_seconds", times[1]);
    print("record_and_pull_back_over_predict", times[1] / times[0]);
}

/// What is measured, in this order, by the names that --only takes.
const std::vector<std::pair<std::string, void (*)(const Options&)>>& measurements() {
    static const std::vector<std::pair<std::string, void (*)(const Options&)>> all = {{"one_case", one_case},
                                                                                      {"many_cases", many_cases},
                                                                                      {"two_threads", two_threads},
                                                                                      {"memory", memory},
                                                                                      {"gradients", gradients}};
    return all;
}

std::vector<std::string> names_of_measurements() {
    std::vector<std::string> names;
    for (const auto& [name, measure] : measurements()) {
        names.push_back(name);
    }
    return names;
}

bool is_wanted(const Options& options, const std::string& name) {
    return (options.only.empty() || std::ranges::count(options.only, name) > 0) &&
           (name != "gradients" || !options.gradients.empty());
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
    app.add_option("--only", options.only, "Measure nothing but these")->check(CLI::IsMember(names_of_measurements()));
    CLI11_PARSE(app, argc, argv);
    std::printf("{\n");
    for (const auto& [name, measure] : measurements()) {
        if (is_wanted(options, name)) {
            measure(options);
        }
    }
    std::printf("  \"version\": \"%s\"\n}\n", plumecast_version());
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
