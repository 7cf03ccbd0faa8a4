#include "reservoir/h5/stored_meaning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

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

constexpr double netcdf_fill = 9.9692099683868690e+36;  // NC_FILL_FLOAT and NC_FILL_DOUBLE

template <class T>
void mark(std::span<T> stored, const auto& is_missing) {
    for (T& value : stored) {
        value = is_missing(static_cast<double>(value)) ? std::numeric_limits<T>::quiet_NaN() : value;
    }
}

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
    for (double* number : {&low_, &high_}) {
        *number = std::isfinite(*number) ? unsigned_value(*number) : *number;
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

bool StoredMeaning::is_missing(double stored, bool in_single) const {
    const auto rounded = [in_single](double number) {
        const bool is_kept = !in_single || std::abs(number) > std::numeric_limits<float>::max();
        return is_kept ? number : static_cast<double>(static_cast<float>(number));
    };
    const double value = rounded(stored);
    return value < rounded(low_) || value > rounded(high_) ||
           std::ranges::any_of(missing_, [&](double missing) { return rounded(missing) == value; });
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

void StoredMeaning::mark_missing(std::span<float> stored) const {
    mark(stored, [&](double value) { return is_missing(value, true); });
}

void StoredMeaning::mark_missing(std::span<double> stored) const {
    mark(stored, [&](double value) { return is_missing(value, is_single_); });
}

}  // namespace plumecast::h5
