#include "reservoir/h5/stored_meaning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/text/ascii.hpp"

namespace plumecast::h5 {
namespace {

/// Numbers of an attribute; none where it is absent.
std::vector<double> attribute_numbers(const File& file, const std::string& array, const char* name,
                                      std::size_t expected) {
    const std::vector<std::string> present = file.attributes(array);
    if (std::ranges::find(present, name) == present.end()) {
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

StoredMeaning::StoredMeaning(const File& file, const std::string& array)
    : low_(-std::numeric_limits<double>::infinity()), high_(std::numeric_limits<double>::infinity()) {
    const auto one = [&](const char* name, double& value) {
        const std::vector<double> numbers = attribute_numbers(file, array, name, 1);
        value = numbers.empty() ? value : numbers[0];
    };
    const StoredType type = file.type(array);
    is_single_ = type.element == Element::real && type.bytes <= sizeof(float);
    if (type.element == Element::integer && type.is_signed && file.text(array, "_Unsigned") == "true") {
        wraps_at_ = std::ldexp(1.0, 8 * static_cast<int>(type.bytes));
    }
    one("scale_factor", scale_);
    one("add_offset", offset_);
    one("valid_min", low_);
    one("valid_max", high_);
    const std::vector<double> range = attribute_numbers(file, array, "valid_range", 2);
    if (!range.empty()) {
        low_ = range[0];
        high_ = range[1];
    }
    for (const char* name : {"_FillValue", "missing_value"}) {
        std::ranges::copy(attribute_numbers(file, array, name, 0), std::back_inserter(missing_));
    }
    const std::optional<double> fill = type.element == Element::integer ? file.fill_value(array) : std::nullopt;
    if (fill && fill == netcdf_fill_of_integers(type)) {
        missing_.push_back(*fill);
    }
    const std::size_t bytes = std::max(file.real_bytes(array, "scale_factor"), file.real_bytes(array, "add_offset"));
    is_range_of_values_ = type.element == Element::integer && bytes > type.bytes &&
                          std::ranges::any_of(std::to_array({"valid_min", "valid_max", "valid_range"}),
                                              [&](const char* name) { return file.real_bytes(array, name) == bytes; });
    if (is_range_of_values_) {
        low_ -= part_of_a_step * std::abs(scale_);
        high_ += part_of_a_step * std::abs(scale_);
    } else {
        for (double* number : {&low_, &high_}) {
            *number = std::isfinite(*number) ? unsigned_value(*number) : *number;
        }
    }
    std::ranges::transform(missing_, missing_.begin(), [this](double number) { return unsigned_value(number); });
    if (type.element == Element::real) {
        missing_.push_back(netcdf_fill);
    }
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
        add("_Unsigned true");
    }
    return text;
}

bool StoredMeaning::agrees_with(const StoredMeaning& other) const {
    const bool in_single = is_single_ || other.is_single_;
    const auto is_same = [in_single](double a, double b) { return rounded(a, in_single) == rounded(b, in_single); };
    const auto has_all = [&](const std::vector<double>& numbers, const std::vector<double>& some) {
        return std::ranges::all_of(some, [&](double one) {
            const auto is_it = [&](double number) { return is_same(number, one); };
            return std::isnan(one) || one == netcdf_fill || std::ranges::any_of(numbers, is_it);
        });
    };
    return wraps_at_ == other.wraps_at_ && scale_ == other.scale_ && offset_ == other.offset_ &&
           is_range_of_values_ == other.is_range_of_values_ && is_same(low_, other.low_) &&
           is_same(high_, other.high_) && has_all(missing_, other.missing_) && has_all(other.missing_, missing_);
}

template <class T>
void StoredMeaning::mark(std::span<T> stored, bool in_single) const {
    std::vector<double> missing;
    std::ranges::transform(missing_, std::back_inserter(missing),
                           [in_single](double number) { return rounded(number, in_single); });
    const double low = rounded(low_, in_single), high = rounded(high_, in_single);
    for (T& number : stored) {
        const double value = rounded(static_cast<double>(number), in_single);
        const double ranged = is_range_of_values_ ? scale_ * value + offset_ : value;
        if (ranged < low || ranged > high || std::ranges::find(missing, value) != missing.end()) {
            number = std::numeric_limits<T>::quiet_NaN();
        }
    }
}

void StoredMeaning::apply(std::span<double> stored) const {
    if (wraps_at_ != 0.0) {
        std::ranges::transform(stored, stored.begin(), [this](double value) { return unsigned_value(value); });
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
