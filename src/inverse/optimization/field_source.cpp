#include "inverse/optimization/field_source.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "core/machine/in_order.hpp"
#include "inference/bundle/recorded.hpp"
#include "inference/guided/written_fields.hpp"
#include "reservoir/case_physics/estimate.hpp"
#include "reservoir/case_physics/expected_errors.hpp"
#include "reservoir/case_physics/physics_pass.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"

namespace plumecast {
namespace {

MemoryCases named_views(const DatasetContent& content) {
    MemoryCases cases = views_of(content);
    cases.name = "cases of the optimization";
    return cases;
}

std::size_t values_of_case(const Dataset& dataset) {
    return static_cast<std::size_t>(dataset.cells() * dataset.snapshots());
}

}  // namespace

std::string PhysicsSource::description() const { return description_of({.substeps = substeps_}); }

ComputedCases PhysicsSource::add_fields(DatasetContent& content, const ComputationOptions& options) const {
    const PhysicsSettings settings{.substeps = substeps_};
    const Dataset dataset(named_views(content));
    PhysicsPass pass(dataset, settings, nullptr);
    const std::size_t each = values_of_case(dataset);
    std::map<std::string, std::vector<float>> fields;
    for (const std::string& name : pass.fields()) {
        fields[name].resize(each * static_cast<std::size_t>(dataset.cases()));
    }
    RunFacts facts;
    facts.injected = pass.masses();
    const auto make = [&](std::int64_t which) {
        const PhysicsCase computed = pass.of(which);
        pass.put_masses(computed, which, facts.injected);
        for (const std::string& name : pass.fields()) {
            put_time_first(pass.values(computed, name), computed.active, static_cast<std::size_t>(dataset.snapshots()),
                           fields.at(name).data() + each * static_cast<std::size_t>(which));
        }
        const bool is_judged = options.has_verdicts && computed.physics && !pass.failures().has(which);
        return is_judged ? expected_errors(dataset, which, *computed.physics, settings) : PhysicsErrors{};
    };
    const auto take = [&](std::int64_t, const PhysicsErrors& errors) {
        facts.physics.push_back(errors);
        return !options.stop_requested || !options.stop_requested();
    };
    if (!in_order(dataset.cases(), options.threads, make, take)) {
        throw Interrupted();
    }
    ComputedCases computed{pass.failures().all(), {}};
    if (options.has_verdicts) {
        facts.failed = computed.failed;
        const ResultReader read = [&](const std::string& name, std::int64_t which) {
            const auto found = fields.find(name);
            if (found == fields.end()) {
                return std::vector<float>();
            }
            const auto begin = found->second.begin() + static_cast<std::ptrdiff_t>(each) * which;
            return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(each));
        };
        computed.verdicts = judge_fields(read, dataset, {}, facts).cases;
    }
    content.arrays.merge(fields);
    return computed;
}

PredictedSource::PredictedSource(const Predictor& predictor, std::string name)
    : predictor_(predictor),
      name_(std::move(name)),
      trust_(recorded_trust(predictor.bundle())),
      fields_(written_fields(predictor.bundle())) {}

ComputedCases PredictedSource::add_fields(DatasetContent& content, const ComputationOptions& options) const {
    const Dataset dataset(named_views(content));
    std::vector<std::int64_t> extents{dataset.cases(), dataset.snapshots()};
    const Shape space = dataset.space();
    extents.insert(extents.end(), space.extents().begin(), space.extents().end());
    std::map<std::string, std::vector<float>> fields;
    PredictedArrays arrays;
    for (const std::string& name : fields_) {
        std::vector<float>& values = fields[name];
        values.resize(values_of_case(dataset) * static_cast<std::size_t>(dataset.cases()));
        arrays.arrays.emplace(name, output_to(values.data(), extents));
    }
    PredictionOptions prediction;
    prediction.stop_requested = options.stop_requested;
    PredictionReport report = predictor_.predict(named_views(content), arrays, prediction);
    content.arrays.merge(fields);
    ComputedCases computed{std::move(report.failed), {}};
    for (std::size_t which = 0; !trust_.bands.empty() && which < report.verdicts.cases.size(); ++which) {
        computed.without_interval.push_back(why_no_interval(report.verdicts, trust_, which));
    }
    computed.verdicts = std::move(report.verdicts.cases);
    return computed;
}

}  // namespace plumecast
