#include "reservoir/import/model_notes/value_ranges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include "core/number_text.hpp"

#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/range_text.hpp"

namespace plumecast {
namespace {

constexpr double least_undefined = 1e10;  // beyond what any property is
constexpr double per_cent = 100.0;
constexpr double rounding = 1e-6;  // files hold single precision

/// What rock may have.
struct RockRange {
    double low = 0.0;
    double high = std::numeric_limits<double>::infinity();
    bool is_fraction = false;
    std::string_view meaning;
};

RockRange range_of(std::string_view keyword) {
    if (keyword == "PORO") {
        return {0.0, 1.0, true, "the pore volume as a fraction of the volume"};
    }
    if (keyword == "NTG") {
        return {0.0, 1.0, true, "the net thickness as a fraction of the whole"};
    }
    if (keyword.starts_with("PERM")) {
        return {0.0, find_array("permeability_z")->high, false, "a permeability in mD"};
    }
    return {0.0, std::numeric_limits<double>::infinity(), false, keyword == "MULTPV" ? "a factor" : "a volume"};
}

/// What to do about a fraction out of its range.
std::string fraction_remedy(double value, bool may_be_inactive) {
    if (value > 1.0 && value <= per_cent) {
        return "divide by 100 where the values are per cent, or correct it";
    }
    return may_be_inactive ? "correct it, or make the cell inactive (ACTNUM 0)" : "correct it";
}

std::string ends_text(double low, double high) {
    return std::isfinite(high) ? fmt::format("from {} to {}", number_text(low), number_text(high))
                               : fmt::format("{} or more", number_text(low));
}

bool is_fraction(const ArraySpec& spec) { return spec.unit == "1" && spec.high == 1.0; }

}  // namespace

bool is_undefined(double value) {
    constexpr std::array<float, 10> marks = {-99.0F,   -99.25F,  -99.99F,  -99.999F,  -999.0F,
                                             -999.25F, -999.99F, -9999.0F, -99999.0F, -999999.0F};
    return std::abs(value) >= least_undefined || std::ranges::find(marks, static_cast<float>(value)) != marks.end();
}

void UndefinedCells::mark(std::string_view keyword, std::size_t cell, double value, std::vector<std::uint8_t>& active) {
    if (active[cell] == 0 || !is_undefined(value)) {
        return;
    }
    active[cell] = 0;
    const auto [found, is_first] = found_.try_emplace(std::string(keyword));
    found->second.value = is_first ? value : found->second.value;
    ++found->second.count;
}

std::vector<std::string> UndefinedCells::notes() const {
    std::vector<std::string> lines;
    for (const auto& [keyword, found] : found_) {
        lines.push_back(fmt::format("{} of {} is {}, which stands for no value: {} made inactive", keyword,
                                    counted(found.count, "cell"), number_text(found.value),
                                    found.count == 1 ? "it is" : "they are"));
    }
    return lines;
}

std::string cell_of_deck(ReservoirModel& model, std::size_t cell) {
    const eclipse::CornerPointGrid* grid = model.grid();
    if (grid == nullptr) {
        return fmt::format("cell {}", cell);
    }
    const auto at = static_cast<std::int64_t>(cell);
    return fmt::format("cell ({}, {}, {})", at % grid->nx() + 1, at / grid->nx() % grid->ny() + 1,
                       at / grid->nx() / grid->ny() + 1);
}

std::vector<std::uint8_t> active_marks(ReservoirModel& model, std::int64_t cells) {
    if (const eclipse::CornerPointGrid* grid = model.grid()) {
        return grid->active();
    }
    std::vector<std::uint8_t> active(static_cast<std::size_t>(cells), 1);
    if (const auto marks = model.property("ACTNUM", cells)) {
        std::ranges::transform(*marks, active.begin(),
                               [](double mark) { return mark == 0.0 ? std::uint8_t{0} : std::uint8_t{1}; });
    }
    return active;
}

void require_rock(ReservoirModel& model, std::string_view keyword, std::span<const double> values,
                  std::span<const std::uint8_t> active) {
    const RockRange range = range_of(keyword);
    for (std::size_t cell = 0; cell < values.size() && cell < active.size(); ++cell) {
        const double value = values[cell];
        const bool is_in_range = value >= range.low && value <= range.high * (1.0 + rounding);
        if (active[cell] == 0 || std::isnan(value) || is_in_range) {
            continue;
        }
        throw InvalidData(fmt::format("{}: {} of {} is {} ({}, {}); {}", model.name(), keyword,
                                      cell_of_deck(model, cell), number_text(value, range.low, range.high),
                                      range.meaning, ends_text(range.low, range.high),
                                      fraction_remedy(range.is_fraction ? value : 0.0, true)));
    }
}

void require_input_ranges(const std::string& source, std::int64_t which,
                          const std::map<std::string, std::vector<float>>& arrays, Geometry geometry,
                          const Shape& space) {
    const auto marks = arrays.find("active");
    for (const auto& [name, values] : arrays) {
        const ArraySpec* spec = find_array(name, geometry);
        const bool is_input = spec != nullptr && (spec->role == Role::map || spec->role == Role::scalar);
        for (std::size_t i = 0; is_input && name != "active" && i < values.size(); ++i) {
            const double value = values[i];
            const bool is_map = spec->role == Role::map;
            const bool is_active = !is_map || marks == arrays.end() || marks->second[i] != 0.0F;
            if (!is_active || (std::isfinite(value) && is_within(spec->low, spec->high, value))) {
                continue;
            }
            throw InvalidData(
                fmt::format("{}: {} of case {}{} is {} ({}, {}); {}", source, name, which,
                            is_map ? ", cell " + cell_text(space, static_cast<std::int64_t>(i)) : "",
                            with_unit(number_text(value, spec->low, spec->high), spec->unit), spec->long_name,
                            ends_text(spec->low, spec->high),
                            is_fraction(*spec) ? fraction_remedy(value, false) : "correct value or unit"));
        }
    }
}

}  // namespace plumecast
