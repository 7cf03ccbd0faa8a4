#include "service/answer.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "reservoir/metrics/case_series.hpp"
#include "service/problem.hpp"

namespace plumecast::service {
namespace {

Json numbers(const std::vector<double>& values) {
    Json::Array list;
    for (const double value : values) {
        std::isfinite(value) ? list.emplace_back(value) : list.emplace_back();
    }
    return list;
}

/// What a summary says of a series: its last value, or its largest.
struct Figure {
    const char* series;
    bool is_largest;
};

constexpr Figure figures[] = {{"plume_radius_0.01", false},  {"max_buildup", true},    {"bottom_hole_pressure", true},
                              {"bottom_hole_buildup", true}, {"mass_injected", false}, {"mass_free", false},
                              {"mass_dissolved", false}};

Json summary_json(const std::vector<NamedSeries>& all) {
    Json::Object summary;
    for (const Figure& figure : figures) {
        const NamedSeries* series = find_series(all, figure.series);
        if (series == nullptr || series->values.empty()) {
            continue;
        }
        const double value = figure.is_largest ? *std::ranges::max_element(series->values) : series->values.back();
        summary.emplace_back(figure.series,
                             Json::Object{{"value", std::isfinite(value) ? Json(value) : Json()},
                                          {"unit", series->unit},
                                          {"at", figure.is_largest ? "largest of all times" : "last time"}});
    }
    return summary;
}

Json series_json(const std::vector<NamedSeries>& all) {
    Json::Array list;
    for (const NamedSeries& series : all) {
        list.push_back(Json::Object{{"name", series.name},
                                    {"unit", series.unit},
                                    {"description", series.description},
                                    {"values", numbers(series.values)}});
    }
    return list;
}

Json texts(const std::vector<std::string>& list) { return Json::Array(list.begin(), list.end()); }

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

/// None where no case could be computed, as the verdicts say.
std::vector<std::int64_t> cases_with_values(const CaseReader& reader) {
    try {
        return reader.choose({}).numbers;
    } catch (const InvalidData&) {
        return {};
    }
}

std::string fields_text(const ComputedCases& computed, const std::vector<std::string>& fields) {
    const DatasetContent& content = computed.content;
    const std::vector<std::size_t> extents = {computed.verdicts.size(), content.times.size(),
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

std::string answer_json(ComputedCases computed, const std::vector<std::vector<std::string>>& notes,
                        const std::vector<std::string>& fields) {
    require_fields(fields, computed.fields);
    const CaseReader reader(Dataset(views_of(computed.content)));
    const std::vector<std::int64_t> measured = cases_with_values(reader);
    Json::Array cases;
    for (std::size_t i = 0; i < computed.verdicts.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        std::vector<NamedSeries> series;
        std::vector<std::string> told = notes[i];
        if (std::ranges::find(measured, number) != measured.end()) {
            try {
                series = case_series(reader.read(number), computed.content.times, {});
            } catch (const InvalidInput& error) {  // pressures at which no fluid is known
                told.push_back(std::string("no figures: ") + error.what());
            }
        }
        cases.push_back(Json::Object{{"verdict", std::string(name_of(computed.verdicts[i].trust))},
                                     {"reasons", texts(computed.verdicts[i].reasons)},
                                     {"notes", texts(told)},
                                     {"summary", summary_json(series)},
                                     {"series", series_json(series)}});
    }
    const Json json = Json::Object{{"cases", std::move(cases)},
                                   {"computed_by", computed.origin},
                                   {"seconds", computed.seconds},
                                   {"times", numbers(computed.content.times)},
                                   {"grid", Json::Object{{"r_edges", numbers(computed.content.r_edges)},
                                                         {"z_edges", numbers(computed.content.z_edges)}}}};
    std::string text = json.dump(-1);
    text.pop_back();
    return text + (fields.empty() ? "" : fields_text(computed, fields)) + "}\n";
}

}  // namespace plumecast::service
