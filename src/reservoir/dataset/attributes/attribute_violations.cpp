#include "reservoir/dataset/attributes/attribute_violations.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "reservoir/dataset/attributes/stated_attributes.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/place_attributes.hpp"

namespace plumecast {
namespace {

/// Attributes that are texts, and those that the program writes into its results.
constexpr const char* known_texts[] = {"format",    "format_version", "title", "source",     "history",
                                       "generator", "origin",         "model", "model_hash", "buildup_limit",
                                       "resampled", "skipped_cases",  "trust"};

/// Names from this length on are not met by chance.
constexpr std::size_t unmistakable = 10;

bool is_of_the_format(const std::string& name) {
    return find_number_attribute(name) != nullptr || std::ranges::find(known_texts, name) != std::end(known_texts);
}

/// The attributes that change results and that the data set does not state: what a misspelt name may stand for.
std::vector<std::string> not_stated(const std::vector<std::string>& stated) {
    std::vector<std::string> names{"origin"};
    for (const NumberAttribute& one : number_attributes()) {
        names.emplace_back(one.name);
    }
    std::erase_if(names, [&](const std::string& name) { return std::ranges::find(stated, name) != stated.end(); });
    return names;
}

/// An attribute with the name of an input that the cases do not have: a number for all of them that nothing would read.
std::optional<Violation> misplaced_input(const DatasetStore& store, const std::string& name) {
    const ArraySpec* array = geometry_of(store) == Geometry::generic ? nullptr : find_array(name);
    const bool is_input = array != nullptr && (array->role == Role::map || array->role == Role::scalar);
    if (!is_input || store.has(array->path)) {
        return std::nullopt;
    }
    return Violation{
        "/", fmt::format("attribute {} is no attribute but an input of each case (nothing reads it here)", name),
        "write the array " + array->path + ", or leave the attribute out", true};
}

/// What is wrong with the place of a Cartesian grid.
std::optional<Violation> place_violation(const DatasetStore& store) {
    try {
        if (geometry_of(store) == Geometry::cartesian) {
            read_place(store);
        }
        return std::nullopt;
    } catch (const InvalidData& error) {
        const std::string text = std::string(error.what()).substr(store.name().size() + 2);
        const std::size_t cut = text.rfind("; ");
        return Violation{"/", text.substr(0, cut), text.substr(cut + 2), true};
    }
}

}  // namespace

std::vector<Violation> attribute_violations(const DatasetStore& store) {
    std::vector<Violation> found;
    for (const NumberAttribute& one : number_attributes()) {
        if (auto violation = violation_of(store, one)) {
            found.push_back(std::move(*violation));
        }
    }
    if (const auto place = place_violation(store); place && std::ranges::find(found, *place) == found.end()) {
        found.push_back(*place);
    }
    const std::vector<std::string> names = store.attributes();
    const std::vector<std::string> candidates = not_stated(names);
    for (const std::string& name : names) {
        if (is_of_the_format(name)) {
            continue;
        }
        if (auto misplaced = misplaced_input(store, name)) {
            found.push_back(std::move(*misplaced));
            continue;
        }
        const std::string meant = nearest(name, candidates);
        if (meant.empty()) {
            continue;  // the caller's own, or of another program
        }
        found.push_back({"/", fmt::format("attribute {} is unknown (nothing reads it)", name.substr(0, 64)),
                         "call it " + meant + ", or leave it out", !store.is_file() || meant.size() >= unmistakable});
    }
    return found;
}

void require_valid_attributes(const DatasetStore& store) {
    const std::vector<Violation> found = attribute_violations(store);
    const auto first = std::ranges::find_if(found, &Violation::is_error);
    if (first != found.end()) {
        throw InvalidData(store.name() + ": " + first->problem + "; " + first->remedy);
    }
}

}  // namespace plumecast
