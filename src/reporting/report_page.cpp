#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/version.hpp>
#include <plumecast/reporting/report.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/markup.hpp"
#include "core/number_text.hpp"
#include "core/text/ascii.hpp"
#include "io/atomic_file.hpp"
#include "plotting/axis.hpp"
#include "reporting/page_assets.hpp"
#include "reporting/report_content.hpp"

namespace plumecast {
namespace {

constexpr std::size_t most_rows = 1000;

/// Base64 (RFC 4648), for pictures within the page.
std::string base64(const std::string& bytes) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += i + k <= bytes.size() ? letters[group >> (18U - 6U * k) & 63U] : '=';
        }
    }
    return text;
}

/// "km2" as readers write it.
std::string unit_html(const std::string& unit) {
    std::string text = unit == "-" ? "" : unit;
    if (text.ends_with('2') || text.ends_with('3')) {
        text = text.substr(0, text.size() - 1) + "<sup>" + text.back() + "</sup>";
    }
    return text;
}

std::string page_title(const ReportContent& content) {
    const std::string& asked = content.options.title;
    const std::string own = content.reader.dataset().attribute("title");
    return asked.empty() ? (own.empty() ? "CO2 storage report" : own) : asked;
}

std::string subtitle(const ReportContent& content) {
    const Dataset& dataset = content.reader.dataset();
    const std::string model = dataset.attribute("model");
    const std::string source = dataset.attribute("source");
    std::string text = fmt::format("{} of {}", counted(static_cast<std::int64_t>(content.cases.size()), "case"),
                                   escape_markup(std::filesystem::path(dataset.path()).filename().string()));
    text += fmt::format(", {} to {} after the start of injection", time_text(dataset.times().front()),
                        time_text(dataset.times().back()));
    text += ", day 0 on " + start_text(content);
    if (!model.empty()) {
        // Only networks have a hash.
        text +=
            (dataset.attribute("model_hash").empty() ? ", estimated by " : ", predicted by ") + escape_markup(model);
    } else if (!source.empty()) {
        text += ", " + escape_markup(source);
    }
    return text;
}

std::string capitalised(std::string text) {
    text[0] = upper(text[0]);
    return text;
}

/// Values of a key figure in all cases.
std::vector<double> values_of(const ReportContent& content, std::size_t figure) {
    std::vector<double> values;
    for (const MeasuredCase& one : content.cases) {
        values.push_back(key_figures(one.series)[figure].value);
    }
    return values;
}

/// The figures a reader looks for first: those of the smallest threshold, without details that the table has.
bool is_headline(const ReportContent& content, const std::string& name) {
    if (!name.starts_with("plume_")) {
        // The area of review covers the front, the smallest margin those of wells and cells.
        return name != "front_radius" && name != "well_fracture_margin" && name != "cell_fracture_margin";
    }
    return name == content.with_threshold("plume_radius") || name == content.with_threshold("plume_area") ||
           name == content.with_threshold("plume_footprint") || name == "plume_stabilisation";
}

/// The width of the cells that bounds what a size tells, in the median of the cases.
std::string resolution_text(const ReportContent& content, std::size_t figure, const Shown& unit) {
    std::vector<double> all;
    for (const MeasuredCase& one : content.cases) {
        const double resolution = key_figures(one.series)[figure].resolution.value_or(0.0);
        if (resolution > 0.0) {
            all.push_back(resolution);
        }
    }
    return all.empty() ? ""
                       : fmt::format("<div class=\"resolution\">resolution {} {}</div>",
                                     shown(unit.factor * percentiles(std::move(all)).p50), unit_html(unit.unit));
}

/// What stands in the place of an area of review that was not computed.
std::string missing_review_card(const ReportContent& content) {
    return missing_review(content).empty()
               ? ""
               : "<div class=\"card\"><div class=\"what\">Area of review</div><div class=\"value\"><small>not "
                 "computed</small></div><div class=\"resolution\"><a href=\"#review\">What to give</a></div></div>\n";
}

/// The limits that cases exceed, in words.
std::string exceedance_note(const ReportContent& content) {
    std::string text;
    for (const Exceedance& one : exceedances(content)) {
        text += fmt::format("{}{}{}.{}", text.empty() ? "" : "<br>", one.cases.held > 0 ? "<b>" : "",
                            capitalised(one.text()), one.cases.held > 0 ? "</b>" : "");
    }
    return text.empty() ? "" : "<p class=\"exceedance\">" + text + "</p>\n";
}

/// The interval of a figure of the one case that a report is of.
std::string interval_card(const ReportContent& content, const KeyFigure& figure, const Shown& unit) {
    if (content.is_ensemble() || !figure.interval || std::isnan(figure.interval->first)) {
        return "";
    }
    return fmt::format("<div class=\"range\">{} of the model: {} &ndash; {}</div>", content.interval_text(),
                       shown(unit.factor * figure.interval->first), shown(unit.factor * figure.interval->second));
}

std::string cards(const ReportContent& content) {
    std::string text = "<div class=\"cards\">\n";
    const std::vector<KeyFigure> figures = key_figures(content.series());
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (!is_headline(content, figures[i].name)) {
            continue;
        }
        const Percentiles at = percentiles(values_of(content, i));
        if (!std::isfinite(at.p50)) {
            continue;
        }
        const Shown unit = shown_unit(figures[i].unit, std::max(std::abs(at.p10), std::abs(at.p90)));
        text += fmt::format(
            "<div class=\"card\"><div class=\"what\">{}</div><div class=\"value\">{} <small>{}</small></div>",
            capitalised(escape_markup(figures[i].description)), shown(unit.factor * at.p50), unit_html(unit.unit));
        if (content.is_ensemble()) {
            text += fmt::format("<div class=\"range\">low (P90) {} &ndash; high (P10) {}</div>",
                                shown(unit.factor * at.p90), shown(unit.factor * at.p10));
        }
        text += resolution_text(content, i, unit) + interval_card(content, figures[i], unit);
        text += "</div>\n";
    }
    return text + missing_review_card(content) + "</div>\n";
}

std::string figures(const std::vector<ReportPicture>& pictures, const std::string& section) {
    const bool are_maps = section == "maps" || section == "probability";
    std::string text = fmt::format("<div class=\"figures{}\">\n", are_maps ? " maps" : "");
    for (const ReportPicture& picture : pictures) {
        if (picture.section != section) {
            continue;
        }
        const std::string type = picture.svg.empty() ? "png" : "svg+xml";
        fmt::format_to(std::back_inserter(text),
                       "<figure><img alt=\"{0}\" src=\"data:image/{1};base64,{2}\"><figcaption>Files: "
                       "<code>pictures/{3}.png</code>, <code>pictures/{3}.pdf</code></figcaption></figure>\n",
                       escape_markup(picture.caption), type, base64(picture.svg.empty() ? picture.png : picture.svg),
                       picture.name);
    }
    return text + "</div>\n";
}

/// The verdict of a case, its reasons where the mouse rests on it; sorts the worst together.
std::string trust_cell(const MeasuredCase& one) {
    if (one.trust.empty()) {
        return "";
    }
    const int rank = one.trust == "bad" ? 2 : one.trust == "doubtful" ? 1 : 0;
    return fmt::format("<td data-value=\"{}\" class=\"trust-{}\" title=\"{}\">{}</td>", rank, one.trust,
                       escape_markup(one.trust_reasons), one.trust);
}

/// What the sources of the cases say and the file cannot carry.
std::string source_notes(const ReportContent& content) {
    constexpr std::size_t listed_notes = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(content.notes.size(), listed_notes); ++i) {
        text += fmt::format("<p class=\"trust-note\">Note: {}.</p>", escape_markup(content.notes[i].line()));
    }
    if (content.notes.size() > listed_notes) {
        text += fmt::format("<p class=\"trust-note\">{} in report.json.</p>",
                            counted(static_cast<std::int64_t>(content.notes.size() - listed_notes), "further note"));
    }
    return text;
}

/// What could not be computed of some cases.
std::string gaps_note(const ReportContent& content) {
    std::string text;
    if (!content.without_values.empty()) {
        text +=
            fmt::format("<p class=\"trust-note\">Not counted anywhere, as they could not be computed: {} {}.</p>\n",
                        content.without_values.size() == 1 ? "case" : "cases", fmt::join(content.without_values, ", "));
    }
    for (const std::string& missing : {missing_fronts(content), missing_values(content)}) {
        text += missing.empty() ? "" : "<p class=\"trust-note\">" + capitalised(missing) + ".</p>\n";
    }
    return text;
}

/// What the verdicts say of all cases, with the reasons of the first that have some.
std::string trust_note(const ReportContent& content) {
    if (!content.has_trust()) {
        return "";
    }
    constexpr int listed_cases = 10;
    std::string text = fmt::format("<p class=\"trust-note\">Trust: {} of {}.", content.trust_text(),
                                   counted(static_cast<std::int64_t>(content.cases.size()), "case"));
    int listed = 0;
    for (const MeasuredCase& one : content.cases) {
        if ((one.trust != "good" || !one.trust_reasons.empty()) && ++listed <= listed_cases) {
            text += fmt::format("<br><b class=\"trust-{1}\">Case {0} is {1}</b>: {2}.", one.number, one.trust,
                                escape_markup(one.trust_reasons));
        }
    }
    return text + (listed > listed_cases ? "<br>The table of the cases has the others." : "") + "</p>\n";
}

std::string case_rows(const ReportContent& content) {
    const std::vector<KeyFigure> names = key_figures(content.series());
    std::vector<Shown> units;
    std::string text = "<table class=\"sortable\"><thead><tr><th><button>Case</button></th>";
    for (std::size_t i = 0; i < names.size(); ++i) {
        units.emplace_back();
        if (!is_headline(content, names[i].name)) {
            continue;
        }
        const std::vector<double> values = values_of(content, i);
        double largest = 0.0;
        for (const double value : values) {
            largest = std::max(largest, std::abs(value));
        }
        units.back() = shown_unit(names[i].unit, largest);
        const std::string unit = unit_html(units.back().unit);
        text += fmt::format("<th title=\"{}\"><button>{}{}</button></th>", escape_markup(names[i].description),
                            short_title(names[i].name), unit.empty() ? "" : " [" + unit + "]");
    }
    text +=
        content.has_trust() ? "<th title=\"how far the fields can be relied upon\"><button>Trust</button></th>" : "";
    text += "</tr></thead>\n<tbody>\n";
    for (std::size_t row = 0; row < std::min(content.cases.size(), most_rows); ++row) {
        const MeasuredCase& one = content.cases[row];
        text += fmt::format("<tr><td data-value=\"{0}\">{0}</td>", one.number);
        const std::vector<KeyFigure> figures = key_figures(one.series);
        for (std::size_t i = 0; i < figures.size(); ++i) {
            if (!is_headline(content, figures[i].name)) {
                continue;
            }
            text += fmt::format("<td data-value=\"{:.9g}\">{}</td>", figures[i].value,
                                shown(units[i].factor * figures[i].value));
        }
        text += trust_cell(one);
        text += "</tr>\n";
    }
    return text + "</tbody></table>\n";
}

/// A warning when the pressure front meets the end of the grid.
std::string edge_note(const ReportContent& content) {
    if (!content.has("front_radius") || content.reader.dataset().geometry() != Geometry::radial) {
        return "";
    }
    const double edge = content.reader.dataset().r_edges().back();
    const auto count = std::ranges::count_if(content.cases, [&](const MeasuredCase& one) {
        return find_series(one.series, "front_radius")->values.back() >= edge;
    });
    return count == 0 ? ""
                      : fmt::format(
                            " In {} of {} cases the pressure front reaches the end of the grid at {} km, so its "
                            "radius is not known there.",
                            count, content.cases.size(), shown(edge / 1e3));
}

/// A warning when a case holds more free CO2 than was injected, which no simulator gives but a poor model may.
std::string mass_note(const ReportContent& content) {
    if (!content.has("free_share")) {
        return "";
    }
    const auto count = std::ranges::count_if(content.cases, [](const MeasuredCase& one) {
        return std::ranges::any_of(find_series(one.series, "free_share")->values,
                                   [](double share) { return share > 1.0; });
    });
    return count == 0
               ? ""
               : fmt::format(
                     " In {} of {} cases more free CO2 is in place than was injected, which is impossible: do not "
                     "trust the saturations of these.",
                     count, content.cases.size());
}

struct PageSection {
    std::string id;
    std::string title;
    std::string lead;
    std::string body;
};

std::vector<PageSection> sections(const ReportContent& content, const std::vector<ReportPicture>& pictures) {
    std::vector<PageSection> all;
    const auto add_figures = [&](const char* id, const char* title, const std::string& lead) {
        if (std::ranges::find(pictures, id, &ReportPicture::section) != pictures.end()) {
            all.push_back({id, title, lead, figures(pictures, id)});
        }
    };
    const std::string ensemble =
        content.is_ensemble() ? "Grey: single cases. Band: low (P90) to high (P10). Line: middle (P50)." : "";
    all.push_back(
        {"summary", "Summary",
         content.is_ensemble() ? "The middle (P50) of all cases, with the range from the low value, which 90 % "
                                 "of them exceed (P90), to the high one, which 10 % exceed (P10)."
                               : "",
         trust_note(content) + gaps_note(content) + exceedance_note(content) + source_notes(content) + cards(content)});
    add_figures("plume", "Plume", ensemble);
    const bool has_review = missing_review(content).empty();
    add_figures("pressure", "Pressure", ensemble + (has_review ? "" : edge_note(content)));
    add_figures("review", "Area of review", ensemble + edge_note(content));
    if (!has_review) {
        all.push_back({"review", "Area of review", capitalised(escape_markup(missing_review(content))) + ".", ""});
    }
    add_figures("mass", "CO2 in place", ensemble + mass_note(content));
    add_figures("probability", "Probability", "Share of the cases in which a cell is above the threshold.");
    add_figures("maps", "Maps",
                content.is_ensemble() ? "The case whose plume is nearest to the median at the end." : "");
    const bool is_cut = content.cases.size() > most_rows;
    all.push_back({"cases", "Cases",
                   is_cut ? fmt::format("The first {} cases; cases.csv has all.", most_rows)
                          : "Press a heading to sort. These and further numbers are in cases.csv.",
                   "<div class=\"scroll\">" + case_rows(content) + "</div>\n"});
    all.push_back({"definitions", "Definitions", "", definitions(content)});
    return all;
}

}  // namespace

void write_page(const ReportContent& content, const std::vector<ReportPicture>& pictures) {
    const std::string title = escape_markup(page_title(content));
    std::string links;
    std::string body;
    for (const PageSection& section : sections(content, pictures)) {
        links += fmt::format("<a href=\"#{}\">{}</a>\n", section.id, section.title);
        body += fmt::format("<section id=\"{}\"><div class=\"wide\"><h2>{}</h2>\n", section.id, section.title);
        body += section.lead.empty() ? "" : "<p>" + section.lead + "</p>\n";
        body += section.body + "</div></section>\n";
    }
    const std::string hash = content.reader.dataset().attribute("model_hash");
    const std::string model =
        hash.empty() ? "" : fmt::format(" Model hash <code>{}</code>.", escape_markup(hash.substr(0, 16)));
    const std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
        "<style>\n{1}</style></head>\n<body>\n<header><div class=\"wide\"><h1>{0}</h1><p>{2}</p></div></header>\n"
        "<nav><div class=\"wide\">\n{3}</div></nav>\n<main>\n{4}</main>\n"
        "<footer><div class=\"wide\">Made by plumecast {5}.{6} A prediction is no simulation: check decisions against "
        "one.</div></footer>\n<script>\n{7}</script>\n</body></html>\n",
        title, page_style, subtitle(content), links, body, version(), model, page_script);
    write_text_atomically(content.options.folder / "report.html", page);
}

}  // namespace plumecast
