#include "service/ensembles/ensemble_request.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/random.hpp"
#include "core/text/replaced.hpp"
#include "reservoir/case_model/grid.hpp"
#include "reservoir/case_model/random_field.hpp"
#include "service/answer.hpp"
#include "service/problem.hpp"

namespace plumecast::service {
namespace {

constexpr std::int64_t most_together = 4;               // so that a request that arrives waits for no more
constexpr std::int64_t most_values_of_series = 200000;  // realizations times times
constexpr const char* both_permeabilities = "permeability";

const std::vector<std::string>& drawn_inputs() {
    static const std::vector<std::string> inputs = {
        "injection_rate",          "initial_pressure", "temperature", "irreducible_water_saturation",
        "van_genuchten_lambda",    "salinity",         "thickness",   "permeability_r",
        "residual_gas_saturation", "permeability_z",   "porosity",    both_permeabilities};
    return inputs;
}

/// The case itself, for read_scenario().
Json with_cases(Json common, Json::Array cases) {
    common["cases"] = std::move(cases);
    return common;
}

/// Nothing of what is no number, as rows below the formation may be, which nobody reads.
std::optional<double> number_of(const Json& value) {
    if (const auto* integer = value.get_if<std::int64_t>()) {
        return static_cast<double>(*integer);
    }
    const auto* real = value.get_if<double>();
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

/// All numbers of nested lists times a factor.
void multiply(Json& value, double factor) {
    if (auto* list = value.get_if<Json::Array>()) {
        for (Json& one : *list) {
            multiply(one, factor);
        }
        return;
    }
    if (const std::optional<double> number = number_of(value)) {
        value = *number * factor;
    }
}

void multiply_rates(Json& schedule, double factor) {
    for (Json& period : *schedule.get_if<Json::Array>()) {
        multiply(period["rate"], factor);
    }
}

/// Puts a number that was drawn into a case.
void put(Json& one, const DrawnRange& range, double value) {
    if (!range.is_multiplier) {
        one[range.input] = value;
    } else if (range.input == both_permeabilities) {
        multiply(one["permeability_r"], value);
        multiply(one["permeability_z"], value);
    } else if (range.input == "injection_rate" && one.find("schedule") != nullptr) {
        multiply_rates(one["schedule"], value);
    } else {
        multiply(one[range.input], value);
    }
}

/// Multiplies a permeability with factors [Z][R], within what the data set format admits. Returns in how many cells of
/// the first `rows_of_formation` that was the bound.
std::int64_t multiply_map(Json& value, const ArraySpec& spec, const std::vector<double>& factors, std::size_t columns,
                          std::size_t rows_of_formation) {
    std::int64_t bounded = 0;
    const auto* rows = value.get_if<Json::Array>();
    const std::size_t count = rows == nullptr ? factors.size() / columns : rows->size();
    Json::Array map;
    for (std::size_t row = 0; row < count; ++row) {
        const Json& of_row = rows == nullptr ? value : (*rows)[row];
        const auto* cells = of_row.get_if<Json::Array>();
        if (cells != nullptr && cells->size() != columns) {  // below the formation, where nobody reads
            map.push_back(of_row);
            continue;
        }
        Json::Array line;
        for (std::size_t column = 0; column < columns; ++column) {
            const double here = number_of(cells == nullptr ? of_row : (*cells)[column]).value_or(0.0);
            const double wanted = here * factors[row * columns + column];
            line.emplace_back(std::clamp(wanted, spec.low, spec.high));
            bounded += row < rows_of_formation && !(wanted >= spec.low && wanted <= spec.high) ? 1 : 0;
        }
        map.emplace_back(std::move(line));
    }
    value = std::move(map);
    return bounded;
}

DrawnRange read_range(JsonReader range, const std::string& input) {
    DrawnRange read{input, range.get<double>("from"), range.get<double>("to")};
    const auto choose = [&](const char* key, const char* usual, const char* other) {
        const auto text = range.get<std::string>(key, usual);
        if (text != usual && text != other) {
            throw InvalidInput(fmt::format("{} is '{}' (there are {} and {}); choose one of them", range.path(key),
                                           text.substr(0, 64), usual, other));
        }
        return text == other;
    };
    read.is_logarithmic = choose("law", "uniform", "log_uniform");
    read.is_multiplier = choose("as", "value", "multiplier");
    range.reject_unknown();
    if (!std::isfinite(read.from) || !(read.to > read.from) || !std::isfinite(read.to)) {
        throw InvalidInput(fmt::format("{} is {:g} (the range begins at {:g}, and ends above it); correct one of them",
                                       range.path("to"), read.to, read.from));
    }
    if ((read.is_logarithmic || read.is_multiplier) && !(read.from > 0.0)) {
        throw InvalidInput(fmt::format("{} is {:g} (a {} lies above 0); correct the value", range.path("from"),
                                       read.from, read.is_multiplier ? "multiplier" : "logarithmic range"));
    }
    return read;
}

void require_drawable(const DrawnRange& range, const Json& one, const std::string& path) {
    const bool is_scheduled = range.input == "injection_rate" && one.find("schedule") != nullptr;
    if (!range.is_multiplier && (range.input == both_permeabilities || is_scheduled)) {
        throw InvalidInput(fmt::format("{}.as is value ({}); give \"as\": \"multiplier\"", path,
                                       is_scheduled ? "the case has a schedule of rates, which are drawn together"
                                                    : "both permeabilities are drawn together"));
    }
    const bool may_lack = range.input == "salinity" || range.input == "residual_gas_saturation";
    if (range.is_multiplier && may_lack && one.find(range.input) == nullptr) {
        throw InvalidInput(
            fmt::format("{} is a multiplier (the case has no {} to be multiplied); give it one", path, range.input));
    }
}

DrawnHeterogeneity read_heterogeneity(JsonReader reader) {
    const auto between = [&](const char* key, double low, double high, const char* what) {
        const auto value = reader.get<double>(key);
        if (!(value >= low && value <= high)) {
            throw InvalidInput(fmt::format("{} is {:g} ({} from {:g} to {:g} are taken); correct the value",
                                           reader.path(key), value, what, low, high));
        }
        return value;
    };
    constexpr double least_deviation = 1e-6, largest_deviation = 5.0;  // a factor of 150 either way
    constexpr double shortest = 0.1, longest = 1e6;                    // [m]
    const DrawnHeterogeneity read{between("deviation", least_deviation, largest_deviation, "deviations"),
                                  between("correlation_r", shortest, longest, "lengths"),
                                  between("correlation_z", shortest, longest, "lengths")};
    reader.reject_unknown();
    return read;
}

std::vector<std::pair<std::string, double>> read_figure_limits(JsonReader reader) {
    std::vector<std::pair<std::string, double>> read;
    for (const std::string& figure : reader.keys()) {
        require_known(figure, limited_figures(), "limits");
        const auto limit = reader.get<double>(figure);
        if (!std::isfinite(limit)) {
            throw InvalidInput(reader.path(figure) + " is no finite number (nothing exceeds it); correct the value");
        }
        read.emplace_back(figure, limit);
    }
    return read;
}

void go_on(const StopRequest& stop) {
    if (stop && stop()) {
        throw Interrupted();
    }
}

/// Rows of cells that belong to the formation of a case, whose middle its thickness holds.
std::size_t rows_of_formation(const Json& one, const std::vector<double>& z_edges) {
    const double thickness = number_of(*one.find("thickness")).value_or(0.0);
    const std::vector<double> z = centres_of(z_edges);
    return static_cast<std::size_t>(
        std::ranges::count_if(z, [&](double middle) { return middle - z_edges[0] < thickness; }));
}

std::string in_words_of_ensembles(const std::string& message) {
    return replaced(message, std::vector<Replacement>{{"cases[0]", "case"}});
}

/// A message as it stands within another one.
std::string without_body_name(const std::string& message) {
    const std::string prefix = std::string(body_name) + ": ";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

/// As many lines as an attribute of a file holds, and how many there are beside them.
std::string lines_of(const std::vector<std::string>& texts) {
    constexpr std::size_t most_bytes = std::size_t{32} << 10;
    std::string lines;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (lines.size() + texts[i].size() > most_bytes) {
            return lines + fmt::format("and {} more", texts.size() - i);
        }
        lines += texts[i] + "\n";
    }
    return lines;
}

}  // namespace

const std::vector<std::string>& limited_figures() {
    static const std::vector<std::string> figures = {
        "max_buildup",     "bottom_hole_pressure", "bottom_hole_buildup", "plume_radius_0.01",
        "plume_area_0.01", "plume_footprint_0.01", "plume_radius_0.2",    "front_radius",
        "review_radius",   "review_area",          "mass_free",           "mass_mobile",
        "mass_trapped",    "mass_dissolved"};
    return figures;
}

EnsembleRequest::EnsembleRequest(const Json& body, const Axes& usual, const Limits& limits)
    : usual_(usual), limits_(limits) {
    JsonReader reader(body, body_name);
    common_ = Json::Object{};
    for (const char* key : {"model", "grid", "times", "measure", "buildup_limit"}) {
        if (reader.has(key)) {
            common_[key] = reader.raw(key);
        }
    }
    case_ = reader.raw("case");
    reader.object("case");
    number_ = reader.get<std::int64_t>("number");
    if (number_ < 2) {
        throw InvalidInput(fmt::format("{} is {} (an ensemble has two realizations or more); correct the number",
                                       reader.path("number"), number_));
    }
    if (number_ > limits.realizations) {
        throw Problem(413,
                      fmt::format("the ensemble has {} realizations (this service takes at most {}); ask for fewer, or "
                                  "start it with a higher limit",
                                  number_, limits.realizations),
                      "number");
    }
    seed_ = reader.get<std::int64_t>("seed", 0);
    if (seed_ < 0) {
        throw InvalidInput(fmt::format("{} is {} (seeds are 0 or more); correct it", reader.path("seed"), seed_));
    }
    Scenario base;
    try {
        base = read_scenario(with_cases(common_, {case_}), usual_, limits_);
    } catch (const InvalidInput& error) {
        throw InvalidInput(in_words_of_ensembles(error.what()));
    }
    r_edges_ = base.content.r_edges;
    z_edges_ = base.content.z_edges;
    const auto times = static_cast<std::int64_t>(base.content.times.size());
    const auto values = static_cast<std::int64_t>((r_edges_.size() - 1) * (z_edges_.size() - 1)) * times;
    if (number_ * times > most_values_of_series) {
        throw Problem(413,
                      fmt::format("the ensemble has {} realizations of {} times ({} in all are kept at most); ask for "
                                  "fewer",
                                  number_, times, most_values_of_series),
                      "times");
    }
    at_once_ = std::clamp(std::min(limits.values / values, limits.cases), std::int64_t{1}, most_together);
    if (const auto method = reader.get<std::string>("method", "predict"); method == "predict" || method == "estimate") {
        is_physics_ = method == "estimate";
    } else {
        throw InvalidInput(fmt::format("{} is '{}' (there are predict and estimate); choose one of them",
                                       reader.path("method"), method.substr(0, 64)));
    }
    if (reader.has("ranges")) {
        JsonReader ranges = reader.object("ranges");
        for (const std::string& input : ranges.keys()) {
            require_known(input, drawn_inputs(), "ranges");
            ranges_.push_back(read_range(ranges.object(input), input));
            require_drawable(ranges_.back(), case_, ranges.path(input));
            require_ends(ranges_.back());
        }
    }
    if (reader.has("heterogeneity")) {
        heterogeneity_ = read_heterogeneity(reader.object("heterogeneity"));
    }
    if (ranges_.empty() && !heterogeneity_) {
        throw InvalidInput(reader.path("ranges") +
                           " is missing (all realizations would be alike); give the range of an input, or a "
                           "heterogeneity");
    }
    if (reader.has("limits")) {
        figure_limits_ = read_figure_limits(reader.object("limits"));
    }
    reader.reject_unknown();
}

void EnsembleRequest::require_ends(const DrawnRange& range) const {
    for (const auto& [end, value] : {std::pair("from", range.from), std::pair("to", range.to)}) {
        Json one = case_;
        put(one, range, value);
        try {
            read_scenario(with_cases(common_, {std::move(one)}), usual_, limits_);
        } catch (const InvalidInput& error) {
            throw InvalidInput(fmt::format("{}: ranges.{}.{} makes a case that cannot be computed ({}); correct it",
                                           body_name, range.input, end,
                                           without_body_name(in_words_of_ensembles(error.what()))));
        }
    }
}

double EnsembleRequest::drawn(const DrawnRange& range, std::int64_t realization) const {
    const RandomStream stream(static_cast<std::uint64_t>(seed_), "ensemble " + range.input);
    const double share = stream.uniform(static_cast<std::uint64_t>(realization));
    return range.is_logarithmic ? std::clamp(range.from * std::pow(range.to / range.from, share), range.from, range.to)
                                : range.from + share * (range.to - range.from);
}

/// The case of a realization, and what became another value than drawn.
struct EnsembleRequest::Realization {
    Json one;
    std::vector<std::string> notes = {};
};

/// By which the permeabilities of a realization are multiplied [Z, R].
std::vector<double> EnsembleRequest::factors(std::int64_t which, const StopRequest& stop) const {
    constexpr std::size_t rows_at_once = 16;  // between two questions whether to stop
    const Covariance covariance{Covariance::Kind::gaussian, heterogeneity_->correlation_r,
                                heterogeneity_->correlation_z};
    const RandomField field(
        covariance, RandomStream(static_cast<std::uint64_t>(seed_), fmt::format("ensemble heterogeneity {}", which)));
    const std::vector<double> z = centres_of(z_edges_), r = centres_of(r_edges_);
    std::vector<double> all;
    for (std::size_t row = 0; row < z.size(); row += rows_at_once) {
        go_on(stop);
        const std::vector<double> part =
            field.values(std::span(z).subspan(row, std::min(rows_at_once, z.size() - row)), r);
        std::ranges::transform(part, std::back_inserter(all),
                               [&](double value) { return std::exp(heterogeneity_->deviation * value); });
    }
    return all;
}

EnsembleRequest::Realization EnsembleRequest::realization(std::int64_t which, const StopRequest& stop) const {
    go_on(stop);
    Realization made{case_};
    Json& one = made.one;
    // Numbers first, so that a multiplier is one of what was drawn.
    for (const bool multipliers : {false, true}) {
        for (const DrawnRange& range : ranges_) {
            if (range.is_multiplier == multipliers) {
                put(one, range, drawn(range, which));
            }
        }
    }
    if (heterogeneity_) {
        const std::vector<double> of_cells = factors(which, stop);
        const std::size_t rows = rows_of_formation(one, z_edges_);
        for (const char* input : {"permeability_r", "permeability_z"}) {
            const ArraySpec& spec = *find_array(input, Geometry::radial);
            if (const auto bounded = multiply_map(one[input], spec, of_cells, r_edges_.size() - 1, rows); bounded > 0) {
                made.notes.push_back(
                    fmt::format("the heterogeneity leads beyond what is admissible in {} cells of {}; computed with "
                                "{:g} to {:g} {}",
                                bounded, input, spec.low, spec.high, spec.unit));
            }
        }
    }
    return made;
}

std::vector<EnsembleRequest::Realization> EnsembleRequest::realizations(std::int64_t begin, std::int64_t end,
                                                                        const StopRequest& stop) const {
    std::vector<Realization> all;
    for (std::int64_t which = begin; which < end; ++which) {
        all.push_back(realization(which, stop));
    }
    return all;
}

Json EnsembleRequest::body_of(std::vector<Realization>& all) const {
    Json::Array cases;
    std::ranges::transform(all, std::back_inserter(cases), [](Realization& made) { return std::move(made.one); });
    return with_cases(common_, std::move(cases));
}

Json EnsembleRequest::body(std::int64_t begin, std::int64_t end, const StopRequest& stop) const {
    std::vector<Realization> all = realizations(begin, end, stop);
    return body_of(all);
}

Scenario EnsembleRequest::scenario(std::int64_t begin, std::int64_t end, const StopRequest& stop) const {
    try {
        std::vector<Realization> all = realizations(begin, end, stop);
        Scenario scenario = read_scenario(body_of(all), usual_, limits_);
        for (std::size_t i = 0; i < all.size(); ++i) {
            scenario.notes[i].insert(scenario.notes[i].end(), all[i].notes.begin(), all[i].notes.end());
        }
        return scenario;
    } catch (const InvalidInput& error) {
        std::string message = error.what();
        for (std::int64_t which = begin; which < end; ++which) {
            const std::string case_here = fmt::format("cases[{}]", which - begin);
            const std::string name = fmt::format("realization {}", which);
            message = replaced(message, std::vector<Replacement>{{case_here, name}});
        }
        throw InvalidInput(without_body_name(message));
    }
}

Scenario EnsembleRequest::all_inputs(const StopRequest& stop) const {
    const auto cells = static_cast<std::int64_t>((r_edges_.size() - 1) * (z_edges_.size() - 1));
    Limits limits = limits_;
    limits.cases = number_;
    require_within_limits(number_, number_ * cells, limits);
    std::optional<Scenario> all;
    std::vector<std::string> left_out;
    for (std::int64_t which = 0; which < number_; ++which) {
        try {
            Scenario one = scenario(which, which + 1, stop);
            if (all) {
                append_cases(*all, one);
            } else {
                all = std::move(one);
            }
        } catch (const InvalidInput& error) {
            left_out.emplace_back(error.what());
        }
    }
    if (!all) {
        throw InvalidInput(fmt::format("no realization makes a case ({}); correct the ranges", left_out.front()));
    }
    if (!left_out.empty()) {
        all->content.attributes["realizations_left_out"] = lines_of(left_out);
    }
    return std::move(*all);
}

}  // namespace plumecast::service
