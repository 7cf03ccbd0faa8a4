#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast.h>
#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "bindings/c/arrays.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/sized.hpp"
#include "bindings/c/status.hpp"
#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "reservoir/dataset/store/memory_store.hpp"

namespace plumecast::c {
namespace {

double number_of(const ArrayView& view, const std::string& name) {
    if (view.data == nullptr) {
        throw InvalidInput(name + " has no value (its data pointer is NULL); give the address of a number");
    }
    if (size_of(view.type) == 0) {
        throw InvalidInput(name + " is of a type that is not read (numbers without axes are real ones); convert it");
    }
    ArrayView one = view;
    one.extents = {1};
    one.strides.clear();
    double value = 0.0;
    read_view(one, 0, 1, {&value, 1});
    return value;
}

/// Keeps a number without axes as the attribute that it states.
void state(MemoryCases& cases, const std::string& name, const ArrayView& view) {
    std::string known;
    std::vector<std::string> names;
    for (const NumberAttribute& one : number_attributes()) {
        if (name == one.name) {
            if (view.unit != one.unit) {
                throw InvalidInput(fmt::format("{} is in '{}' (it is stated in {}); convert it", name,
                                               view.unit.substr(0, 64), one.unit));
            }
            const double value = number_of(view, name);
            if (!one.admits(value)) {
                throw InvalidInput(
                    fmt::format("{} is {} ({} is needed); correct it", name, value, admissible_text(one)));
            }
            cases.attributes[name] = fmt::format("{}", value);
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(one.name);
        names.emplace_back(one.name);
    }
    const std::string meant = nearest(name, names);
    throw InvalidInput(fmt::format("{} has no axes (numbers are {}); {}", name, known,
                                   meant.empty() ? "give an array" : "did you mean '" + meant + "'?"));
}

void set(plumecast_cases& cases, const std::string& name, const std::string& unit, const plumecast_array& array) {
    if (cases.path) {
        throw InvalidInput(*cases.path + ": is a file (arrays are set in cases that were created); create cases");
    }
    ArrayView view = view_from(array, name, unit);
    if (view.extents.empty()) {
        state(cases.memory, name, view);
    } else {
        cases.memory.arrays[name] = std::move(view);
    }
}

/// Axes of space of generic data: a line has one, though space() has two.
std::int32_t axes_of_points(const Dataset& dataset) {
    std::ptrdiff_t most = 0;
    for (const ArraySpec& spec : dataset.arrays()) {
        most = std::max(most, std::ranges::count_if(spec.axes, [](Axis axis) {
                            return axis == Axis::z || axis == Axis::y || axis == Axis::x;
                        }));
    }
    return static_cast<std::int32_t>(most);
}

/// Keeps all violations as JSON, and throws InvalidData for the first error.
void check(plumecast_cases& cases) {
    const std::vector<Violation> found = cases.path ? validate(*cases.path) : validate(cases.memory);
    Json::Array list;
    std::string first;
    std::size_t errors = 0;
    for (const Violation& one : found) {
        Json entry;
        entry["path"] = one.path;
        entry["problem"] = one.problem;
        entry["remedy"] = one.remedy;
        entry["is_error"] = one.is_error;
        list.push_back(std::move(entry));
        if (one.is_error && errors++ == 0) {
            first = fmt::format("{}: {}: {}; {}", cases.path.value_or(cases.memory.name), one.path, one.problem,
                                one.remedy);
        }
    }
    cases.report = Json(std::move(list)).dump();
    if (errors > 0) {
        throw InvalidData(errors > 1 ? fmt::format("{} ({} more in the report)", first, errors - 1) : first);
    }
}

}  // namespace
}  // namespace plumecast::c

using namespace plumecast;

plumecast_status plumecast_cases_create(plumecast_cases** cases) {
    return c::guarded([&] {
        plumecast_cases*& to = c::required(cases, "cases");
        to = nullptr;
        to = new plumecast_cases{};
    });
}

plumecast_status plumecast_cases_create_generic(const char* axes, plumecast_cases** cases) {
    return c::guarded([&] {
        plumecast_cases*& to = c::required(cases, "cases");
        to = nullptr;
        const std::string letters = c::text_of(axes, "axes");
        if (letters != "x" && letters != "y,x" && letters != "z,y,x") {
            throw InvalidInput("axes are '" + letters.substr(0, 64) +
                               R"(' (they name those of space, slowest first); give "x", "y,x" or "z,y,x")");
        }
        std::unique_ptr<plumecast_cases> made(new plumecast_cases{});
        made->memory.attributes = {{"geometry", "generic"}, {"axes", letters}};
        to = made.release();
    });
}

plumecast_status plumecast_cases_open(const char* path, plumecast_cases** cases) {
    return c::guarded([&] {
        plumecast_cases*& to = c::required(cases, "cases");
        to = nullptr;
        const Dataset readable(c::text_of(path, "path"));
        to = new plumecast_cases{readable.path(), {}, {}, {}, {}};
    });
}

plumecast_status plumecast_cases_set(plumecast_cases* cases, const char* name, const char* unit,
                                     const plumecast_array* array) {
    return c::guarded([&] {
        c::set(c::required(cases, "cases"), c::text_of(name, "name"), c::text_of(unit, "unit"),
               c::required(array, "array"));
    });
}

plumecast_status plumecast_cases_check(plumecast_cases* cases, const char** report) {
    return c::guarded([&] {
        plumecast_cases& checked = c::required(cases, "cases");
        checked.report = "[]";
        struct Given {  // the report is there whether or not there are errors
            const char** to;
            const std::string& text;
            ~Given() {
                if (to != nullptr) {
                    *to = text.c_str();
                }
            }
        } const given{report, checked.report};
        c::check(checked);
    });
}

plumecast_status plumecast_cases_info(const plumecast_cases* cases, plumecast_cases_extents* extents) {
    return c::guarded([&] {
        const Dataset dataset = c::required(cases, "cases").dataset();
        const bool is_cartesian = dataset.geometry() == Geometry::cartesian;
        const bool is_generic = dataset.geometry() == Geometry::generic;
        const Shape space = dataset.space();
        const auto periods = static_cast<std::int64_t>(dataset.schedule_ends().size());
        const auto rates = static_cast<std::int64_t>(dataset.schedule_rates().size());
        c::write_sized(&c::required(extents, "extents"),
                       {0, dataset.cases(), dataset.snapshots(), space[0], space.rank() == 3 ? space[1] : 0, space[-1],
                        is_cartesian ? 1 : 0, periods > 0 ? rates / (periods * dataset.cases()) : 0, periods,
                        is_generic ? c::axes_of_points(dataset) : 0, dataset.find("times") != nullptr ? 1 : 0},
                       "extents");
    });
}

plumecast_status plumecast_cases_write(const plumecast_cases* cases, const char* path) {
    return c::guarded([&] { write_dataset(c::text_of(path, "path"), c::required(cases, "cases").dataset()); });
}

void plumecast_cases_release(plumecast_cases* cases) { delete cases; }
