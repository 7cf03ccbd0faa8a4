#include "service/computation.hpp"

#include <map>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reporting/export.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/clock.hpp"
#include "core/machine/in_order.hpp"
#include "core/text/replaced.hpp"
#include "io/text_file.hpp"
#include "io/zip_archive.hpp"
#include "reservoir/case_physics/estimate.hpp"
#include "reservoir/case_physics/expected_errors.hpp"
#include "reservoir/case_physics/physics_pass.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"
#include "service/temporary_folder.hpp"

namespace plumecast::service {
namespace {

constexpr std::size_t exports_at_once = 4;  // a request has one turn, not the machine

std::int64_t cases_of(const DatasetContent& content) {
    return static_cast<std::int64_t>(content.arrays.at("thickness").size());
}

std::vector<std::int64_t> extents_of(const DatasetContent& content) {
    return {cases_of(content), static_cast<std::int64_t>(content.times.size()),
            static_cast<std::int64_t>(content.z_edges.size()) - 1,
            static_cast<std::int64_t>(content.r_edges.size()) - 1};
}

/// Cases of a request, by the name that messages use.
MemoryCases named_views(const DatasetContent& content) {
    MemoryCases cases = views_of(content);
    cases.name = "cases of the request";
    return cases;
}

PredictionOptions options_of(const Scenario& scenario, const StopRequest& stop) {
    PredictionOptions options;
    options.stop_requested = stop;
    options.buildup_limit = scenario.buildup_limit;
    options.uncertainty = scenario.uncertainty;
    return options;
}

/// Throws InvalidInput for a case that could not be computed, of which an export leaves out the files.
void require_values(const std::string& result) {
    const CaseReader reader(result);
    try {
        reader.choose(reader.select({}));
    } catch (const InvalidData& error) {
        throw InvalidInput(
            "of the cases that are asked for, " +
            replaced(error.what(), std::vector<Replacement>{{result + ": ", ""}}));  // whose name is of this machine
    }
}

}  // namespace

ComputedCases predicted(const ServedModel& model, Scenario scenario, const StopRequest& stop,
                        std::optional<std::int64_t> batch) {
    const auto start = Clock::now();
    const std::vector<std::int64_t> extents = extents_of(scenario.content);
    std::map<std::string, std::vector<float>> fields;
    PredictedArrays arrays;
    const std::vector<std::string> names = model.fields_of(scenario.uncertainty);
    for (const std::string& name : names) {
        std::vector<float>& values = fields[name];
        values.resize(static_cast<std::size_t>(extents[0] * extents[1] * extents[2] * extents[3]));
        arrays.arrays.emplace(name, output_to(values.data(), extents));
    }
    PredictionOptions options = options_of(scenario, stop);
    options.batch = batch.value_or(model.batch);
    PredictionReport report = model.predictor.predict(named_views(scenario.content), arrays, options);
    ComputedCases computed{std::move(scenario.content),   names, std::move(report.verdicts), &model.trust,
                           model.name + " " + model.hash, 0.0};
    computed.content.arrays.merge(fields);
    computed.seconds = seconds_since(start);
    return computed;
}

std::vector<std::string> estimated_fields() { return {"gas_saturation", "pressure_buildup", "dissolved_co2"}; }

ComputedCases estimated(Scenario scenario, int threads, const StopRequest& stop) {
    const auto start = Clock::now();
    const EstimateOptions defaults;
    const Dataset dataset(named_views(scenario.content));
    require_valid_inputs(named_views(scenario.content));
    PhysicsPass pass(dataset, defaults.settings, nullptr);
    const auto values_of_case = static_cast<std::size_t>(dataset.cells() * dataset.snapshots());
    std::map<std::string, std::vector<float>> fields;
    for (const std::string& name : pass.fields()) {
        fields[name].resize(values_of_case * static_cast<std::size_t>(dataset.cases()));
    }
    RunFacts facts;
    facts.buildup_limit = scenario.buildup_limit;
    facts.injected = pass.masses();
    const auto make = [&](std::int64_t which) {
        const PhysicsCase computed = pass.of(which);
        pass.put_masses(computed, which, facts.injected);
        for (const std::string& name : pass.fields()) {
            put_time_first(pass.values(computed, name), computed.active, static_cast<std::size_t>(dataset.snapshots()),
                           fields.at(name).data() + values_of_case * static_cast<std::size_t>(which));
        }
        return computed.physics && !pass.failures().has(which)
                   ? expected_errors(dataset, which, *computed.physics, defaults.settings)
                   : PhysicsErrors{};
    };
    const auto take = [&](std::int64_t, const PhysicsErrors& errors) {
        facts.physics.push_back(errors);
        return !stop || !stop();
    };
    if (!in_order(dataset.cases(), threads, make, take)) {
        throw Interrupted();
    }
    facts.failed = pass.failures().all();
    const ResultReader read = [&](const std::string& name, std::int64_t which) {
        const auto found = fields.find(name);
        if (found == fields.end()) {
            return std::vector<float>();
        }
        const auto begin = found->second.begin() + static_cast<std::ptrdiff_t>(values_of_case) * which;
        return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(values_of_case));
    };
    ResultVerdicts verdicts = judge_fields(read, dataset, {}, facts);
    ComputedCases computed{std::move(scenario.content),
                           pass.fields(),
                           std::move(verdicts),
                           nullptr,
                           description_of(defaults.settings),
                           0.0};
    computed.content.arrays.merge(fields);
    computed.seconds = seconds_since(start);
    return computed;
}

std::string predicted_file(const ServedModel& model, const Scenario& scenario, const FileContent& content,
                           const StopRequest& stop) {
    const TemporaryFolder folder;
    const std::string path = folder.file("fields.h5");
    PredictionOptions options = options_of(scenario, stop);
    options.batch = model.batch;
    model.predictor.predict(named_views(scenario.content), path, options);
    return content(path);
}

std::string predicted_file(const ServedModel& model, const std::string& cases, std::optional<double> buildup_limit,
                           bool uncertainty, const FileContent& content, const StopRequest& stop) {
    const TemporaryFolder folder;
    const std::string path = folder.file("fields.h5");
    PredictionOptions options;
    options.batch = model.batch;
    options.stop_requested = stop;
    options.buildup_limit = buildup_limit;
    options.uncertainty = uncertainty;
    model.predictor.predict(cases, path, options);
    return content(path);
}

std::string estimated_file(const Scenario& scenario, int threads, const FileContent& content, const StopRequest& stop) {
    require_valid_inputs(named_views(scenario.content));
    const TemporaryFolder folder;
    const std::string cases = folder.file("cases.h5");
    write_dataset(cases, scenario.content);
    try {
        return estimated_file(cases, scenario.buildup_limit, threads, content, stop);
    } catch (const NotConverged& error) {  // of all cases
        throw NotConverged(replaced(error.what(), std::vector<Replacement>{{cases, "request"}}));
    }
}

std::string estimated_file(const std::string& cases, std::optional<double> buildup_limit, int threads,
                           const FileContent& content, const StopRequest& stop) {
    const TemporaryFolder folder;
    const std::string path = folder.file("fields.h5");
    RunFacts facts;
    facts.buildup_limit = buildup_limit;
    EstimateOptions options;
    options.threads = threads;
    options.stop_requested = stop;
    options.skipped = [&](std::int64_t which, const std::string& why) { facts.failed.emplace(which, why); };
    options.expected_errors = [&](std::int64_t, const PhysicsErrors& errors) { facts.physics.push_back(errors); };
    options.before_commit = [&](FieldsWriter& result) { judge_result(result, cases, {}, facts); };
    if (!estimate(cases, path, options)) {
        throw Interrupted();
    }
    return content(path);
}

std::string eclipse_archive(const std::string& result, const std::optional<double>& top_depth,
                            const StopRequest& stop) {
    const TemporaryFolder folder;
    ExportOptions options;
    options.folder = folder.file("eclipse");
    options.top_depth = top_depth;
    options.jobs = exports_at_once;
    require_values(result);
    export_fields(result, options, [&](std::int64_t, std::int64_t) { return !stop || !stop(); });
    if (stop && stop()) {
        throw Interrupted();
    }
    return zip_archive(options.folder);
}

void require_exportable(const Scenario& scenario, const Limits& limits) {
    const std::vector<std::int64_t> extents = extents_of(scenario.content);
    const auto sectors = static_cast<std::int64_t>(ExportOptions().sectors);
    require_within_limits(extents[0], extents[0] * extents[1] * extents[2] * extents[3] * sectors, limits);
}

}  // namespace plumecast::service
