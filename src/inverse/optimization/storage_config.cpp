#include "inverse/optimization/storage_config.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/json_assignment.hpp"
#include "core/json_fields.hpp"
#include "io/text_file.hpp"
#include "reservoir/dataset/attributes/number_attributes.hpp"

namespace plumecast {
namespace {

void visit_range(auto& v, const char* key, auto& range) {
    if (range || v.reads) {
        auto value = range.value_or(DesignRange());
        if constexpr (std::remove_reference_t<decltype(v)>::reads) {
            if (v.has(key)) {
                v.required(key, value);
                range = value;
            }
        } else {
            v.field(key, value);
        }
    }
}

/// A number that may be left out.
void visit_number(auto& v, const char* key, auto& number) {
    if constexpr (std::remove_reference_t<decltype(v)>::reads) {
        if (v.has(key)) {
            double value = 0.0;
            v.required(key, value);
            number = value;
        }
    } else {
        v.field(key, number);
    }
}

// One list of entries per section serves reading and writing.
void visit_limit(auto& v, auto& limit) {
    v.required("figure", limit.figure);
    visit_number(v, "at_most", limit.at_most);
    visit_number(v, "at_least", limit.at_least);
    visit_number(v, "front", limit.front);
    v.field_or("polygon", limit.polygon, std::string());
    visit_number(v, "x", limit.x);
    visit_number(v, "y", limit.y);
    visit_number(v, "r", limit.r);
    visit_number(v, "margin", limit.margin);
    visit_number(v, "probability", limit.probability);
}

void visit_storage(auto& v, auto& c) {
    v.required("data", c.data);
    v.field("cases", c.cases);
    v.field("model", c.model);
    v.field("substeps", c.substeps);
    v.field("output", c.output);
    v.section("rates", [&](auto& e) {
        e.field("range", c.rate);
        e.field("ends", c.ends);
    });
    if (c.top || c.length || v.reads) {
        v.section("perforation", [&](auto& e) {
            visit_range(e, "top", c.top);
            visit_range(e, "length", c.length);
        });
    }
    v.objects_if_any("well_places", c.well_places, [](auto& e, auto& place) {
        e.required("x", place.x);
        e.required("y", place.y);
    });
    v.section("fracture", [&](auto& e) {
        visit_number(e, "gradient", c.fracture.gradient);
        visit_number(e, "pressure", c.fracture.pressure);
        e.field("factor", c.fracture.factor);
    });
    visit_number(v, "top_depth", c.top_depth);
    visit_number(v, "well_radius", c.well_radius);
    v.objects("limits", c.limits, [](auto& e, auto& limit) { visit_limit(e, limit); });
    v.field("probability", c.probability);
    v.field("probabilities", c.probabilities);
    v.section("search", [&](auto& e) {
        e.field("points", c.points);
        e.field("polished", c.polished);
        e.field("evaluations", c.evaluations);
        e.field("tolerance", c.tolerance);
    });
    v.field("threads", c.threads);
}

[[noreturn]] void refuse_entry(const std::string& entry, const std::string& why, const std::string& remedy) {
    throw InvalidInput(entry + " cannot be used (" + why + "); " + remedy);
}

void check_range(const std::string& entry, const DesignRange& range, double most) {
    if (!(range.low >= 0.0 && range.low < range.high && range.high <= most)) {
        refuse_entry(entry, fmt::format("[{:g}, {:g}] is no range from 0 to {:g}", range.low, range.high, most),
                     "give the lower end first, and a higher one");
    }
}

/// As a data set may state it.
void check_attribute(const char* name, const std::optional<double>& value) {
    const NumberAttribute& attribute = *find_number_attribute(name);
    if (value && !attribute.admits(*value)) {
        refuse_entry(name, fmt::format("{:g} is not {}", *value, admissible_text(attribute)), "give it in m");
    }
}

void check_probability(const std::string& entry, double probability) {
    if (!(probability > 0.0 && probability <= 1.0)) {
        refuse_entry(entry, fmt::format("{:g} is no probability above 0 and up to 1", probability),
                     "write 0.9 for nine of ten geologies");
    }
}

/// The gas saturation at the end of the name of a figure of the plume; nothing for others.
std::optional<double> threshold_of(const std::string& figure) {
    const auto mark = figure.rfind('_');
    if (!figure.starts_with("plume_") || mark == std::string::npos) {
        return std::nullopt;
    }
    double threshold = 0.0;
    const char* end = figure.data() + figure.size();
    const auto read = std::from_chars(figure.data() + mark + 1, end, threshold);
    return read.ec == std::errc() && read.ptr == end ? std::optional(threshold) : std::nullopt;
}

bool is_front(const std::string& figure) { return figure == "front_radius" || figure == "front_area"; }

/// Where the figure is measured: of an area, at a place, or as it is.
void check_where(const StorageLimit& limit, const std::string& entry) {
    const bool is_of_area = limit.figure.ends_with("_inside") || limit.figure.ends_with("_outside");
    if (is_of_area != !limit.polygon.empty()) {
        refuse_entry(entry + ".polygon",
                     is_of_area ? "CO2 inside or outside is that of an area" : "this figure has no area",
                     is_of_area ? "name the file of a polygon" : "remove it, or limit mass_outside or mass_inside");
    }
    const bool is_of_place = limit.figure == "pressure_buildup" || limit.figure == "gas_saturation";
    if (!is_of_place && !limit.place().empty()) {
        refuse_entry(entry, "this figure has no place",
                     "remove x, y and r, or limit pressure_buildup or gas_saturation");
    }
    if (is_of_place && !(limit.r ? !limit.x && !limit.y : limit.x && limit.y)) {
        refuse_entry(entry, "a field is limited at one place",
                     "give x and y on the map in metres, or r, the distance from the well of rings");
    }
}

void check_limit(const StorageConfig& config, std::size_t i) {
    const StorageLimit& limit = config.limits[i];
    const std::string entry = fmt::format("limits[{}] ({})", i, limit.figure);
    check_where(limit, entry);
    if (!limit.at_most && !limit.at_least) {
        refuse_entry(entry, "it has neither at_most nor at_least, so nothing is limited", "give one of them");
    }
    for (const auto& number : {limit.at_most, limit.at_least, limit.margin, limit.x, limit.y, limit.r}) {
        if (number && !std::isfinite(*number)) {
            refuse_entry(entry, "a number is not finite", "give a number");
        }
    }
    if (limit.margin && *limit.margin < 0.0) {
        refuse_entry(entry + ".margin",
                     fmt::format("{:g} is below 0, and a margin is what the figure may be wrong by", *limit.margin),
                     "give 0 or more, or leave it out");
    }
    if (limit.probability) {
        check_probability(entry + ".probability", *limit.probability);
    }
    if (const auto threshold = threshold_of(limit.figure); threshold && !(*threshold >= 0.0 && *threshold < 1.0)) {
        refuse_entry(entry, fmt::format("{:g} is no gas saturation at the edge of a plume", *threshold),
                     "name one from 0 and below 1, as in plume_radius_0.01");
    }
    if (limit.front && !is_front(limit.figure)) {
        refuse_entry(entry + ".front", "this figure has no front", "remove it, or limit front_radius or front_area");
    }
    if (limit.front && !(*limit.front > 0.0)) {
        refuse_entry(entry + ".front", "the build-up at the edge of a front is above 0", "give it in bar");
    }
    if (limit.figure.ends_with("fracture_margin") && !config.fracture.is_known()) {
        refuse_entry(entry, "no pressure is known at which the rock breaks",
                     "give fracture.gradient or fracture.pressure");
    }
    const double margin = limit.margin.value_or(0.0);
    if (limit.at_most && limit.at_least && *limit.at_least + margin > *limit.at_most - margin) {
        refuse_entry(entry,
                     fmt::format("at least {:g} and at most {:g}, with a margin of {:g}, contradict each other",
                                 *limit.at_least, *limit.at_most, margin),
                     "widen one of them");
    }
    for (std::size_t j = 0; j < i; ++j) {
        const StorageLimit& other = config.limits[j];
        if (other.figure != limit.figure || other.front != limit.front || other.polygon != limit.polygon ||
            other.place() != limit.place()) {
            continue;
        }
        const auto contradict = [](const StorageLimit& above, const StorageLimit& below) {
            return above.at_least && below.at_most &&
                   *above.at_least + above.margin.value_or(0.0) > *below.at_most - below.margin.value_or(0.0);
        };
        if (contradict(limit, other) || contradict(other, limit)) {
            refuse_entry(entry, fmt::format("it contradicts limits[{}], {}, with their margins", j, other.name()),
                         "widen one of the two");
        }
    }
}

}  // namespace

std::vector<double> StorageLimit::place() const {
    std::vector<double> numbers;
    for (const std::optional<double>& number : {x, y, r}) {
        if (number) {
            numbers.push_back(*number);
        }
    }
    return numbers;
}

std::string StorageLimit::name() const {
    std::string text = figure;
    if (front) {
        text += fmt::format(" of {:g} bar", *front);
    }
    if (!polygon.empty()) {
        text += " of " + polygon;
    }
    if (!place().empty()) {
        text += r ? fmt::format(" at r {:.10g} m", *r)
                  : fmt::format(" at x {:.10g} m, y {:.10g} m", x.value_or(0.0), y.value_or(0.0));
    }
    if (at_least) {
        text += fmt::format(" at least {:g}", *at_least);
    }
    if (at_most) {
        text += fmt::format("{} at most {:g}", at_least ? " and" : "", *at_most);
    }
    return text;
}

StorageConfig StorageConfig::example() {
    StorageConfig config;
    config.data = "data/radial_sample.h5";
    config.fracture.gradient = 0.16;
    config.limits = {{.figure = "fracture_margin", .at_least = 0.0},
                     {.figure = "plume_radius_0.01", .at_most = 3000.0}};
    return config;
}

StorageConfig StorageConfig::from_json(const Json& json, const std::string& origin) {
    StorageConfig config;
    JsonReader object(json, origin);
    object.has("$schema");  // for editors only
    read_whole(object, [&](FieldReader& v) { visit_storage(v, config); });
    return config;
}

StorageConfig StorageConfig::from_file(const std::string& path) {
    return from_json(Json::parse(read_text(path), path), path);
}

Json StorageConfig::to_json() const {
    return written([&](FieldWriter& v) { visit_storage(v, *this); });
}

void StorageConfig::set(const std::string& assignment) {
    Json json = to_json();
    assign(json, assignment, "the configuration of an optimization", LastEntry::may_be_new);
    *this = from_json(json, assignment);
}

void StorageConfig::check() const {
    if (data.empty()) {
        refuse_entry("data", "no data set is named", "name one of geologies, or of sites");
    }
    if (output.empty()) {
        refuse_entry("output", "there is no folder to write to", "name one");
    }
    check_range("rates.range", rate, 1000.0);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (!(std::isfinite(ends[i]) && ends[i] > (i == 0 ? 0.0 : ends[i - 1]))) {
            refuse_entry(fmt::format("rates.ends[{}]", i),
                         fmt::format("{:g} is not after 0 and the one before", ends[i]),
                         "give their ends in days, in their order");
        }
    }
    if (top.has_value() != length.has_value()) {
        refuse_entry("perforation", "an interval has a top and a length", "give ranges of both, or leave both out");
    }
    if (top) {
        check_range("perforation.top", *top, 1e4);
        check_range("perforation.length", *length, 1e4);
        if (!(length->low > 0.0)) {
            refuse_entry("perforation.length", "an interval of 0 m opens nothing", "begin above 0");
        }
    }
    check_attribute("top_depth", top_depth);
    check_attribute("well_radius", well_radius);
    if (fracture.gradient && fracture.pressure) {
        refuse_entry("fracture", "gradient and pressure both state where the rock breaks", "remove one of them");
    }
    if (fracture.gradient && !(*fracture.gradient > 0.0 && *fracture.gradient <= highest_fracture_gradient)) {
        refuse_entry("fracture.gradient",
                     fmt::format("{:g} bar/m is none that rock has, which is above 0 and up to {:g}",
                                 *fracture.gradient, highest_fracture_gradient),
                     "give bar per metre of depth");
    }
    if (fracture.pressure && !(*fracture.pressure > 0.0)) {
        refuse_entry("fracture.pressure", "it is not above 0", "give it in bar");
    }
    if (!(fracture.factor > 0.0 && fracture.factor <= 1.0)) {
        refuse_entry("fracture.factor", fmt::format("{:g} is no share above 0 and up to 1", fracture.factor),
                     "give the allowed share of the pressure at which the rock breaks");
    }
    if (limits.empty()) {
        refuse_entry("limits", "there are none, so that the most is stored at the highest rates", "give one or more");
    }
    for (std::size_t i = 0; i < limits.size(); ++i) {
        check_limit(*this, i);
    }
    if (fracture.is_known() &&
        std::ranges::none_of(limits, [](const StorageLimit& one) { return one.figure.ends_with("fracture_margin"); })) {
        refuse_entry("fracture", "no limit reads it", "limit fracture_margin, or remove the entry");
    }
    check_probability("probability", probability);
    for (const double one : probabilities) {
        check_probability("probabilities", one);
    }
    if (points < 1 || points > 100000 || polished < 1 || polished > 1000 || evaluations < 1 || evaluations > 1000000) {
        refuse_entry("search", "points, polished and evaluations are counts of 1 or more", "use 64, 3 and 80");
    }
    if (!(tolerance > 0.0 && tolerance < 1.0)) {
        refuse_entry("search.tolerance", "it is a share of the ranges above 0 and below 1", "use 0.001");
    }
    if (substeps < 1 || substeps > 1000) {
        refuse_entry("substeps", "1 to 1000 time steps can be made while time grows by 1.36", "use 2");
    }
    if (threads < 0) {
        refuse_entry("threads", "it counts threads", "use 0 for all");
    }
}

SeriesOptions StorageConfig::series_of(const std::optional<double>& front) const {
    SeriesOptions options;
    options.fracture = fracture;
    options.pressure_front = front;
    for (const StorageLimit& limit : limits) {
        const std::optional<double> threshold = threshold_of(limit.figure);
        if (threshold && std::ranges::find(options.thresholds, *threshold) == options.thresholds.end()) {
            options.thresholds.push_back(*threshold);
        }
    }
    return options;
}

}  // namespace plumecast
