#include "reservoir/h5/stored_meaning.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/text/ascii.hpp"

namespace plumecast::h5 {
namespace {

bool has_attribute(const File& file, const std::string& array, const char* name) {
    const std::vector<std::string> present = file.attributes(array);
    return std::ranges::find(present, name) != present.end();
}

/// Numbers of an attribute; none where it is absent.
std::vector<double> attribute_numbers(const File& file, const std::string& array, const char* name,
                                      std::size_t expected) {
    if (!has_attribute(file, array, name)) {
        return {};
    }
    std::vector<double> numbers = file.numbers(array, name);
    if (numbers.empty() || (expected > 0 && numbers.size() != expected)) {
        throw InvalidData(
            fmt::format("{}: {}: attribute {} is not {} (it says what the stored numbers mean); write it "
                        "so, or remove it",
                        file.path(), array, name,
                        expected == 1   ? "one number"
                        : expected == 2 ? "two numbers"
                                        : "a number"));
    }
    return numbers;
}

std::optional<double> single_number(const File& file, const std::string& array, const char* name) {
    const std::vector<double> numbers = attribute_numbers(file, array, name, 1);
    return numbers.empty() ? std::nullopt : std::optional(numbers[0]);
}

/// What packing multiplies by or adds; `otherwise` where the attribute is absent.
double packing_number(const File& file, const std::string& array, const char* name, double otherwise) {
    const double number = single_number(file, array, name).value_or(otherwise);
    const bool is_lost = number == 0.0 && otherwise != 0.0;  // a factor of which all values become one
    if (!std::isfinite(number) || is_lost) {
        throw InvalidData(fmt::format(
            "{}: {}: attribute {} is {} ({}); correct it, or remove it where the numbers are the values", file.path(),
            array, name, number_text(number), is_lost ? "all values would be the same" : "no value would be finite"));
    }
    return number;
}

/// Whether integers are meant without a sign, as `_Unsigned` says; nothing where it is absent.
std::optional<bool> is_meant_unsigned(const File& file, const std::string& array) {
    const char* const name = "_Unsigned";
    if (!has_attribute(file, array, name)) {
        return std::nullopt;
    }
    const std::string text = lower(file.text(array, name).value_or(""));
    const std::vector<double> numbers = file.numbers(array, name);
    const double number = numbers.size() == 1 ? numbers[0] : std::numeric_limits<double>::quiet_NaN();
    const bool is_true = text == "true" || number == 1.0;
    if (!is_true && text != "false" && number != 0.0) {
        throw InvalidData(fmt::format(
            "{}: {}: attribute {} is {} (it says whether stored integers are meant without a sign, \"true\" or "
            "\"false\"); write one of them, or remove it",
            file.path(), array, name, file.attribute_text(array, name)));
    }
    return is_true;
}

/// With what netCDF fills integers that nobody writes (NC_FILL_SHORT, NC_FILL_UINT ... of netcdf.h); nothing for bytes,
/// all of which are values where no attribute says otherwise.
std::optional<double> netcdf_fill_of_integers(const StoredType& type) {
    const int bits = 8 * static_cast<int>(type.bytes);
    return type.bytes < 2   ? std::nullopt
           : type.is_signed ? std::optional(1.0 - std::ldexp(1.0, bits - 1))
                            : std::optional(std::ldexp(1.0, bits) - 1.0);
}

constexpr double netcdf_fill = 9.9692099683868690e+36;  // NC_FILL_FLOAT and NC_FILL_DOUBLE
/// As single precision holds it, where that is asked for and it does.
double rounded(double number, bool in_single) {
    const bool is_kept = !in_single || std::abs(number) > std::numeric_limits<float>::max();
    return is_kept ? number : static_cast<double>(static_cast<float>(number));
}

constexpr double part_of_a_step = 0.01;  // within which unpacking rounds, of the difference of packed numbers

}  // namespace

StoredMeaning::StoredMeaning(const File& file, const std::string& array) {
    const StoredType type = file.type(array);
    const bool is_integer = type.element == Element::integer;
    is_single_ = type.element == Element::real && type.bytes <= sizeof(float);
    const std::optional<bool> is_unsigned = is_meant_unsigned(file, array);
    if (is_integer && is_unsigned.value_or(!type.is_signed) == type.is_signed) {
        wraps_at_ = std::ldexp(1.0, 8 * static_cast<int>(type.bytes));
        is_meant_signed_ = !type.is_signed;
    }
    scale_ = packing_number(file, array, "scale_factor", 1.0);
    offset_ = packing_number(file, array, "add_offset", 0.0);
    for (const char* name : {"_FillValue", "missing_value"}) {
        std::ranges::copy(attribute_numbers(file, array, name, 0), std::back_inserter(missing_));
    }
    const std::optional<double> fill = is_integer ? file.fill_value(array) : std::nullopt;
    if (fill && fill == netcdf_fill_of_integers(type)) {
        missing_.push_back(*fill);
    }
    std::ranges::transform(missing_, missing_.begin(), [this](double number) { return meant(number); });
    if (type.element == Element::real) {
        missing_.push_back(netcdf_fill);
    }
    read_ranges(file, array, is_integer);
    for (const char* name : {"_FillValue", "missing_value", "valid_min", "valid_max", "valid_range"}) {
        if (has_attribute(file, array, name)) {
            missing_names_.emplace_back(name);
        }
    }
}

void StoredMeaning::read_ranges(const File& file, const std::string& array, bool is_integer) {
    const bool has_packing = has_attribute(file, array, "scale_factor") || has_attribute(file, array, "add_offset");
    const double rounding = part_of_a_step * std::abs(scale_);
    const auto take = [&](const char* name, std::optional<double> low, std::optional<double> high) {
        const bool is_of_values = is_integer && has_packing && file.real_bytes(array, name) > 0;
        Range& range = is_of_values ? of_values_ : of_stored_;
        const auto end = [&](double number, double margin) {
            return is_of_values ? number + margin : std::isfinite(number) ? meant(number) : number;
        };
        range.low = low ? end(*low, -rounding) : range.low;
        range.high = high ? end(*high, rounding) : range.high;
    };
    take("valid_min", single_number(file, array, "valid_min"), std::nullopt);
    take("valid_max", std::nullopt, single_number(file, array, "valid_max"));
    if (const std::vector<double> range = attribute_numbers(file, array, "valid_range", 2); !range.empty()) {
        take("valid_range", range[0], range[1]);
    }
}

double StoredMeaning::meant(double stored) const {
    if (is_meant_signed_) {
        return stored >= 0.5 * wraps_at_ ? stored - wraps_at_ : stored;
    }
    return stored < 0.0 ? stored + wraps_at_ : stored;
}

std::string StoredMeaning::packing_text() const {
    std::string text;
    const auto add = [&](const std::string& part) { text += text.empty() ? part : ", " + part; };
    if (scale_ != 1.0) {
        add(fmt::format("scale_factor {}", scale_));
    }
    if (offset_ != 0.0) {
        add(fmt::format("add_offset {}", offset_));
    }
    if (wraps_at_ != 0.0) {
        add(is_meant_signed_ ? "_Unsigned false" : "_Unsigned true");
    }
    return text;
}

std::string StoredMeaning::missing_text() const {
    return missing_names_.empty() ? "netCDF's own fill value" : fmt::to_string(fmt::join(missing_names_, ", "));
}

bool StoredMeaning::agrees_with(const StoredMeaning& other) const {
    const bool in_single = is_single_ || other.is_single_;
    const auto is_same = [in_single](double a, double b) { return rounded(a, in_single) == rounded(b, in_single); };
    const auto is_same_range = [&](const Range& a, const Range& b) {
        return is_same(a.low, b.low) && is_same(a.high, b.high);
    };
    const auto has_all = [&](const std::vector<double>& numbers, const std::vector<double>& some) {
        return std::ranges::all_of(some, [&](double one) {
            const auto is_it = [&](double number) { return is_same(number, one); };
            return std::isnan(one) || one == netcdf_fill || std::ranges::any_of(numbers, is_it);
        });
    };
    return wraps_at_ == other.wraps_at_ && is_meant_signed_ == other.is_meant_signed_ && scale_ == other.scale_ &&
           offset_ == other.offset_ && is_same_range(of_stored_, other.of_stored_) &&
           is_same_range(of_values_, other.of_values_) && has_all(missing_, other.missing_) &&
           has_all(other.missing_, missing_);
}

template <class T>
void StoredMeaning::mark(std::span<T> stored, bool in_single) const {
    std::vector<double> missing;
    std::ranges::transform(missing_, std::back_inserter(missing),
                           [in_single](double number) { return rounded(number, in_single); });
    const Range admitted{rounded(of_stored_.low, in_single), rounded(of_stored_.high, in_single)};
    for (T& number : stored) {
        const double value = rounded(static_cast<double>(number), in_single);
        if (admitted.excludes(value) || of_values_.excludes(scale_ * value + offset_) ||
            std::ranges::find(missing, value) != missing.end()) {
            number = std::numeric_limits<T>::quiet_NaN();
        }
    }
}

void StoredMeaning::apply(std::span<double> stored) const {
    if (wraps_at_ != 0.0) {
        std::ranges::transform(stored, stored.begin(), [this](double value) { return meant(value); });
    }
    mark_missing(stored);
    if (scale_ != 1.0 || offset_ != 0.0) {
        std::ranges::transform(stored, stored.begin(), [&](double value) { return scale_ * value + offset_; });
    }
}

void StoredMeaning::mark_missing(std::span<float> stored) const { mark(stored, true); }

void StoredMeaning::mark_missing(std::span<double> stored) const { mark(stored, is_single_); }

void StoredMeaning::require_written(const File& file, const std::string& array) const {
    const std::optional<double> fill = file.fill_value(array);
    double given = fill.value_or(0.0);
    mark_missing(std::span(&given, 1));
    const bool is_meant = fill == 0.0 || std::isnan(given);
    if (!is_meant && file.has_unwritten(array)) {
        throw InvalidData(fmt::format(
            "{}: {}: parts of it were never written (HDF5 gives {} for them); write the whole array, or give it a "
            "_FillValue",
            file.path(), array, number_text(fill.value_or(0.0))));
    }
}

bool counts_upwards(const File& file, const std::string& array) {
    std::string direction = lower(file.text(array, "positive").value_or(""));
    std::erase_if(direction, is_space);
    return direction == "up";
}

}  // namespace plumecast::h5
