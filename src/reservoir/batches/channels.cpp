#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/json_fields.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"

namespace plumecast {
namespace {

/// How an input that is worked out from others varies; the table of quantities has its unit and meaning.
struct Derived {
    std::string_view name;
    Variation variation;
};

constexpr auto derived_sources = std::to_array<Derived>({{"cell_width_r", Variation::column_r},
                                                         {"cell_width_x", Variation::column_x},
                                                         {"cell_width_y", Variation::column_y},
                                                         {"cell_width_z", Variation::column_z},
                                                         {"center_r", Variation::column_r},
                                                         {"center_x", Variation::column_x},
                                                         {"center_y", Variation::column_y},
                                                         {"center_z", Variation::column_z},
                                                         {"time", Variation::time},
                                                         {"transmissivity", Variation::scalar},
                                                         {"perforated_transmissivity", Variation::scalar},
                                                         {"inflow_share", Variation::map},
                                                         {"current_injection_rate", Variation::series},
                                                         {"injected_co2", Variation::series},
                                                         {"time_since_rate_change", Variation::series},
                                                         {"physics_buildup_rms_by_time", Variation::series},
                                                         {"physics_gas_saturation", Variation::field},
                                                         {"physics_pressure_buildup", Variation::field},
                                                         {"physics_dissolved_co2", Variation::field},
                                                         {"physics_buildup_rms", Variation::scalar},
                                                         {"physics_viscosity_ratio", Variation::scalar},
                                                         {"physics_co2_density", Variation::scalar}});

const Derived* find_derived(std::string_view source) {
    const auto found =
        std::ranges::find_if(derived_sources, [&](const Derived& derived) { return derived.name == source; });
    return found == derived_sources.end() ? nullptr : &*found;
}

/// Empty for a path, whose data state it.
std::string unit_of(std::string_view source) {
    if (is_path(source)) {
        return "";
    }
    const Quantity* derived = find_quantity(QuantityKind::derived, source);
    return derived != nullptr ? derived->unit : find_array(source)->unit;
}

std::vector<std::string> known_sources() {
    std::vector<std::string> names = array_names(Role::map);
    const std::vector<std::string> scalars = array_names(Role::scalar);
    names.insert(names.end(), scalars.begin(), scalars.end());
    for (const Derived& derived : derived_sources) {
        names.emplace_back(derived.name);
    }
    return names;
}

constexpr std::array<std::string_view, 3> transform_names = {"identity", "log", "log10"};

Transform transform_from(const std::string& text, const std::string& path) {
    const auto found = std::find(transform_names.begin(), transform_names.end(), text);
    if (found == transform_names.end()) {
        throw InvalidInput(path + ": no transform \"" + text + "\" (known: identity, log, log10); use one of them");
    }
    return static_cast<Transform>(found - transform_names.begin());
}

/// Whether a factor scales whole cases, or with `over_time` each time of a case.
bool is_factor(const PowerFactor& factor, bool over_time) {
    if (is_path(factor.source) || !std::isfinite(factor.exponent)) {
        return false;
    }
    const Variation variation = variation_of(factor.source);
    return variation == Variation::scalar || (over_time && variation == Variation::series);
}

void check_factors(const std::vector<PowerFactor>& factors, bool over_time, const std::string& what) {
    for (const PowerFactor& factor : factors) {
        if (!is_factor(factor, over_time)) {
            throw InvalidInput(what + ": factor \"" + factor.source + "\" must be an input without axes" +
                               (over_time ? " or of time alone" : "") +
                               " with a finite exponent (it scales whole cases" +
                               (over_time ? ", or each of their times" : "") + "); use another source");
        }
    }
}

template <class Visitor, class Factor>
void visit_factor(Visitor& v, Factor& factor) {
    v.required("source", factor.source);
    v.field("exponent", factor.exponent);
}

template <class Visitor, class Factors>
void visit_factors(Visitor& v, Factors& factors) {
    v.objects_if_any("factors", factors, [](auto& item, auto& factor) { visit_factor(item, factor); });
}

template <class Visitor, class Constants>
void visit_points(Visitor& v, Constants& points) {
    v.field_or("point_extents", points.extents, std::vector<std::int64_t>());
    v.field_or("point_offsets", points.offsets, std::vector<double>());
    v.field_or("point_scales", points.scales, std::vector<double>());
}

template <class Visitor, class OneChannel>
void visit_channel(Visitor& v, OneChannel& channel) {
    v.required("name", channel.name);
    v.required("source", channel.source);
    v.field("unit", channel.unit);
    v.word("transform", channel.transform, transform_names, transform_from);
    v.field("offset", channel.offset);
    v.field("scale", channel.scale);
    v.field("mask_inactive", channel.mask_inactive);
    visit_factors(v, channel.factors);
    visit_points(v, channel.points);
}

template <class Visitor, class OneField>
void visit_output(Visitor& v, OneField& field) {
    v.required("name", field.name);
    v.required("unit", field.unit);
    v.field("offset", field.offset);
    v.field("scale", field.scale);
    v.field_or("cutoff", field.cutoff, 0.0);
    visit_factors(v, field.factors);
    v.field_or("base", field.base, std::string());
    v.field_or("residual_scale", field.residual_scale, 1.0);
    v.field_or("confined", field.confined, -1);
    v.field_or("below_irreducible_water", field.below_irreducible_water, false);
    visit_points(v, field.points);
}

void check_guidance(const Field& field, const std::string& what) {
    const bool has_base = !field.base.empty();
    if (has_base && (!is_physics_source(field.base) || variation_of(field.base) != Variation::field ||
                     unit_of(field.base) != field.unit)) {
        throw InvalidInput(what + ": base \"" + field.base +
                           "\" must be a field of the reduced physics in the same unit (the network corrects it); use "
                           "another source");
    }
    if (!std::isfinite(field.residual_scale) || field.residual_scale == 0.0) {
        throw InvalidInput(what +
                           ": residual_scale must be finite and not 0 (the network is multiplied by it); "
                           "correct it");
    }
    if (field.confined < -1 || (field.confined >= 0 && !has_base)) {
        throw InvalidInput(what +
                           ": confined counts cells around the plume of the physics and limits a correction "
                           "(a negative count or a field without base cannot); use -1 for no limit");
    }
    if (has_base && !field.points.empty()) {
        throw InvalidInput(what +
                           ": constants of points beside a base (the network corrects one of them); leave one out");
    }
    if (field.below_irreducible_water && field.unit != "1") {
        throw InvalidInput(what + ": below_irreducible_water bounds a saturation (the unit is " + field.unit +
                           "); leave it out");
    }
}

void check_scale(double offset, double scale, const std::string& what) {
    if (!std::isfinite(offset) || !std::isfinite(scale) || scale == 0.0) {
        throw InvalidInput(what +
                           ": offset and scale must be finite and scale not 0 (values are divided by it); "
                           "correct them");
    }
}

void check_points(const PointConstants& points, const std::string& what) {
    double count = points.empty() ? 0.0 : 1.0;
    for (const std::int64_t extent : points.extents) {
        count *= static_cast<double>(extent);
    }
    if (count != static_cast<double>(points.offsets.size()) || points.offsets.size() != points.scales.size()) {
        throw InvalidInput(what + ": point_offsets and point_scales have " + std::to_string(points.offsets.size()) +
                           " and " + std::to_string(points.scales.size()) +
                           " numbers (point_extents say how many points there are); give one of each for each point");
    }
    for (std::size_t i = 0; i < points.offsets.size(); ++i) {
        check_scale(points.offsets[i], points.scales[i], what + ", point " + std::to_string(i));
    }
}

}  // namespace

bool is_share(const Field& field) {
    const ArraySpec* spec = find_array(field.name);
    return field.unit == "1" && spec != nullptr && spec->role == Role::output;
}

Variation variation_of(std::string_view source) {
    if (is_path(source)) {
        return source == "/grid/times" ? Variation::time
               : source == "/grid/x"   ? Variation::column_x
               : source == "/grid/y"   ? Variation::column_y
               : source == "/grid/z"   ? Variation::column_z
                                       : Variation::map;
    }
    if (const Derived* derived = find_derived(source)) {
        return derived->variation;
    }
    const ArraySpec* spec = find_array(source);
    if (spec == nullptr || (spec->role != Role::map && spec->role != Role::scalar)) {
        const std::string near = nearest(source, known_sources());
        throw InvalidInput(
            "no channel source \"" + std::string(source) + "\"" +
            (near.empty() ? std::string() : " (the nearest is \"" + near + "\")") +
            "; use an input of the data set format, or one of cell_width_r, _x, _y, _z, center_r, "
            "_x, _y, _z, time, transmissivity, perforated_transmissivity, inflow_share, current_injection_rate, "
            "injected_co2, time_since_rate_change, or a field, series or scalar of the reduced physics");
    }
    return spec->role == Role::map ? Variation::map : Variation::scalar;
}

bool is_physics_source(std::string_view source) {
    return source.starts_with("physics_") && find_derived(source) != nullptr;
}

std::vector<std::string> physics_sources(const std::vector<Channel>& channels, const std::vector<Field>& fields) {
    std::vector<std::string> sources;
    const auto add = [&](const std::string& read) {
        // What the physics does not keep is worked out from a field of it.
        const std::string source = read == "physics_buildup_rms_by_time" ? "physics_pressure_buildup" : read;
        if (is_physics_source(source) && std::ranges::find(sources, source) == sources.end()) {
            sources.push_back(source);
        }
    };
    const auto add_factors = [&](const std::vector<PowerFactor>& factors) {
        std::ranges::for_each(factors, [&](const PowerFactor& factor) { add(factor.source); });
    };
    for (const Channel& channel : channels) {
        add(channel.source);
        add_factors(channel.factors);
    }
    for (const Field& field : fields) {
        add(field.base);
        add_factors(field.factors);
        if (field.confined >= 0) {
            add("physics_gas_saturation");
        }
    }
    return sources;
}

Channel make_channel(std::string name, std::string source, Transform transform, double offset, double scale) {
    const Variation variation = variation_of(source);
    const bool masked = variation != Variation::scalar && variation != Variation::time &&
                        variation != Variation::series && !is_path(source);
    std::string unit = unit_of(source);
    return {std::move(name), std::move(source), std::move(unit), transform, offset, scale, masked};
}

Field as_it_is(Field field) {
    field.cutoff = 0.0;
    field.below_irreducible_water = false;
    return field;
}

void check_channels(const std::vector<Channel>& channels) {
    std::set<std::string> names;
    for (const Channel& channel : channels) {
        const std::string what = "channel \"" + channel.name + "\"";
        const Variation variation = variation_of(channel.source);
        if (!names.insert(channel.name).second) {
            throw InvalidInput(what + " appears twice (channels go by name); rename one");
        }
        if (!is_path(channel.source) && channel.unit != unit_of(channel.source)) {
            throw InvalidInput(what + " has unit " + channel.unit + " (the source " + channel.source + " has " +
                               unit_of(channel.source) + "); correct the unit and the constants");
        }
        const bool is_series = variation == Variation::time || variation == Variation::series;
        if (channel.mask_inactive && is_series) {
            throw InvalidInput(what + ": " + (variation == Variation::time ? "time" : channel.source) +
                               " cannot be masked (it would repeat over the map); set mask_inactive false");
        }
        if (variation == Variation::time && !channel.factors.empty()) {
            throw InvalidInput(what + ": factors of the time (it is the same for all cases); leave them out");
        }
        check_scale(channel.offset, channel.scale, what);
        check_points(channel.points, what);
        check_factors(channel.factors, variation == Variation::field || variation == Variation::series, what);
    }
}

void check_field(const Field& field) {
    const std::string what = "field \"" + field.name + "\"";
    check_scale(field.offset, field.scale, what);
    check_points(field.points, what);
    if (!std::isfinite(field.cutoff) || field.cutoff < 0.0) {
        throw InvalidInput(what + ": cutoff must be finite and not negative (it bounds a magnitude); correct it");
    }
    check_factors(field.factors, true, what);
    check_guidance(field, what);
}

Json to_json(const std::vector<Channel>& channels) {
    return FieldWriter::list_of(channels, [](auto& v, const Channel& channel) { visit_channel(v, channel); });
}

Json to_json(const std::vector<Field>& fields) {
    return FieldWriter::list_of(fields, [](auto& v, const Field& field) { visit_output(v, field); });
}

namespace {

/// Says where a source that is unknown stands.
Channel usual_channel(JsonReader& item) {
    const auto name = item.get<std::string>("name"), source = item.get<std::string>("source");
    try {
        return make_channel(name, source);
    } catch (const InvalidInput& error) {
        throw InvalidInput(item.path("source") + ": " + error.what());
    }
}

}  // namespace

std::vector<Channel> read_channels(JsonReader& object, std::string_view key) {
    std::vector<Channel> channels;
    for (JsonReader& item : object.objects(key)) {
        Channel channel = usual_channel(item);
        read_whole(item, [&](FieldReader& v) { visit_channel(v, channel); });
        channels.push_back(std::move(channel));
    }
    check_channels(channels);
    return channels;
}

std::vector<Field> read_fields(JsonReader& object, std::string_view key) {
    std::vector<Field> fields;
    for (JsonReader& item : object.objects(key)) {
        read_whole(item, [&](FieldReader& v) { visit_output(v, fields.emplace_back()); });
        check_field(fields.back());
    }
    return fields;
}

}  // namespace plumecast
