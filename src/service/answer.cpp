#include "service/answer.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "reservoir/metrics/trust/result_judge.hpp"
#include "service/json_numbers.hpp"
#include "service/measured_cases.hpp"
#include "service/problem.hpp"

namespace plumecast::service {
namespace {

Json summary_json(const std::vector<NamedSeries>& all) {
    Json::Object summary;
    for (const KeyFigure& figure : key_figures(all)) {
        const std::size_t comma = figure.description.rfind(", ");
        Json json = Json::Object{{"value", number_json(figure.value)},
                                 {"unit", figure.unit},
                                 {"at", figure.description.substr(comma + 2)},
                                 {"description", figure.description.substr(0, comma)}};
        if (figure.resolution) {
            json["resolution"] = *figure.resolution;
        }
        if (figure.interval) {
            json["low"] = number_json(figure.interval->first);
            json["high"] = number_json(figure.interval->second);
        }
        summary.emplace_back(figure.name, std::move(json));
    }
    return summary;
}

/// Appends values of these extents as nested lists.
void append_nested(std::string& text, const float* values, const std::vector<std::size_t>& extents,
                   std::size_t axis = 0) {
    std::size_t below = 1;
    for (std::size_t i = axis + 1; i < extents.size(); ++i) {
        below *= extents[i];
    }
    text += '[';
    for (std::size_t i = 0; i < extents[axis]; ++i) {
        text += i == 0 ? "" : ",";
        if (axis + 1 < extents.size()) {
            append_nested(text, values + i * below, extents, axis + 1);
        } else if (std::isfinite(values[i])) {
            fmt::format_to(std::back_inserter(text), "{:.5g}", values[i]);
        } else {
            text += "null";
        }
    }
    text += ']';
}

/// What is known of a case.
Json case_json(const ComputedCases& computed, const CaseMeter& meter, std::size_t which,
               std::vector<std::string> notes) {
    const Verdict& verdict = computed.verdicts.cases[which];
    std::string why;
    std::optional<MeasuredCase> measured = meter.measured(which, why);
    Json::Array series;
    Json summary = Json::Object{}, found = Json::Array{};
    if (measured) {
        const ReportContent content = meter.content({std::move(*measured)});
        summary = summary_json(content.series());
        for (const NamedSeries& one : content.series()) {
            series.push_back(series_json(one));
        }
        found = texts_json(findings(content));
    } else {
        notes.push_back("no figures: " + why);
    }
    Json json = Json::Object{{"verdict", std::string(name_of(verdict.trust))},
                             {"reasons", texts_json(verdict.reasons)},
                             {"notes", texts_json(notes)},
                             {"summary", std::move(summary)},
                             {"series", std::move(series)},
                             {"findings", std::move(found)}};
    if (computed.trust != nullptr && !computed.trust->bands.empty()) {
        json["interval_note"] = why_no_interval(computed.verdicts, *computed.trust, which);
    }
    if (!computed.verdicts.band_notes.empty()) {
        json["band_note"] = computed.verdicts.band_notes[which];
    }
    return json;
}

std::string fields_text(const ComputedCases& computed, const std::vector<std::string>& fields) {
    const DatasetContent& content = computed.content;
    const std::vector<std::size_t> extents = {computed.verdicts.cases.size(), content.times.size(),
                                              content.z_edges.size() - 1, content.r_edges.size() - 1};
    std::string text = ",\"fields\":{";
    for (const std::string& name : fields) {
        text += fmt::format("{}\"{}\":", text.back() == '{' ? "" : ",", name);
        append_nested(text, content.arrays.at(name).data(), extents);
    }
    return text + "}";
}

}  // namespace

void require_known(const std::string& field, const std::vector<std::string>& known, const std::string& entry) {
    if (std::ranges::find(known, field) == known.end()) {
        const std::string meant = nearest(field, known);
        throw InvalidInput(fmt::format("{}: {} is '{}' (computed are {}); {}", body_name, entry, field.substr(0, 64),
                                       fmt::join(known, ", "),
                                       meant.empty() ? "choose one of them" : "did you mean '" + meant + "'?"));
    }
}

void require_fields(const std::vector<std::string>& fields, const std::vector<std::string>& known) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::string entry = fmt::format("fields[{}]", i);
        require_known(fields[i], known, entry);
        if (std::ranges::count(fields, fields[i]) > 1) {
            throw InvalidInput(fmt::format("{}: {} is '{}', which is named more than once; name each field once",
                                           body_name, entry, fields[i]));
        }
    }
}

std::string answer_json(const ComputedCases& computed, const AskedFor& asked, const std::vector<std::string>& fields) {
    require_fields(fields, computed.fields);
    const CaseMeter meter(computed, asked.measure);
    Json::Array cases;
    for (std::size_t i = 0; i < computed.verdicts.cases.size(); ++i) {
        cases.push_back(case_json(computed, meter, i, asked.notes[i]));
    }
    Json json = Json::Object{{"cases", std::move(cases)},
                             {"computed_by", computed.origin},
                             {"seconds", computed.seconds},
                             {"times", numbers_json(computed.content.times)},
                             {"grid", Json::Object{{"r_edges", numbers_json(computed.content.r_edges)},
                                                   {"z_edges", numbers_json(computed.content.z_edges)}}}};
    if (asked.file.cases > 0) {
        json["data_set"] = Json::Object{{"cases", asked.file.cases},
                                        {"numbers", Json::Array(asked.file.numbers.begin(), asked.file.numbers.end())}};
    }
    if (computed.trust != nullptr && !computed.trust->bands.empty()) {
        json["interval_level"] = computed.trust->bands.level;
    }
    std::string text = json.dump(-1);
    text.pop_back();
    return text + (fields.empty() ? "" : fields_text(computed, fields)) + "}\n";
}

}  // namespace plumecast::service
