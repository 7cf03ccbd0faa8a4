#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/core/json.hpp>

namespace plumecast {

class CaseInputs;
class Dataset;

/// Smallest and largest value of an input.
struct Range {
    double low = 0.0;
    double high = 0.0;
    std::string unit;

    friend bool operator==(const Range&, const Range&) = default;
};

/// Whether a value lies between two ends that count as float32 has them, in which files hold most values: 1e-6 written
/// as float32 and read again is a little less, and 0.3 a little more, but neither is outside of itself.
bool is_within(double low, double high, double value);

/// How far a value lies outside [low, high], in widths of the range: of its logarithm where the range spans more than a
/// factor of 20. 0 inside. A range of one value counts as wide as that value or 1, but not wider than `widest`.
double share_outside(double low, double high, double value, double widest = std::numeric_limits<double>::infinity());

/// An input value a network was not trained for.
struct OutOfRange {
    std::string field;
    std::string unit;
    std::int64_t which = 0;  ///< the case
    double value = 0.0;      ///< the value farthest outside
    double distance = 0.0;   ///< how far outside, in `unit`
};

/// Ranges of scalars and maps over some cases, active cells only; written into a model to warn of extrapolation. With
/// schedules also of the day on which injection ends, or of the last time, named `schedule_end`.
class InputRanges {
   public:
    InputRanges() = default;
    /// By the names of the inputs.
    explicit InputRanges(std::map<std::string, Range> ranges) : ranges_(std::move(ranges)) {}
    /// Ranges over the given cases. Throws InvalidData for a damaged file.
    static InputRanges over(const Dataset& dataset, std::span<const std::int64_t> cases);

    /// Widens them to hold those of another data set.
    void include(const InputRanges& other);
    /// Widens them to hold the ranges that the cases were drawn from, as `generate` states them in the attribute
    /// `generator` of a data set: drawn cases end short of them. Does nothing for another text, such as the name of a
    /// program that made the file.
    void include_drawn_from(const std::string& generator);
    /// Adds fresh water and no hysteresis to ranges of inputs without them: they are of cases that had no salt and
    /// trapped no gas.
    void include_unstated();
    /// Widens them to hold a case.
    void include(const CaseInputs& inputs);

    const std::map<std::string, Range>& ranges() const { return ranges_; }
    /// The farthest value outside per field and case, in the order of fields, then cases, beyond an end by more than
    /// 1e-5 of it. Throws InvalidData.
    std::vector<OutOfRange> outside(const Dataset& dataset, std::span<const std::int64_t> cases) const;

    /// An object: name -> {min, max, unit}.
    Json to_json() const;
    /// Reads such an object under `key`. Throws InvalidInput with the dotted path.
    static InputRanges read(JsonReader& object, std::string_view key);

    friend bool operator==(const InputRanges&, const InputRanges&) = default;

   private:
    std::map<std::string, Range> ranges_;
};

}  // namespace plumecast
