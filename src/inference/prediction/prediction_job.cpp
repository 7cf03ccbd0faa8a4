#include "inference/prediction/prediction_job.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include <plumecast/reservoir/dataset/schema.hpp>

#include "inference/bundle/recorded.hpp"
#include "inference/guided/recorded_grids.hpp"
#include "inference/prediction/prediction_pass.hpp"
#include "inference/stream/case_set.hpp"
#include "inference/stream/case_stream.hpp"

namespace plumecast {
namespace {

/// The cases as the networks that are wanted take them; their physics is computed while batches are loaded.
CaseSet cases_of(const LoadedModel& model, const PredictionJob& job, const PredictionOptions& options) {
    if (!job.input.dataset) {
        return CaseSet(job.input.name);
    }
    std::vector<const NetworkDescription*> networks;
    for (const std::size_t i : job.wanted.networks) {
        networks.push_back(&model.bundle().networks[i].network->description());
    }
    PhysicsOptions physics;
    physics.log = model.is_first() ? options.log : nullptr;
    physics.failures = job.failures;
    physics.kept_bytes = options.physics_bytes;
    physics.threads = model.backend().shares_host_memory() ? model.backend().host_threads() : 0;
    return CaseSet(*job.input.dataset, networks, std::move(physics),
                   job.is_other_grid ? recorded_grid(model.bundle()) : std::nullopt);
}

}  // namespace

void run_networks(const LoadedModel& model, PredictionJob& job, const PredictionOptions& options,
                  PredictionReport& report) {
    const CaseSet cases = cases_of(model, job, options);
    const auto all_passes = static_cast<std::int64_t>(job.wanted.networks.size()) * report.cases;
    const std::int64_t at_once = cases.cases_at_once(report.cases);
    for (std::int64_t begin = 0; begin < report.cases; begin += at_once) {
        for (const std::size_t i : job.wanted.networks) {
            CaseStream stream(*model.bundle().networks[i].network, cases,
                              {.physics_fields = job.wanted.physics_fields[i], .fields_on = FieldsOn::first_rank});
            PredictionPass(model.plans()[i], stream,
                           {job.store.get(), &job.corrections, job.input.data(), job.failures.get(), &job.dissolved,
                            &job.injected, job.wanted.has_bands ? &model.trust().field_bands : nullptr,
                            job.physics.get(), job.spread.get(), job.judged.get()},
                           options, {begin, std::min(begin + at_once, report.cases)}, all_passes)
                .run(report);
        }
        cases.forget();
    }
    report.physics = cases.physics().computed();
}

void settle_unanswered(const PredictionJob& job, PredictionReport& report) {
    if (!job.input.dataset) {
        return;
    }
    const Dataset& dataset = *job.input.dataset;
    const auto cells = static_cast<std::size_t>(dataset.cells());
    const std::vector<float> zeros(cells * static_cast<std::size_t>(dataset.snapshots()));
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        const bool has_failed = report.failed.contains(which);
        if (!has_failed && !dataset.injects_nothing(which)) {
            continue;
        }
        std::vector<float> active(cells);  // none where it failed, so that all is NaN
        if (!has_failed) {
            dataset.read_map("active", {&which, 1}, active);
        }
        const auto settle = [&](ResultStore& store, const std::vector<std::string>& fields) {
            for (const std::string& field : fields) {
                if (const auto rest = store.put(field, which, zeros, active)) {
                    rest();
                }
            }
        };
        settle(*job.store, job.wanted.fields);
        if (job.judged) {
            settle(*job.judged, job.wanted.judged);
        }
    }
}

std::unique_ptr<ResultStore> judged_store(const LoadedModel& model, PredictionJob& job,
                                          const PredictionOutput& output) {
    if (job.wanted.judged.empty()) {
        return nullptr;
    }
    if (const auto* path = std::get_if<std::string>(&output)) {
        return store_of(*path + ".judged", job.input, job.wanted.judged, {}, units_of(model.bundle()));
    }
    std::vector<std::int64_t> extents{job.input.cases, job.input.extents[-1]};
    for (int axis = 0; axis + 1 < job.input.extents.rank(); ++axis) {
        extents.push_back(job.input.extents[axis]);
    }
    PredictedArrays arrays;
    for (const std::string& field : job.wanted.judged) {
        std::vector<float>& values = job.judged_values[field];
        values.resize(static_cast<std::size_t>(job.input.cases * job.input.extents.count()));
        arrays.arrays.emplace(field, output_to(values.data(), extents));
    }
    return store_of(arrays, job.input, job.wanted.judged, {});
}

std::unique_ptr<ResultStore> further_store(const LoadedModel& model, const PredictionJob& job, const std::string& path,
                                           bool (*has)(const NetworkDescription& network, const Field& field)) {
    std::vector<std::string> fields;
    for (const std::size_t i : job.wanted.networks) {
        const NetworkDescription& network = model.bundle().networks[i].network->description();
        for (const Field& field : network.fields) {
            if (has(network, field)) {
                fields.push_back(field.name);
            }
        }
    }
    if (path.empty() || fields.empty()) {
        return nullptr;
    }
    return store_of(path, job.input, fields, result_attributes(model.bundle(), job.input.name));
}

void leave_uncalibrated(const PredictionJob& job, const std::vector<std::string>& notes) {
    const Dataset& dataset = *job.input.dataset;
    const auto cells = static_cast<std::size_t>(dataset.cells());
    const std::vector<float> none(cells * static_cast<std::size_t>(dataset.snapshots())), active(cells);  // so all NaN
    for (std::size_t which = 0; which < notes.size(); ++which) {
        for (const std::string& field : job.wanted.fields) {
            if (notes[which].empty() || banded_field(field).empty()) {
                continue;
            }
            if (const auto rest = job.store->put(field, static_cast<std::int64_t>(which), none, active)) {
                rest();
            }
        }
    }
}

}  // namespace plumecast
