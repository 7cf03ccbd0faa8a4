#include "reservoir/case_physics/estimate.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/machine/in_order.hpp"
#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/case_physics/step_control.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"

namespace plumecast {
namespace {

FileAttributes attributes_of(const EstimateOptions& options, const std::string& input) {
    const PhysicsSettings& settings = options.settings;
    return {{"title", "Fields estimated by the reduced physics"},
            {"source", "plumecast " + std::string(version())},
            {"model", description_of(settings, options.tolerance)},
            {"history",
             fmt::format("plumecast estimate {}: physics {}, substeps {}{}", input, physics_kind, settings.substeps,
                         options.tolerance ? fmt::format(", tolerance {:g}", *options.tolerance) : "")}};
}

/// What the file will hold of one case, field by field, and what is known of it.
struct PackedCase {
    std::vector<std::vector<std::byte>> fields;
    std::vector<float> bottom_hole_pressure;  // [T] where PhysicsFields has it and something is injected, else empty
    std::vector<float> injected_mass;         // [T] likewise
    PhysicsErrors errors;
    int substeps = 0;
    double change = 0.0;
};

/// Values [N, T] of wells, where cases have them, else one value.
class ValuesOfWells {
   public:
    ValuesOfWells(const Dataset& dataset, float otherwise)
        : cases_(dataset.cases()), times_(dataset.snapshots()), otherwise_(otherwise) {}

    void set(std::int64_t which, const std::vector<float>& values) {
        if (!values.empty()) {
            values_.resize(static_cast<std::size_t>(cases_ * times_), otherwise_);
            std::ranges::copy(values, values_.begin() + which * times_);
        }
    }
    void write(FieldsWriter& result, const Quantity& what) const {
        if (!values_.empty()) {
            result.write_case_values(what.name, what.unit, what.meaning, values_, cases_);
        }
    }

   private:
    std::int64_t cases_, times_;
    float otherwise_;
    std::vector<float> values_;
};

/// "3, 14" of the cases that failed.
std::string numbers_of(const std::map<std::int64_t, std::string>& failed) {
    return fmt::format("{}", fmt::join(failed | std::views::keys, ", "));
}

void commit(FieldsWriter& writer, const std::map<std::int64_t, std::string>& failed, const EstimateOptions& options) {
    if (!failed.empty()) {
        writer.set_attribute("skipped_cases", numbers_of(failed));
    }
    if (options.before_commit) {
        options.before_commit(writer);
    }
    writer.commit();
}

void tell_skipped(const CaseFailures& failures, std::int64_t which, const EstimateOptions& options) {
    if (options.skipped && failures.has(which)) {
        options.skipped(which, failures.all().at(which));
    }
}

}  // namespace

std::string description_of(const PhysicsSettings& settings, std::optional<double> tolerance) {
    return fmt::format("reduced physics, two phases, {}{}{}{}, version {}", settings.substeps,
                       tolerance ? " or more" : "", settings.substeps == 1 && !tolerance ? " substep" : " substeps",
                       tolerance ? fmt::format(" to a tolerance of {:g}", *tolerance) : "", settings.version);
}

bool estimate(const std::string& input, const std::string& output, const EstimateOptions& options) {
    const Dataset dataset(input);
    require_valid_inputs(input);
    require_known_physics(options.settings.version, dataset.path() + ": physics.version");
    require_physics_case(dataset);  // a file that cannot be taken is refused before a result is begun
    StepControl control(dataset, options.settings, options.tolerance.value_or(StepControl::any_change),
                        static_cast<bool>(options.expected_errors), options.log);
    FieldsWriter writer(output, input, control.fields(), attributes_of(options, input));
    const auto packed = [&](std::int64_t which) {
        const ControlledCase controlled = control.of(which);
        PackedCase one;
        one.errors = controlled.errors;
        one.substeps = controlled.substeps;
        one.change = controlled.change;
        if (const CasePhysics::Fields& physics = controlled.computed.physics) {
            one.bottom_hole_pressure = physics->bottom_hole_pressure;
            one.injected_mass = physics->injected_mass;
        }
        for (const std::string& field : control.fields()) {
            one.fields.push_back(writer.pack(control.values(controlled, field), controlled.computed.active));
        }
        return one;
    };
    std::vector<float> substeps;
    ValuesOfWells pressures(dataset, std::numeric_limits<float>::quiet_NaN()), masses(dataset, 0.0F);
    const auto written = [&](std::int64_t which, const PackedCase& one) {
        if (options.stop_requested && options.stop_requested()) {
            return false;
        }
        for (std::size_t i = 0; i < one.fields.size(); ++i) {
            writer.store(control.fields()[i], which, one.fields[i]);
        }
        pressures.set(which, one.bottom_hole_pressure);
        masses.set(which, one.injected_mass);
        substeps.push_back(static_cast<float>(one.substeps));
        if (options.expected_errors) {
            options.expected_errors(which, one.errors);
        }
        if (options.steps && !control.failures().has(which)) {
            options.steps(which, one.substeps, one.change);
        }
        tell_skipped(control.failures(), which, options);
        if (options.progress) {
            options.progress(which + 1, dataset.cases());
        }
        return true;
    };
    if (!in_order(dataset.cases(), options.threads, packed, written)) {
        return false;
    }
    const std::map<std::int64_t, std::string> failed = control.failures().all();
    if (static_cast<std::int64_t>(failed.size()) == dataset.cases()) {
        throw NotConverged(fmt::format("{}: none of the cases can be computed (the first one: {}); nothing was written",
                                       input, failed.begin()->second));
    }
    pressures.write(writer, quantity(QuantityKind::of_case, "bottom_hole_pressure"));
    masses.write(writer, quantity(QuantityKind::of_case, "injected_mass"));
    if (options.tolerance) {
        const Quantity& taken = quantity(QuantityKind::of_case, "substeps");
        writer.write_case_values(taken.name, taken.unit, taken.meaning, substeps, dataset.cases());
    }
    commit(writer, failed, options);
    if (options.strict && !failed.empty()) {
        throw NotConverged(
            fmt::format("{}: cases {} could not be computed (strict makes that an error; {} is written, "
                        "whole); the first one: {}",
                        input, numbers_of(failed), output, failed.begin()->second));
    }
    return true;
}

}  // namespace plumecast
