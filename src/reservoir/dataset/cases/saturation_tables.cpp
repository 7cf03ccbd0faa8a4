#include "reservoir/dataset/cases/saturation_tables.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/case_notes.hpp"

namespace plumecast {
namespace {

using Numbers = std::array<double, 5>;

/// The five numbers of a line; nothing for another text.
std::optional<Numbers> numbers_of_line(std::string_view line) {
    Numbers numbers{};
    std::size_t count = 0;
    while (!line.empty()) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos) {
            break;
        }
        const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
        if (count == numbers.size()) {
            return std::nullopt;
        }
        const auto [stop, error] = std::from_chars(line.data() + begin, line.data() + end, numbers[count]);
        if (error != std::errc() || stop != line.data() + end) {
            return std::nullopt;
        }
        ++count;
        line.remove_prefix(end);
    }
    return count == numbers.size() ? std::optional(numbers) : std::nullopt;
}

/// What is against a row after `before`; empty where nothing is.
std::string problem_of(const SaturationRow& row, const SaturationRow* before) {
    const auto is_share = [](double value) { return value >= 0.0 && value <= 1.0; };
    if (before == nullptr ? row.gas_saturation != 0.0 : !(row.gas_saturation > before->gas_saturation)) {
        return "saturations rise from 0";
    }
    if (!is_share(row.gas_saturation) || !is_share(row.gas_permeability) || !is_share(row.water_permeability)) {
        return "saturations and relative permeabilities lie between 0 and 1";
    }
    const double least = before == nullptr ? 0.0 : before->capillary_pressure;
    return row.capillary_pressure >= least && std::isfinite(row.capillary_pressure)
               ? ""
               : "capillary pressures are not negative and do not fall";
}

}  // namespace

std::string text_of_tables(const SaturationTables& tables) {
    std::string text;
    for (std::size_t region = 0; region < tables.size(); ++region) {
        for (const SaturationRow& row : tables[region]) {
            text += fmt::format("{} {:.8g} {:.8g} {:.8g} {:.8g}\n", region + 1, row.gas_saturation,
                                row.gas_permeability, row.water_permeability, row.capillary_pressure);
        }
    }
    return text;
}

SaturationTables tables_of_text(const std::string& text, const std::string& where) {
    SaturationTables tables;
    std::size_t number = 0;
    const auto refuse = [&](const std::string& problem) {
        throw InvalidData(fmt::format(
            "{}: line {}: {} (a line is region, gas saturation, relative permeabilities of gas and of brine, capillary "
            "pressure in bar); correct the line",
            where, number, problem));
    };
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        ++number;
        const auto numbers = numbers_of_line(line);
        if (!numbers) {
            refuse("no five numbers");
        }
        const auto& [region, gas, of_gas, of_water, capillary] = *numbers;
        const bool is_new = region == static_cast<double>(tables.size() + 1);
        if (!is_new && (tables.empty() || region != static_cast<double>(tables.size()))) {
            refuse("regions count up from 1");
        }
        if (is_new) {
            if (!tables.empty() && tables.back().size() < 2) {
                refuse("the table before has one row alone");
            }
            tables.emplace_back();
        }
        const SaturationRow row{gas, of_gas, of_water, capillary};
        const std::string problem = problem_of(row, is_new ? nullptr : &tables.back().back());
        if (!problem.empty()) {
            refuse(problem);
        }
        tables.back().push_back(row);
    }
    if (!tables.empty() && tables.back().size() < 2) {
        refuse("the last table has one row alone");
    }
    return tables;
}

SaturationTables saturation_tables(const Dataset& dataset, std::int64_t which) {
    const std::vector<std::string> texts = dataset.is_file()
                                               ? case_texts(dataset.path(), std::string(saturation_tables_name))
                                               : std::vector<std::string>();
    const auto at = static_cast<std::size_t>(which);
    return at < texts.size() ? tables_of_text(texts[at], fmt::format("{}: /case/{} of case {}", dataset.path(),
                                                                     saturation_tables_name, which))
                             : SaturationTables();
}

}  // namespace plumecast
