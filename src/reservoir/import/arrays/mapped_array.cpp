#include "reservoir/import/arrays/mapped_array.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/import/arrays/array_meaning.hpp"
#include "reservoir/import/model_notes/value_ranges.hpp"

namespace plumecast {
namespace {

std::string letters_of(const ArraySpec& spec) {
    std::string letters;
    for (const Axis axis : spec.axes) {
        letters += letter_of(axis);
    }
    return letters;
}

/// Takes axes of extent 1 out until `axes` are left, as MATLAB stores a list as [1, N]; false where that is not
/// possible in one way only.
bool leave_out_ones(std::vector<std::int64_t>& extents, std::size_t axes) {
    if (extents.size() <= axes) {
        return extents.size() == axes;
    }
    const std::size_t surplus = extents.size() - axes;
    const auto without = [&](auto begin, auto end) {
        std::vector<std::int64_t> kept;
        std::size_t left = surplus;
        for (auto at = begin; at != end; ++at) {
            const bool is_left_out = *at == 1 && left > 0;
            left -= is_left_out ? 1 : 0;
            if (!is_left_out) {
                kept.push_back(*at);
            }
        }
        return kept;
    };
    std::vector<std::int64_t> first = without(extents.begin(), extents.end());
    const std::vector<std::int64_t> last = without(extents.rbegin(), extents.rend());
    if (first.size() != axes || !std::equal(first.begin(), first.end(), last.rbegin())) {
        return false;
    }
    extents = std::move(first);
    return true;
}

/// Place among all axes of one that was kept by leave_out_ones().
std::size_t place_in(const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& kept, std::size_t axis) {
    std::size_t surplus = all.size() - kept.size();
    std::size_t found = 0;
    for (std::size_t place = 0; place < all.size(); ++place) {
        if (all[place] == 1 && surplus > 0) {
            --surplus;
        } else if (found++ == axis) {
            return place;
        }
    }
    return axis;
}

/// The attribute `units`, without the blanks that pad it; empty without one.
std::string declared_unit(const h5::File& file, const std::string& path) {
    std::string unit = file.text(path, "units").value_or("");
    unit.erase(unit.find_last_not_of(' ') + 1);
    unit.erase(0, unit.find_first_not_of(' '));
    return unit;
}

/// Why neither the map nor the attribute `units` gives a unit.
std::string problem_of_units(const h5::File& file, const std::string& path, bool is_empty_in_map) {
    const std::string stated = file.attribute_text(path, "units");
    return is_empty_in_map            ? "the one of the map is empty"
           : stated == "missing"      ? path + " has no attribute units"
           : file.text(path, "units") ? path + " has an attribute units that is empty"
                                      : "attribute units of " + path + " is " + stated;
}

/// What is to be said where the map gives another unit than the file.
std::string note_on_units(const std::string& path, const std::string& declared, const std::string& unit,
                          const std::string& wanted) {
    try {
        const UnitConversion of_file = conversion(declared, wanted, path);
        const UnitConversion of_map = conversion(unit, wanted, path);
        const bool is_same = of_file.factor == of_map.factor && of_file.offset == of_map.offset;
        return is_same ? ""
                       : fmt::format("{} has the attribute units \"{}\", but the map says \"{}\", which counts", path,
                                     declared, unit);
    } catch (const InvalidInput&) {  // the map is there for units that are not known
        return declared.empty() || declared == unit
                   ? ""
                   : fmt::format(
                         "{} has the attribute units \"{}\", which is not known here; the map says \"{}\", "
                         "which counts",
                         path, declared, unit);
    }
}

/// What is to be said of times that count from a date.
std::string note_on_times(const std::string& path, const std::string& declared) {
    const std::size_t at = declared.find(" since ");
    return at == std::string::npos ? ""
                                   : fmt::format("{} counts from {} (units), which is taken for the start of injection",
                                                 path, declared.substr(at + 7));
}

}  // namespace

char letter_of(Axis axis) {
    switch (axis) {
        case Axis::cases:
            return 'n';
        case Axis::times:
            return 't';
        case Axis::z:
        case Axis::z_edges:
            return 'z';
        case Axis::r:
        case Axis::r_edges:
            return 'r';
        case Axis::y:
        case Axis::y_edges:
            return 'y';
        case Axis::wells:
            return 'w';
        case Axis::periods:
            return 'p';
        default:
            return 'x';
    }
}

MappedArray::MappedArray(const ArraySpec& spec, JsonReader& entries, const h5::File& file) : spec_(&spec) {
    const std::string name(spec.name());
    const std::string where = entries.path(name);
    const Json& raw = entries.raw(name);
    if (!raw.is_object()) {
        if (spec.role == Role::grid) {
            list_ = entries.get<std::vector<double>>(name);
        } else {
            constant_ = entries.get<double>(name);
        }
        return;
    }
    JsonReader entry = entries.object(name);
    path_ = entry.get<std::string>("array");
    const std::string wanted = letters_of(spec);
    axes_ = entry.get<std::string>("axes", spec.role == Role::grid ? wanted : "");
    std::erase(axes_, ' ');
    minus_first_ = entry.get<bool>("minus_first", false);
    const auto kind = entry.get<std::string>("kind", "edges");
    holds_centres_ = kind == "centres";
    const h5::ArrayInfo info = file.info(path_);
    extents_ = info.extents;
    meaning_ = meaning_of(file, path_, name);
    const std::string declared = declared_unit(file, path_);
    const auto unit = entry.get<std::string>("unit", declared);
    const bool has_own_unit = entry.has("unit");
    entry.reject_unknown();
    if (kind != "edges" && kind != "centres") {
        throw InvalidInput(entry.path("kind") + ": \"" + kind +
                           "\" (an axis is given by edges or centres); use one of them");
    }
    std::string sorted = axes_;
    std::ranges::sort(sorted);
    const bool is_known = std::ranges::adjacent_find(sorted) == sorted.end() &&
                          std::ranges::all_of(axes_, [&](char c) { return wanted.find(c) != std::string::npos; });
    if (!is_known || !leave_out_ones(extents_, axes_.size())) {
        throw InvalidInput(
            fmt::format("{}: axes \"{}\" for {} of extents {} (one letter of \"{}\" each, in the order of the file; "
                        "only axes of extent 1 may go without); correct axes",
                        where, axes_, path_, fmt::join(info.extents, " x "), wanted));
    }
    const std::size_t cases = axes_.find('n');
    file_axis_of_cases_ = cases == std::string::npos ? 0 : place_in(info.extents, extents_, cases);
    if (unit.empty() && file.texts(path_, "units").size() > 1) {
        throw InvalidData(file.path() + ": " + path_ + ": attribute units is " + file.attribute_text(path_, "units") +
                          " (an array has one unit); correct it, or give the unit in the map");
    }
    if (unit.empty()) {
        throw InvalidInput(fmt::format("{}: no unit ({}); give it in the map, the format has {}", where,
                                       problem_of_units(file, path_, has_own_unit), spec.unit));
    }
    unit_ = conversion(unit, spec.unit, where);
    note_ = has_own_unit ? note_on_units(path_, declared, unit, spec.unit) : note_on_times(path_, declared);
    if (minus_first_ && axes_.find('t') == std::string::npos) {
        throw InvalidInput(where + ": minus_first for an array without times (nothing comes first); leave it out");
    }
}

std::int64_t MappedArray::extent(char letter) const {
    const std::size_t at = axes_.find(letter);
    return at == std::string::npos ? 0 : extents_[at];
}

/// As the file holds them.
std::vector<double> MappedArray::numbers(const h5::File& file, std::int64_t which) const {
    return axes_.find('n') == std::string::npos ? file.read<double>(path_)
                                                : file.read_slice(path_, file_axis_of_cases_, which);
}

std::vector<double> MappedArray::stored(const h5::File& file, std::int64_t which) const {
    std::vector<double> values = numbers(file, which);
    meaning_->apply(values);
    return values;
}

bool MappedArray::may_be_undefined() const {
    return !is_constant() && (spec_->name() == "porosity" || spec_->name().starts_with("permeability_"));
}

std::vector<std::string> MappedArray::notes_on_missing(const h5::File& file, std::int64_t which) const {
    std::vector<std::string> notes;
    if (is_constant()) {
        return notes;
    }
    const auto count_nan = [](const std::vector<double>& values) {
        return std::ranges::count_if(values, [](double value) { return std::isnan(value); });
    };
    std::vector<double> values = numbers(file, which);
    const auto nan_before = count_nan(values);
    meaning_->apply(values);
    if (const auto marked = count_nan(values) - nan_before; marked > 0) {
        notes.push_back(fmt::format("{} of {} stands for no value by {}", spec_->name(), counted(marked, "cell"),
                                    meaning_->missing_text()));
    }
    const auto first = std::ranges::find_if(values, is_undefined);
    if (may_be_undefined() && first != values.end()) {
        notes.push_back(fmt::format("{} of {} is {}, which stands for no value", spec_->name(),
                                    counted(std::ranges::count_if(values, is_undefined), "cell"), number_text(*first)));
    }
    return notes;
}

std::vector<float> MappedArray::values(const h5::File& file, std::int64_t which,
                                       const std::vector<std::int64_t>& extents) const {
    const std::int64_t count = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    std::vector<float> result(static_cast<std::size_t>(count), static_cast<float>(constant_));
    if (is_constant()) {
        return result;
    }
    std::vector<double> raw = stored(file, which);
    if (may_be_undefined()) {
        std::ranges::replace_if(raw, is_undefined, std::numeric_limits<double>::quiet_NaN());
    }
    std::string wanted = letters_of(*spec_);
    std::erase(wanted, 'n');
    std::vector<std::int64_t> strides(extents.size(), 0);
    std::int64_t first_stride = 0;
    std::int64_t stride = 1;
    for (std::size_t at = axes_.size(); at-- > 0;) {
        if (axes_[at] == 'n') {  // of which one entry was read
            continue;
        }
        const std::size_t axis = wanted.find(axes_[at]);
        if (extents_[at] != extents[axis]) {
            throw InvalidData(
                fmt::format("{}: {} has {} entries along {} (the grid has {}); correct the map or the array",
                            file.path(), path_, extents_[at], axes_[at], extents[axis]));
        }
        strides[axis] = stride;
        first_stride = axes_[at] == 't' ? stride : first_stride;
        stride *= extents_[at];
    }
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i;
        std::int64_t from = 0;
        std::int64_t time = 0;
        for (std::size_t axis = extents.size(); axis-- > 0;) {
            const std::int64_t place = rest % extents[axis];
            rest /= extents[axis];
            from += place * strides[axis];
            time = wanted[axis] == 't' ? place : time;
        }
        const double value = raw[static_cast<std::size_t>(from)];
        const double first = minus_first_ ? raw[static_cast<std::size_t>(from - time * first_stride)] : 0.0;
        result[static_cast<std::size_t>(i)] =
            static_cast<float>(unit_.factor * (value - first) + (minus_first_ ? 0.0 : unit_.offset));
    }
    return result;
}

std::vector<double> MappedArray::edges(const h5::File& file) const {
    std::vector<double> values = is_constant() ? list_ : stored(file, 0);
    for (double& value : values) {
        value = unit_.factor * value + unit_.offset;
    }
    if (!holds_centres_) {
        return values;
    }
    if (values.size() < 2) {
        throw InvalidData(file.path() + ": " + path_ +
                          " has one cell centre (edges lie half-way between two); give edges");
    }
    std::vector<double> edges = {1.5 * values[0] - 0.5 * values[1]};
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        edges.push_back(0.5 * (values[i] + values[i + 1]));
    }
    edges.push_back(1.5 * values.back() - 0.5 * values[values.size() - 2]);
    if (spec_->low >= 0.0 && edges[0] < 0.0 && edges[0] > -1e-9 * edges.back()) {
        edges[0] = 0.0;
    }
    return edges;
}

}  // namespace plumecast
