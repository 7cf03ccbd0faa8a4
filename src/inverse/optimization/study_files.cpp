#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

#include "core/number_text.hpp"
#include "core/text/replaced.hpp"
#include "inverse/optimization/storage_study.hpp"
#include "io/atomic_file.hpp"

namespace plumecast {
namespace {

/// Sources of margins in files, in the order of the enumeration.
constexpr std::array<const char*, 3> margin_words = {"configuration", "interval", "none"};

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json held_json(const Proportion& held) {
    return Json::Object{{"cases", held.held}, {"of", held.of}, {"low", held.low}, {"high", held.high}};
}

Json limit_json(const StorageConfig& config, const StorageLimit& limit, const LimitOutcome& outcome) {
    return Json::Object{{"limit", limit.name()},
                        {"probability", config.probability_of(limit)},
                        {"margin", number_or_null(outcome.margin)},
                        {"margin_from", margin_words[static_cast<std::size_t>(outcome.margin_source)]},
                        {"figure", number_or_null(outcome.figure)},
                        {"excess", number_or_null(outcome.excess)},
                        {"is_met", outcome.excess <= 0.0},
                        {"is_binding", outcome.is_binding},
                        {"held", held_json(outcome.held)}};
}

/// What the simulator says, in the order of the limits.
Json simulated_json(const StorageStudy& study, const SimulatedOptimum& simulated) {
    Json::Array limits;
    for (std::size_t i = 0; i < simulated.limits.size(); ++i) {
        const LimitOutcome& one = simulated.limits[i];
        limits.push_back(Json::Object{{"limit", study.config.limits[i].name()},
                                      {"figure", number_or_null(one.figure)},
                                      {"excess", number_or_null(one.excess)},
                                      {"is_met", one.excess <= 0.0},
                                      {"held", held_json(one.held)}});
    }
    return Json::Object{{"by", study.simulator},
                        {"holds", simulated.holds()},
                        {"failed", simulated.failed},
                        {"limits", std::move(limits)}};
}

Json optimum_json(const StorageStudy& study, const StorageOptimum& optimum) {
    Json::Object json;
    if (study.is_each) {
        json.emplace_back("case", optimum.cases[0]);
    }
    json.emplace_back("is_feasible", optimum.search.is_feasible);
    json.emplace_back("stored_mass", optimum.stored());
    json.emplace_back("unit", "Mt");
    Json::Array variables;
    for (std::size_t i = 0; i < optimum.variables.size(); ++i) {
        const DesignVariable& one = optimum.variables[i];
        variables.push_back(Json::Object{{"name", one.name},
                                         {"unit", one.unit},
                                         {"value", optimum.search.point[i]},
                                         {"range", Json::Array{one.low, one.high}}});
    }
    json.emplace_back("variables", std::move(variables));
    if (!optimum.wells.empty()) {
        Json::Array wells;
        for (const WellPlace& well : optimum.wells) {
            wells.push_back(Json::Object{{"x", well.x}, {"y", well.y}});
        }
        json.emplace_back("wells", std::move(wells));
    }
    json.emplace_back("binding", optimum.binding());
    Json::Array limits;
    for (std::size_t i = 0; i < optimum.limits.size(); ++i) {
        limits.push_back(limit_json(study.config, study.config.limits[i], optimum.limits[i]));
    }
    json.emplace_back("limits", std::move(limits));
    if (optimum.simulated) {
        json.emplace_back("simulated", simulated_json(study, *optimum.simulated));
    }
    TrustCounts counts;
    for (const Verdict& verdict : optimum.verdicts) {
        counts.add(verdict.trust);
    }
    json.emplace_back("verdicts", Json::Object{{"good", static_cast<std::int64_t>(counts.good)},
                                               {"doubtful", static_cast<std::int64_t>(counts.doubtful)},
                                               {"bad", static_cast<std::int64_t>(counts.bad)}});
    json.emplace_back("search", Json::Object{{"tried", optimum.search.tried},
                                             {"restarts", optimum.search.restarts},
                                             {"false_successes", optimum.search.false_successes}});
    return json;
}

/// A text as a cell of CSV (RFC 4180).
std::string in_quotes(const std::string& text) {
    return "\"" + replaced(text, std::vector<Replacement>{{"\"", "\"\""}}) + "\"";
}

/// "; wells at x 500 m, y 20 m and x 50 m, y 20 m"; empty where they stay.
std::string wells_text(const StorageOptimum& optimum) {
    std::vector<std::string> places;
    for (const WellPlace& well : optimum.wells) {
        places.push_back(fmt::format("x {:.10g} m, y {:.10g} m", well.x, well.y));
    }
    return places.empty() ? "" : fmt::format("; wells at {}", fmt::join(places, " and "));
}

/// The values of the variables, in their units.
std::vector<std::string> texts_of(const std::vector<double>& values) {
    std::vector<std::string> texts;
    for (const double value : values) {
        texts.push_back(fmt::format("{:.6g}", value));
    }
    return texts;
}

std::vector<std::string> variable_names(const StorageStudy& study) {
    std::vector<std::string> names;
    for (std::size_t well = 0; study.is_each && well < study.optima[0].wells.size(); ++well) {
        names.push_back(fmt::format("x of well {} [m],y of well {} [m]", well, well));
    }
    for (const DesignVariable& one : study.optima[0].variables) {
        names.push_back(fmt::format("{} [{}]", one.name, one.unit));
    }
    return names;
}

}  // namespace

Json to_json(const StorageStudy& study) {
    Json::Array optima, table;
    for (const StorageOptimum& one : study.optima) {
        optima.push_back(optimum_json(study, one));
    }
    for (const StoredAt& row : study.table) {
        table.push_back(Json::Object{{"probability", row.probability},
                                     {"stored_mass", row.stored},
                                     {"is_feasible", row.is_feasible},
                                     {"binding", row.binding},
                                     {"point", Json::Array(row.point.begin(), row.point.end())}});
    }
    Json json = Json::Object{{"format", "plumecast-optimum"},
                             {"version", std::string(version())},
                             {"fields", study.fields},
                             {"cases_computed", study.computed}};
    json[study.is_each ? "sites" : "optimum"] = study.is_each ? Json(std::move(optima)) : std::move(optima.front());
    if (!study.is_each) {
        json["stored_mass_by_probability"] = std::move(table);
    }
    json["notes"] = Json::Array(study.notes.begin(), study.notes.end());
    json["configuration"] = study.config.to_json();
    return json;
}

std::string table_csv(const StorageStudy& study) {
    const std::string names = fmt::format("{}", fmt::join(variable_names(study), ","));
    std::string text;
    if (study.is_each) {
        text = "rank,case,stored_mass [Mt],is_feasible," +
               std::string(study.simulator.empty() ? "" : "simulated_holds,") + "binding," + names + "\n";
        for (std::size_t i = 0; i < study.optima.size(); ++i) {
            const StorageOptimum& one = study.optima[i];
            std::vector<std::string> chosen;
            for (const WellPlace& well : one.wells) {
                chosen.push_back(fmt::format("{:.10g},{:.10g}", well.x, well.y));
            }
            std::ranges::move(texts_of(one.search.point), std::back_inserter(chosen));
            text +=
                fmt::format("{},{},{:.6g},{},{}{},{}\n", i + 1, one.cases[0], one.stored(),
                            one.search.is_feasible ? 1 : 0, one.simulated ? one.simulated->holds() ? "1," : "0," : "",
                            in_quotes(one.binding()), fmt::join(chosen, ","));
        }
        return text;
    }
    text = "probability,stored_mass [Mt],is_feasible,binding," + names + "\n";
    for (const StoredAt& row : study.table) {
        text += fmt::format("{:g},{:.6g},{},{},{}\n", row.probability, row.stored, row.is_feasible ? 1 : 0,
                            in_quotes(row.binding), fmt::join(texts_of(row.point), ","));
    }
    return text;
}

void write_study(const StorageStudy& study, const std::string& folder) {
    AtomicFolder target(folder);
    write_dataset((target.path() / "optimum.h5").string(), study.designed);
    write_text_atomically(target.path() / "optimum.json", to_json(study).dump() + "\n");
    if (study.is_each || !study.table.empty()) {
        write_text_atomically(target.path() / (study.is_each ? "sites.csv" : "stored_mass.csv"), table_csv(study));
    }
    target.commit();
}

std::string study_text(const StorageStudy& study) {
    std::string text;
    if (study.is_each) {
        text = fmt::format("{:>4} {:>6} {:>12}  {}\n", "rank", "case", "stored [Mt]", "binding limit");
        for (std::size_t i = 0; i < study.optima.size(); ++i) {
            const StorageOptimum& one = study.optima[i];
            text += fmt::format("{:>4} {:>6} {:>12.4g}  {}{}{}\n", i + 1, one.cases[0], one.stored(), one.binding(),
                                wells_text(one),
                                !one.simulated           ? ""
                                : one.simulated->holds() ? "; simulated: holds"
                                                         : "; simulated: does not hold");
        }
        return text;
    }
    const StorageOptimum& optimum = study.optima[0];
    text = fmt::format(
        "stored: {:.4g} Mt in {}, {}\n", optimum.stored(),
        optimum.cases.size() == 1 ? "one geology" : fmt::format("each of {} geologies", optimum.cases.size()),
        optimum.search.is_feasible ? fmt::format("limits kept with probability {:g}", optimum.probability)
                                   : "but not all limits can be met");
    for (std::size_t well = 0; well < optimum.wells.size(); ++well) {
        text +=
            fmt::format("  well {}: at x {:.10g} m, y {:.10g} m\n", well, optimum.wells[well].x, optimum.wells[well].y);
    }
    for (std::size_t i = 0; i < optimum.variables.size(); ++i) {
        text += fmt::format("  {}: {:.4g} {}\n", optimum.variables[i].name, optimum.search.point[i],
                            optimum.variables[i].unit);
    }
    for (std::size_t i = 0; i < optimum.limits.size(); ++i) {
        const LimitOutcome& one = optimum.limits[i];
        text += fmt::format("  {}: {} in {} of {} cases{}\n", study.config.limits[i].name(), number_text(one.figure),
                            one.held.held, one.held.of,
                            one.excess > 0.0 ? ", not met"
                            : one.is_binding ? ", binds"
                                             : "");
    }
    for (std::size_t i = 0; optimum.simulated && i < optimum.simulated->limits.size(); ++i) {
        const LimitOutcome& one = optimum.simulated->limits[i];
        text += fmt::format("  simulated by {}: {}: {} in {} of {} cases, {}\n", study.simulator,
                            study.config.limits[i].name(), number_text(one.figure), one.held.held, one.held.of,
                            one.excess > 0.0 ? "does not hold" : "holds");
    }
    if (!study.table.empty()) {
        text += fmt::format("{:>11} {:>12}  {}\n", "probability", "stored [Mt]", "binding limit");
        for (const StoredAt& row : study.table) {
            text += fmt::format("{:>11g} {:>12.4g}  {}\n", row.probability, row.stored, row.binding);
        }
    }
    return text;
}

}  // namespace plumecast
