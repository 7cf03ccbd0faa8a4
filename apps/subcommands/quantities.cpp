#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "command.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"

namespace plumecast::app {
namespace {

constexpr std::pair<QuantityKind, const char*> kinds[] = {
    {QuantityKind::array, "arrays of data sets"},
    {QuantityKind::attribute, "numbers that hold for all cases, as attributes of data sets"},
    {QuantityKind::derived, "inputs of networks that are worked out from others"},
    {QuantityKind::of_case, "numbers of each case, under /case"},
    {QuantityKind::figure, "figures of the report, at each time"}};

std::string text_of_quantities() {
    std::string text;
    for (const auto& [kind, heading] : kinds) {
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", heading);
        for (const Quantity& one : quantities(kind)) {
            text += fmt::format("  {:<34} {:<14} {:<18} {}{}{}\n", one.name, one.unit, limits_text(one), one.meaning,
                                one.formula.empty() ? "" : ": ", one.formula);
        }
    }
    return text;
}

/// Null where there is no limit.
Json limit_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_of_quantities() {
    constexpr const char* key_values[] = {"none", "last", "largest", "least"};
    Json::Array rows;
    for (const auto& [kind, heading] : kinds) {
        for (const Quantity& one : quantities(kind)) {
            Json row = Json::Object{{"kind", std::string(name_of(kind))},
                                    {"name", one.name},
                                    {"unit", one.unit},
                                    {"low", limit_json(one.low)},
                                    {"high", limit_json(one.high)},
                                    {"meaning", one.meaning},
                                    {"formula", one.formula},
                                    {"is_family", one.is_family}};
            if (kind == QuantityKind::array) {
                row["path"] = find_array(one.name)->path;
            }
            if (kind == QuantityKind::figure) {
                row["title"] = one.title;
                row["key_value"] = key_values[static_cast<std::size_t>(one.key_value)];
            }
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

}  // namespace

Command make_quantities(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("quantities", "Name, unit, limits and meaning of every quantity");
    const auto json = std::make_shared<bool>(false);
    app->add_flag("--json", *json, "Print JSON");
    add_examples(*app, "  plumecast quantities\n  plumecast quantities --json");
    return {app, [json](Console& console) {
                console.print(*json ? json_of_quantities().dump() + "\n" : text_of_quantities());
                return exit_ok;
            }};
}

}  // namespace plumecast::app
