#include "service/scenario.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/cases/dissolution_limit.hpp"
#include "service/problem.hpp"

namespace plumecast::service {
namespace {

constexpr std::size_t longest_axis = 4096;

const std::vector<std::string> scalars = {"initial_pressure", "temperature", "irreducible_water_saturation",
                                          "van_genuchten_lambda", "salinity"};

constexpr double never_reached = 10000.0;  // a pressure in wells, of cases without a limit [bar]

/// A number within what the data set format admits of an input.
double admissible(double value, const ArraySpec& spec, const std::string& path) {
    if (!(value >= spec.low && value <= spec.high)) {
        throw InvalidInput(fmt::format("{} is {:g} (admissible are {:g} to {:g} {}); correct the value", path, value,
                                       spec.low, spec.high, spec.unit));
    }
    return value;
}

double number_in(const Json& value, const ArraySpec& spec, const std::string& path) {
    const auto* integer = value.get_if<std::int64_t>();
    const auto* real = value.get_if<double>();
    if (integer == nullptr && real == nullptr) {
        throw InvalidInput(
            fmt::format("{} is {} (a number is expected); correct the value", path, std::string(value.kind())));
    }
    return admissible(integer != nullptr ? static_cast<double>(*integer) : *real, spec, path);
}

std::vector<double> increasing(std::vector<double> values, std::size_t least, const std::string& path) {
    if (values.size() < least || values.size() > longest_axis) {
        throw InvalidInput(fmt::format("{} has {} entries ({} to {} are taken); correct the list", path, values.size(),
                                       least, longest_axis));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool grows = i == 0 ? values[0] >= 0.0 : values[i] > values[i - 1];
        if (!std::isfinite(values[i]) || !grows || values[i] > 1e8) {
            throw InvalidInput(fmt::format("{}[{}] is {:g} (the entries increase from 0 or more up to 1e8); correct it",
                                           path, i, values[i]));
        }
    }
    return values;
}

std::vector<double> usual_axis(const Axes& usual, const std::string& name, const std::string& path) {
    const auto found = usual.find(name);
    if (found == usual.end() || found->second.empty()) {
        throw InvalidInput(path + " is missing (the model records no grid of its own); add it");
    }
    return found->second;
}

bool has_schedule(const Json& body) {
    const Json* cases = body.find("cases");
    const auto* list = cases != nullptr ? cases->get_if<Json::Array>() : nullptr;
    return list != nullptr &&
           std::ranges::any_of(*list, [](const Json& one) { return one.find("schedule") != nullptr; });
}

/// A rate without an end holds to the last time: not longer than a model knows of, unless the request states times.
std::vector<double> usual_times(const Json& body, const Axes& usual, const std::string& path) {
    return usual_axis(usual, usual.contains(times_at_one_rate) && !has_schedule(body) ? times_at_one_rate : "times",
                      path);
}

void read_axes(const Json& whole, JsonReader& body, const Axes& usual, DatasetContent& content) {
    const std::string path = body.path("grid");
    if (body.has("grid")) {
        JsonReader grid = body.object("grid");
        content.r_edges = increasing(grid.get<std::vector<double>>("r_edges"), 2, grid.path("r_edges"));
        content.z_edges = increasing(grid.get<std::vector<double>>("z_edges"), 2, grid.path("z_edges"));
        grid.reject_unknown();
    } else {
        content.r_edges = usual_axis(usual, "r_edges", path);
        content.z_edges = usual_axis(usual, "z_edges", path);
    }
    content.times = body.has("times") ? increasing(body.get<std::vector<double>>("times"), 1, body.path("times"))
                                      : usual_times(whole, usual, body.path("times"));
}

AskedSize size_of(std::size_t cases, const DatasetContent& content) {
    const std::size_t cells = (content.z_edges.size() - 1) * (content.r_edges.size() - 1);
    return {static_cast<std::int64_t>(cases), static_cast<std::int64_t>(cases * cells * content.times.size())};
}

/// A rate that holds until a day.
struct Period {
    double until = 0.0;  // [day]
    double rate = 0.0;   // [Mt/year]
};

/// Reads the cases of a request into the arrays of a data set.
class CasesReader {
   public:
    CasesReader(Scenario& scenario) : scenario_(scenario), content_(scenario.content) {}

    void read(std::vector<JsonReader> cases) {
        for (JsonReader& one : cases) {
            scenario_.notes.emplace_back();
            read_case(one);
            one.reject_unknown();
        }
        store_schedules();
        for (auto& [name, values] : optional_) {
            if (const auto found = content_.arrays.find(name); found != content_.arrays.end()) {
                found->second = std::move(values);
            }
        }
    }

   private:
    std::size_t rows() const { return content_.z_edges.size() - 1; }
    std::size_t columns() const { return content_.r_edges.size() - 1; }

    void read_case(JsonReader& one) {
        for (const std::string& name : scalars) {
            const ArraySpec& spec = *find_array(name, Geometry::radial);
            if (name != "salinity" || one.has(name)) {
                store(name, number_in(one.raw(name), spec, one.path(name)));
            } else {
                store(name, 0.0);
            }
        }
        read_optional(one, "residual_gas_saturation", 0.0);
        require_room_for_residual_gas(one);
        read_optional(one, "bottom_hole_pressure_limit", never_reached);
        read_optional(one, "dissolution_rate_limit", never_reached_dissolution_rate);
        const std::size_t active = read_thickness(one);
        for (const char* name : {"permeability_r", "permeability_z", "porosity"}) {
            read_map(one, name, active);
        }
        read_perforation(one, active);
        read_rates(one);
    }

    /// Without it in any case nothing is said of it; `absent` stands for it in cases that lack what others have.
    void read_optional(JsonReader& one, const std::string& name, double absent) {
        const bool is_given = one.has(name);
        const double value =
            is_given ? number_in(one.raw(name), *find_array(name, Geometry::radial), one.path(name)) : absent;
        optional_[name].push_back(static_cast<float>(value));
        if (is_given) {
            content_.arrays[name] = {};
        }
    }

    void require_room_for_residual_gas(const JsonReader& one) const {
        const auto gas = static_cast<double>(optional_.at("residual_gas_saturation").back());
        const double water = static_cast<double>(content_.arrays.at("irreducible_water_saturation").back());
        if (gas > 0.0 && gas + water >= 1.0) {
            throw InvalidInput(
                fmt::format("{} is {:g} (it leaves no room beside an irreducible water saturation of "
                            "{:g}); lower one of them",
                            one.path("residual_gas_saturation"), gas, water));
        }
    }

    void store(const std::string& name, double value) { content_.arrays[name].push_back(static_cast<float>(value)); }

    /// Whole rows whose middle the thickness holds belong to the formation. Returns how many.
    std::size_t read_thickness(JsonReader& one) {
        const ArraySpec& spec = *find_array("thickness", Geometry::radial);
        const double asked = number_in(one.raw("thickness"), spec, one.path("thickness"));
        const std::vector<double>& z = content_.z_edges;
        std::size_t active = 0;
        while (active < rows() && 0.5 * (z[active] + z[active + 1]) - z[0] < asked) {
            ++active;
        }
        if (active == 0 || asked > (z.back() - z[0]) * (1.0 + 1e-6)) {
            throw InvalidInput(fmt::format(
                "{} is {:g} (the rows of the grid hold {:g} to {:g} m); choose a thickness between, or another grid",
                one.path("thickness"), asked, z[1] - z[0], z.back() - z[0]));
        }
        const double taken = z[active] - z[0];
        if (std::abs(taken - asked) > 1e-6 * asked) {
            scenario_.notes.back().push_back(
                fmt::format("a thickness of {:g} m ends within a row of cells; computed with {:g} m", asked, taken));
        }
        store("thickness", taken);
        std::vector<float>& map = content_.arrays["active"];
        for (std::size_t row = 0; row < rows(); ++row) {
            map.insert(map.end(), columns(), row < active ? 1.0F : 0.0F);
        }
        return active;
    }

    /// A number, a profile of as many entries as the formation or the grid has rows, or a map [Z][R].
    void read_map(JsonReader& one, const char* name, std::size_t active) {
        const ArraySpec& spec = *find_array(name, Geometry::radial);
        const Json& value = one.raw(name);
        const std::string path = one.path(name);
        std::vector<float>& map = content_.arrays[name];
        const auto* list = value.get_if<Json::Array>();
        if (list == nullptr) {
            const auto uniform = static_cast<float>(number_in(value, spec, path));
            map.insert(map.end(), active * columns(), uniform);
            map.insert(map.end(), (rows() - active) * columns(), 0.0F);
            return;
        }
        require_rows(list->size(), active, path);
        for (std::size_t row = 0; row < rows(); ++row) {
            if (row >= active) {
                map.insert(map.end(), columns(), 0.0F);
                continue;
            }
            const std::string at = fmt::format("{}[{}]", path, row);
            const auto* cells = (*list)[row].get_if<Json::Array>();
            if (cells == nullptr) {
                map.insert(map.end(), columns(), static_cast<float>(number_in((*list)[row], spec, at)));
                continue;
            }
            if (cells->size() != columns()) {
                throw InvalidInput(fmt::format("{} has {} entries (the grid has {} columns); give one for each", at,
                                               cells->size(), columns()));
            }
            for (std::size_t column = 0; column < columns(); ++column) {
                map.push_back(static_cast<float>(number_in((*cells)[column], spec, fmt::format("{}[{}]", at, column))));
            }
        }
    }

    void require_rows(std::size_t given, std::size_t active, const std::string& path) const {
        if (given != active && given != rows()) {
            throw InvalidInput(fmt::format(
                "{} has {} entries (the formation has {} rows of cells, the grid {}); give one for each row", path,
                given, active, rows()));
        }
    }

    /// Fractions of the rows of the well column: the overlap with an interval, as listed, or all.
    void read_perforation(JsonReader& one, std::size_t active) {
        const std::vector<double>& z = content_.z_edges;
        std::vector<double> open(active, 1.0);
        const std::string path = one.path("perforation");
        if (one.has("perforation") && one.raw("perforation").is_object()) {
            JsonReader interval = one.object("perforation");
            const auto top = interval.get<double>("top");
            const auto bottom = interval.get<double>("bottom");
            interval.reject_unknown();
            const double height = z[active] - z[0];
            if (!(top >= 0.0 && bottom > top && top < height)) {
                throw InvalidInput(
                    fmt::format("{} is open from {:g} to {:g} m (the formation has {:g} m from its top "
                                "on); give depths within it, the top first",
                                path, top, bottom, height));
            }
            if (bottom > height * (1.0 + 1e-6)) {
                scenario_.notes.back().push_back(fmt::format(
                    "the perforation ends with the formation, at {:g} m instead of {:g} m", height, bottom));
            }
            for (std::size_t row = 0; row < active; ++row) {
                const double overlap = std::min(z[row + 1] - z[0], bottom) - std::max(z[row] - z[0], top);
                open[row] = std::clamp(overlap / (z[row + 1] - z[row]), 0.0, 1.0);
            }
        } else if (one.has("perforation")) {
            const auto listed = one.get<std::vector<double>>("perforation");
            require_rows(listed.size(), active, path);
            for (std::size_t row = 0; row < active; ++row) {
                open[row] = admissible(listed[row], *find_array("perforation", Geometry::radial),
                                       fmt::format("{}[{}]", path, row));
            }
        }
        if (std::ranges::none_of(open, [](double share) { return share > 0.0; })) {
            throw InvalidInput(path +
                               " opens no part of the formation (nothing can be injected); give depths within it");
        }
        std::vector<float>& map = content_.arrays["perforation"];
        for (std::size_t row = 0; row < rows(); ++row) {
            map.push_back(row < active ? static_cast<float>(open[row]) : 0.0F);
            map.insert(map.end(), columns() - 1, 0.0F);
        }
    }

    void read_rates(JsonReader& one) {
        const ArraySpec& spec = *find_array("injection_rate", Geometry::radial);
        std::vector<Period> periods;
        if (!one.has("schedule")) {
            periods = {{0.0, number_in(one.raw("injection_rate"), spec, one.path("injection_rate"))}};
        } else if (one.has("injection_rate")) {
            throw InvalidInput(one.path("injection_rate") +
                               " is given beside a schedule (which states the rates); remove one of them");
        } else {
            is_scheduled_ = true;
            for (JsonReader& period : one.objects("schedule")) {
                const auto until = period.get<double>("until");
                const double last = periods.empty() ? 0.0 : periods.back().until;
                if (!(until > last && until <= 1e8)) {
                    throw InvalidInput(
                        fmt::format("{} is {:g} (periods end after 0, each after the one before, by "
                                    "1e8 days); correct the order",
                                    period.path("until"), until));
                }
                periods.push_back({until, number_in(period.raw("rate"), spec, period.path("rate"))});
                period.reject_unknown();
            }
            if (periods.empty() || periods.size() > 100) {
                throw InvalidInput(fmt::format("{} has {} periods (1 to 100 are taken); correct the list",
                                               one.path("schedule"), periods.size()));
            }
        }
        rates_.push_back(std::move(periods));
    }

    /// Cases of a data set share the ends of their periods: those of all.
    void store_schedules() {
        if (!is_scheduled_) {
            for (const std::vector<Period>& one : rates_) {
                store("injection_rate", one.front().rate);
            }
            return;
        }
        std::set<double> ends;
        for (const std::vector<Period>& one : rates_) {
            for (const Period& period : one) {
                ends.insert(period.until > 0.0 ? period.until : content_.times.back());
            }
        }
        content_.schedule_ends.assign(ends.begin(), ends.end());
        for (const std::vector<Period>& one : rates_) {
            for (const double end : ends) {
                const bool is_constant = one.front().until == 0.0;
                const auto period =
                    is_constant ? one.begin()
                                : std::ranges::find_if(one, [end](const Period& each) { return each.until >= end; });
                store("schedule_rate", period == one.end() ? 0.0 : period->rate);
            }
        }
    }

    Scenario& scenario_;
    DatasetContent& content_;
    std::vector<std::vector<Period>> rates_;              // of each case; a constant one has a period until 0
    std::map<std::string, std::vector<float>> optional_;  // of each case, where one has them
    bool is_scheduled_ = false;
};

}  // namespace

WantedPicture read_picture(JsonReader picture, std::size_t cases) {
    WantedPicture wanted;
    wanted.which = picture.get<std::int64_t>("case", 0);
    if (wanted.which < 0 || wanted.which >= static_cast<std::int64_t>(cases)) {
        throw InvalidInput(fmt::format("{} is {} (the request has cases 0 to {}); choose one of them",
                                       picture.path("case"), wanted.which, cases - 1));
    }
    wanted.field = picture.get<std::string>("field", wanted.field);
    if (picture.has("time")) {
        wanted.time = picture.get<double>("time");
    }
    picture.reject_unknown();
    return wanted;
}

AskedSize size_asked_for(const Json& body, const Axes& usual) {
    JsonReader reader(body, body_name);
    DatasetContent content;
    read_axes(body, reader, usual, content);
    return size_of(reader.objects("cases").size(), content);
}

std::string model_asked_for(const Json& body) { return JsonReader(body, body_name).get<std::string>("model", ""); }

Scenario read_scenario(const Json& body, const Axes& usual, const Limits& limits) {
    JsonReader reader(body, body_name);
    reader.has("model");
    Scenario scenario;
    read_axes(body, reader, usual, scenario.content);
    std::vector<JsonReader> cases = reader.objects("cases");
    if (cases.empty()) {
        throw InvalidInput(reader.path("cases") + " is empty (there is nothing to compute); give one case or more");
    }
    const AskedSize size = size_of(cases.size(), scenario.content);
    require_within_limits(size.cases, size.values, limits);
    if (reader.has("picture")) {
        scenario.picture = read_picture(reader.object("picture"), cases.size());
    }
    CasesReader(scenario).read(std::move(cases));
    scenario.fields = reader.get<std::vector<std::string>>("fields", {});
    scenario.uncertainty = reader.get<bool>("uncertainty", false);
    if (reader.has("measure")) {
        scenario.measure = read_measure(reader.object("measure"));
    }
    if (reader.has("buildup_limit")) {
        const auto limit = reader.get<double>("buildup_limit");
        if (!(limit > 0.0)) {
            throw InvalidInput(reader.path("buildup_limit") + " is not above 0; give the build-up in bar");
        }
        scenario.buildup_limit = limit;
    }
    reader.reject_unknown();
    return scenario;
}

void append_cases(Scenario& to, const Scenario& from) {
    for (const auto& [name, values] : from.content.arrays) {
        std::vector<float>& all = to.content.arrays.at(name);
        all.insert(all.end(), values.begin(), values.end());
    }
    to.notes.insert(to.notes.end(), from.notes.begin(), from.notes.end());
}

}  // namespace plumecast::service
