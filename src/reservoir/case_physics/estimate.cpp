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
#include "reservoir/case_physics/physics_pass.hpp"
#include "reservoir/dataset/cases/bottom_hole_pressure.hpp"
#include "reservoir/dataset/cases/injected_mass.hpp"

namespace plumecast {
namespace {

FileAttributes attributes_of(const PhysicsSettings& settings, const std::string& input) {
    return {{"title", "Fields estimated by the reduced physics"},
            {"source", "plumecast " + std::string(version())},
            {"model", description_of(settings)},
            {"history", "plumecast estimate " + input + ": physics " + std::string(name_of(settings.kind)) +
                            ", substeps " + std::to_string(settings.substeps)}};
}

/// What the file will hold of one case, field by field, and what is known of it.
struct PackedCase {
    std::vector<std::vector<std::byte>> fields;
    std::vector<float> bottom_hole_pressure;  // [T] where PhysicsFields has it and something is injected, else empty
    std::vector<float> injected_mass;         // [T] likewise
    PhysicsErrors errors;
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
    void write(FieldsWriter& result, std::string_view name, const char* unit, std::string_view meaning) const {
        if (!values_.empty()) {
            result.write_case_values(std::string(name), unit, std::string(meaning), values_, cases_);
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

PhysicsErrors expected_errors(const Dataset& dataset, std::int64_t which, const PhysicsFields& fields,
                              const PhysicsSettings& settings) {
    const std::string name = dataset.path() + ": case " + std::to_string(which);
    try {
        if (dataset.geometry() == Geometry::cartesian) {
            return physics_errors(box_case(dataset, which), fields, settings, name);
        }
        const RadialCase radial = radial_case(dataset, which);
        const FieldChanges changes = step_changes(radial, fields, settings, name);
        return physics_errors(radial, fields, settings, changes);
    } catch (const InvalidInput&) {  // pressures of other time steps without known properties; the fields stand
        constexpr double unbounded = std::numeric_limits<double>::infinity();
        return {.gas_saturation = unbounded,
                .pressure_buildup = unbounded,
                .step_change = unbounded,
                .buildup_change = unbounded,
                .substeps = settings.substeps,
                .is_box = dataset.geometry() == Geometry::cartesian};
    }
}

std::string description_of(const PhysicsSettings& settings) {
    return std::string("reduced physics, ") + (settings.kind == PhysicsKind::two_phase ? "two phases" : "one phase") +
           ", " + std::to_string(settings.substeps) + (settings.substeps == 1 ? " substep" : " substeps") +
           ", version " + std::to_string(settings.version);
}

bool estimate(const std::string& input, const std::string& output, const EstimateOptions& options) {
    const Dataset dataset(input);
    require_valid_inputs(input);
    require_physics_case(dataset, options.settings);  // a file that cannot be taken is refused before a result is begun
    PhysicsPass pass(dataset, options.settings, options.log);
    FieldsWriter writer(output, input, pass.fields(), attributes_of(options.settings, input));
    const auto packed = [&](std::int64_t which) {
        const PhysicsCase computed = pass.of(which);
        PackedCase one;
        if (options.expected_errors && computed.physics && !pass.failures().has(which)) {
            one.errors = expected_errors(dataset, which, *computed.physics, options.settings);
        }
        if (computed.physics) {
            one.bottom_hole_pressure = computed.physics->bottom_hole_pressure;
            one.injected_mass = computed.physics->injected_mass;
        }
        for (const std::string& field : pass.fields()) {
            one.fields.push_back(writer.pack(pass.values(computed, field), computed.active));
        }
        return one;
    };
    ValuesOfWells pressures(dataset, std::numeric_limits<float>::quiet_NaN()), masses(dataset, 0.0F);
    const auto written = [&](std::int64_t which, const PackedCase& one) {
        if (options.stop_requested && options.stop_requested()) {
            return false;
        }
        for (std::size_t i = 0; i < one.fields.size(); ++i) {
            writer.store(pass.fields()[i], which, one.fields[i]);
        }
        pressures.set(which, one.bottom_hole_pressure);
        masses.set(which, one.injected_mass);
        if (options.expected_errors) {
            options.expected_errors(which, one.errors);
        }
        tell_skipped(pass.failures(), which, options);
        if (options.progress) {
            options.progress(which + 1, dataset.cases());
        }
        return true;
    };
    if (!in_order(dataset.cases(), options.threads, packed, written)) {
        return false;
    }
    const std::map<std::int64_t, std::string> failed = pass.failures().all();
    if (static_cast<std::int64_t>(failed.size()) == dataset.cases()) {
        throw NotConverged(fmt::format("{}: none of the cases can be computed (the first one: {}); nothing was written",
                                       input, failed.begin()->second));
    }
    pressures.write(writer, bottom_hole_pressure_name, "bar", bottom_hole_pressure_meaning);
    masses.write(writer, injected_mass_name, "Mt", injected_mass_meaning);
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
