#include "inverse/inversion/observations.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/number_text.hpp"
#include "core/text/ascii.hpp"
#include "io/text_file.hpp"

namespace plumecast {
namespace {

/// Between a value and what its field can be. Noise goes 3 deviations beyond in one of 740 rows where the field is 0.
constexpr int most_deviations = 6;
constexpr double least_deviation = 1e-7;  // of a number that results hold in float32

const std::vector<std::string>& observed_fields() {
    static const std::vector<std::string> names{"gas_saturation", "pressure_buildup",
                                                std::string(observed_well_pressure)};
    return names;
}

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells;
    while (true) {
        const std::size_t comma = line.find(',');
        cells.emplace_back(without_blanks(line.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return cells;
        }
        line.remove_prefix(comma + 1);
    }
}

/// Lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// The rows of a table below its header, entry by entry.
class ObservationTable {
   public:
    ObservationTable(std::string path, std::vector<std::string> header, bool is_radial)
        : path_(std::move(path)), header_(std::move(header)), is_radial_(is_radial) {
        std::vector<std::string> wanted{"field", "z", "time", "value", "unit", "standard_deviation"};
        wanted.insert(wanted.begin() + 1, is_radial ? "r" : "x");
        if (!is_radial) {
            wanted.insert(wanted.begin() + 2, "y");
        }
        std::vector<std::string> known = wanted;
        known.emplace_back("well");  // of rows that are of a well
        for (const std::string& name : header_) {
            if (std::ranges::find(known, name) == known.end()) {
                const std::string near = nearest(name, known);
                throw InvalidData(fmt::format("{}: row 1 has a column '{}' (a {} grid has {}); {}", path_, name,
                                              is_radial ? "radial" : "Cartesian", fmt::join(known, ", "),
                                              near.empty() ? "leave it out" : "write '" + near + "'"));
            }
        }
        has_wells_ = std::ranges::find(header_, "well") != header_.end();
        if (has_wells_) {
            wanted = known;
        }
        for (const std::string& name : wanted) {
            if (std::ranges::count(header_, name) != 1) {
                throw InvalidData(fmt::format("{}: row 1 has {} column '{}' (observations have {}); name each once",
                                              path_, std::ranges::count(header_, name) == 0 ? "no" : "more than one",
                                              name, fmt::join(wanted, ", ")));
            }
        }
    }

    Observation read(const std::vector<std::string>& cells, int row) const {
        if (cells.size() != header_.size()) {
            throw InvalidData(fmt::format("{}: row {} has {} (the header has {}); correct it", path_, row,
                                          counted(static_cast<std::int64_t>(cells.size()), "value"), header_.size()));
        }
        const auto text = [&](std::string_view name) {
            return cells[static_cast<std::size_t>(std::ranges::find(header_, name) - header_.begin())];
        };
        const auto number = [&](std::string_view name) { return number_of(text(name), name, row); };
        Observation one;
        one.row = row;
        one.field = text("field");
        require_field(one.field, row);
        require_unit(text("unit"), one.field, row);
        if (one.is_of_well()) {
            require_no_place(text, row);
            const std::string well = has_wells_ ? text("well") : "";
            one.names_well = !well.empty();
            one.well = well.empty() ? 0 : well_of(well, row);
        } else {
            if (has_wells_ && !text("well").empty()) {
                throw InvalidData(fmt::format("{}: row {}: names a well ({} is of a place); leave the column empty",
                                              path_, row, one.field));
            }
            one.x = number(is_radial_ ? "r" : "x");
            one.y = is_radial_ ? 0.0 : number("y");
            one.z = number("z");
        }
        one.time = number("time");
        one.value = number("value");
        one.standard_deviation = number("standard_deviation");
        if (one.standard_deviation <= 0.0) {
            throw InvalidData(fmt::format(
                "{}: row {}: standard_deviation is {} (an exact observation leaves no reservoir); give the deviation "
                "of its error, above 0",
                path_, row, number_text(one.standard_deviation)));
        }
        require_value(one);
        require_deviation(one);
        return one;
    }

   private:
    /// No reservoir explains an observation to less than the rounding of what is computed.
    void require_deviation(const Observation& one) const {
        const double least = std::max(1.0, std::abs(one.value)) * least_deviation;
        if (one.standard_deviation < least) {
            throw InvalidData(fmt::format(
                "{}: row {}: standard_deviation is {} (results are rounded to {}, so that nothing explains it); give "
                "the deviation of its error",
                path_, one.row, number_text(one.standard_deviation), number_text(least)));
        }
    }
    /// What lies outside of the range of a field by more than its error explains was taken for another field or unit.
    void require_value(const Observation& one) const {
        const auto [low, high] = one.field == "gas_saturation" ? std::pair(0.0, 1.0)
                                 : one.is_of_well()            ? std::pair(0.0, 1000.0)
                                                               : std::pair(-1000.0, 1000.0);
        const double room = most_deviations * one.standard_deviation;
        const std::string unit(unit_of_observed(one.field));
        if (one.value < low - room || one.value > high + room) {
            throw InvalidData(
                fmt::format("{}: row {}: value is {} (a {} lies between {} and {}{}, and this is farther off than {} "
                            "deviations of its "
                            "error); correct it",
                            path_, one.row, number_text(one.value), one.field, number_text(low), number_text(high),
                            unit == "1" ? "" : " " + unit, most_deviations));
        }
    }
    double number_of(const std::string& text, std::string_view name, int row) const {
        double value = 0.0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
            throw InvalidData(fmt::format("{}: row {}: {} is '{}' (no finite number); write one with a decimal point",
                                          path_, row, name, text));
        }
        return value;
    }
    int well_of(const std::string& text, int row) const {
        int well = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), well);
        if (error != std::errc() || end != text.data() + text.size() || well < 0) {
            throw InvalidData(fmt::format("{}: row {}: well is '{}' (wells are counted from 0); write a whole number",
                                          path_, row, text));
        }
        return well;
    }
    template <class Text>
    void require_no_place(const Text& text, int row) const {
        const std::vector<std::string> place =
            is_radial_ ? std::vector<std::string>{"r", "z"} : std::vector<std::string>{"x", "y", "z"};
        for (const std::string& column : place) {
            if (!text(column).empty()) {
                throw InvalidData(
                    fmt::format("{}: row {}: {} is '{}' (a {} is of a well, at its uppermost perforated cell); leave "
                                "it empty",
                                path_, row, column, text(column), observed_well_pressure));
            }
        }
    }
    void require_field(const std::string& field, int row) const {
        if (std::ranges::find(observed_fields(), field) == observed_fields().end()) {
            const std::string near = nearest(field, observed_fields());
            throw InvalidData(fmt::format("{}: row {}: field is '{}' (known are {}); {}", path_, row, field,
                                          fmt::join(observed_fields(), ", "),
                                          near.empty() ? "use one of them" : "write '" + near + "'"));
        }
    }
    void require_unit(const std::string& unit, const std::string& field, int row) const {
        const std::string& wanted = unit_of_observed(field);
        if (unit != wanted) {
            throw InvalidData(fmt::format(
                "{}: row {}: {} is in {}; give it in '{}'", path_, row, field,
                unit.empty() ? "no unit (its unit is stated and checked)" : "'" + unit + "' (units are not converted)",
                wanted));
        }
    }

    std::string path_;
    std::vector<std::string> header_;
    bool is_radial_, has_wells_ = false;
};

/// Throws InvalidData where the header of a table is separated by something else than commas.
void require_commas(std::string_view header, const std::string& path) {
    for (const auto& [separator, name] : {std::pair{';', "semicolons"}, {'\t', "tabs"}}) {
        if (header.find(',') == std::string_view::npos && header.find(separator) != std::string_view::npos) {
            throw InvalidData(fmt::format(
                "{}: row 1 is separated by {} (observations are by commas, their numbers with a point); write commas",
                path, name));
        }
    }
}

/// All that an observation says, but for its row.
auto said_by(const Observation& o) {
    return std::tuple(o.field, o.x, o.y, o.z, o.time, o.value, o.standard_deviation, o.well);
}

}  // namespace

const std::string& unit_of_observed(const std::string& field) {
    return find_array(field == observed_well_pressure ? "pressure_buildup" : field)->unit;
}

std::string Observation::place(std::string_view file) const { return fmt::format("{}: row {}", file, row); }

std::vector<Observation> read_observations(const std::string& path, bool is_radial) {
    return observations_in(read_text(path), path, is_radial);
}

std::vector<Observation> observations_in(const std::string& text, const std::string& path, bool is_radial) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of spreadsheets
    std::string_view table_text = text;
    table_text.remove_prefix(table_text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    const std::vector<std::string_view> lines = lines_of(table_text);
    if (lines.empty() || without_blanks(lines.front()).empty()) {
        throw InvalidData(path + ": has no header (row 1 names the columns); see docs/invert.md");
    }
    require_commas(lines.front(), path);
    const ObservationTable table(path, cells_of(lines.front()), is_radial);
    std::vector<Observation> observations;
    std::map<decltype(said_by({})), int> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (!without_blanks(lines[i]).empty()) {
            const Observation one = table.read(cells_of(lines[i]), static_cast<int>(i) + 1);
            const auto [before, is_new] = rows.emplace(said_by(one), one.row);
            if (!is_new) {
                throw InvalidData(
                    fmt::format("{}: row {} repeats row {} (one measurement would count twice); leave one out", path,
                                one.row, before->second));
            }
            observations.push_back(one);
        }
    }
    if (observations.empty()) {
        throw InvalidData(path + ": holds no observation (only the header is there); add a row for each");
    }
    return observations;
}

}  // namespace plumecast
