#include "reservoir/case_physics/physics_pass.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/axis_order.hpp"

namespace plumecast {
namespace {

std::vector<std::string> outputs_of(const Dataset& dataset) {
    std::vector<std::string> names{"gas_saturation", "pressure_buildup", "dissolved_co2"};
    if (physics_fields_of(dataset).back() == trapped_gas_field) {
        names.emplace_back("trapped_gas_saturation");
    }
    return names;
}

PhysicsOptions one_by_one(std::shared_ptr<CaseFailures> failures, LogSink log) {
    PhysicsOptions options;
    options.failures = std::move(failures);
    options.threads = 1;  // each case by the thread that asks for it
    options.log = std::move(log);
    return options;
}

}  // namespace

PhysicsPass::PhysicsPass(const Dataset& dataset, const PhysicsSettings& settings, LogSink log)
    : dataset_(dataset),
      physics_(dataset, settings, one_by_one(failures_, std::move(log))),
      names_(outputs_of(dataset)) {}

PhysicsCase PhysicsPass::of(std::int64_t which) {
    PhysicsCase result;
    result.active.resize(static_cast<std::size_t>(dataset_.cells()));
    dataset_.read_map("active", {&which, 1}, result.active);
    if (dataset_.scalar("injection_rate")[static_cast<std::size_t>(which)] != 0.0F) {
        result.physics = physics_.load({&which, 1}).front();
    }
    return result;
}

std::vector<float> PhysicsPass::values(const PhysicsCase& of, const std::string& field) const {
    if (of.physics == nullptr) {
        return std::vector<float>(of.active.size() * static_cast<std::size_t>(dataset_.snapshots()));
    }
    return times_last(of.physics->fields.at("physics_" + field), dataset_.cells());
}

std::vector<float> PhysicsPass::masses() const {
    const bool has_limits = dataset_.has("bottom_hole_pressure_limit");
    return std::vector<float>(has_limits ? static_cast<std::size_t>(dataset_.cases() * dataset_.snapshots()) : 0);
}

void PhysicsPass::put_masses(const PhysicsCase& of, std::int64_t which, std::vector<float>& masses) const {
    if (of.physics != nullptr && !of.physics->injected_mass.empty()) {
        std::ranges::copy(of.physics->injected_mass, masses.begin() + which * dataset_.snapshots());
    }
}

void put_time_first(const std::vector<float>& values, const std::vector<float>& active, std::size_t times, float* to) {
    const std::size_t cells = active.size();
    for (std::size_t cell = 0; cell < cells; ++cell) {
        for (std::size_t time = 0; time < times; ++time) {
            to[time * cells + cell] =
                active[cell] != 0.0F ? values[cell * times + time] : std::numeric_limits<float>::quiet_NaN();
        }
    }
}

}  // namespace plumecast
