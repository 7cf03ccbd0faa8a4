#include <span>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "io/hash.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"

namespace plumecast {

std::string case_fingerprint(const Dataset& dataset, std::int64_t which) {
    std::string all;
    std::vector<float> values;
    for (const ArraySpec& spec : dataset.arrays()) {
        const bool is_varying = spec.role == Role::series || spec.role == Role::varying;
        if ((spec.role != Role::map && spec.role != Role::scalar && !is_varying) || !dataset.has(spec.name())) {
            continue;
        }
        if (is_varying) {
            values.resize(
                static_cast<std::size_t>(dataset.snapshots() * (spec.role == Role::varying ? dataset.cells() : 1)));
            dataset.read_varying(spec.name(), {&which, 1}, values);
        } else if (spec.role == Role::scalar) {
            values.assign(1, dataset.scalar(spec.name())[static_cast<std::size_t>(which)]);
        } else {
            values.resize(static_cast<std::size_t>(dataset.cells()));
            dataset.read_map(spec.name(), {&which, 1}, values);
        }
        for (float& value : values) {
            value += 0.0F;  // a negative zero is the same value
        }
        const auto bytes = std::as_bytes(std::span(values));
        all += std::string(spec.name()) + ' ' +
               sha256(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())) + '\n';
    }
    if (const std::vector<float> apart = dataset.connection_transmissibilities(which); !apart.empty()) {
        const auto bytes = std::as_bytes(std::span(apart));
        all +=
            "connections " + sha256(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())) + '\n';
    }
    std::vector<InjectionSchedule> schedules = schedules_of_wells(dataset, which);
    if (schedules.size() == 1) {
        schedules = {schedule_of(dataset, which)};  // none of a constant rate, which is among the inputs
    }
    for (const InjectionSchedule& given : schedules) {
        const InjectionSchedule schedule = given.joined();
        if (given.ends.empty()) {
            continue;
        }
        for (const std::vector<double>& numbers : {schedule.ends, schedule.rates}) {
            const auto bytes = std::as_bytes(std::span(numbers));
            all += "schedule " + sha256(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())) +
                   '\n';
        }
    }
    if (dataset.has("saturation_region")) {
        const std::string tables = text_of_saturation_tables(dataset, which);
        all += tables.empty() ? "" : "saturation_tables " + sha256(tables) + '\n';
    }
    return sha256(all);
}

}  // namespace plumecast
