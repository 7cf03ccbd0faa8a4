#include "reservoir/io/h5/stored_meaning.hpp"

#include <algorithm>
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
}

std::string StoredMeaning::packing_text() const {
    std::string text = scale_ != 1.0 ? fmt::format("scale_factor {}", scale_) : "";
    text += offset_ != 0.0 ? fmt::format("{}add_offset {}", text.empty() ? "" : ", ", offset_) : "";
    return text;
}

bool StoredMeaning::is_missing(double stored) const {
    return stored < low_ || stored > high_ || std::ranges::find(missing_, stored) != missing_.end();
}

void StoredMeaning::apply(std::span<double> stored) const {
    mark_missing(stored);
    if (is_packed()) {
        std::ranges::transform(stored, stored.begin(), [&](double value) { return scale_ * value + offset_; });
    }
}

void StoredMeaning::mark_missing(std::span<float> stored) const {
    mark(stored, [&](double value) {
        const bool is_rounded = std::ranges::any_of(
            missing_, [&](double missing) { return static_cast<float>(missing) == static_cast<float>(value); });
        return is_rounded || is_missing(value);
    });
}

void StoredMeaning::mark_missing(std::span<double> stored) const {
    mark(stored, [&](double value) { return is_missing(value); });
}

}  // namespace plumecast::h5
