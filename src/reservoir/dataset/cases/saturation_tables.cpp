#include "reservoir/dataset/cases/saturation_tables.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
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
    if (before != nullptr && row.gas_permeability < before->gas_permeability) {
        return "relative permeabilities of gas do not fall where its saturation rises";
    }
    if (before != nullptr && row.water_permeability > before->water_permeability) {
        return "relative permeabilities of brine do not rise where the gas saturation rises";
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
    return tables_of_text(text_of_saturation_tables(dataset, which),
                          fmt::format("{}: /case/{} of case {}", dataset.path(), saturation_tables_name, which));
}

std::string text_of_saturation_tables(const Dataset& dataset, std::int64_t which) {
    const std::vector<std::string> texts = dataset.is_file()
                                               ? case_texts(dataset.path(), std::string(saturation_tables_name))
                                               : std::vector<std::string>();
    const auto at = static_cast<std::size_t>(which);
    return at < texts.size() ? texts[at] : std::string();
}

std::vector<std::size_t> saturation_regions(const Dataset& dataset, std::int64_t which, std::size_t tables) {
    std::vector<float> stated(static_cast<std::size_t>(dataset.cells())), active(stated.size());
    dataset.read_map("saturation_region", {&which, 1}, stated);
    dataset.read_map("active", {&which, 1}, active);
    std::vector<std::size_t> regions(stated.size(), 0);
    for (std::size_t cell = 0; cell < stated.size(); ++cell) {
        if (active[cell] == 0.0F) {
            continue;
        }
        const auto number = static_cast<double>(stated[cell]);
        if (!(number >= 1.0 && number <= static_cast<double>(tables)) || number != std::floor(number)) {
            throw InvalidData(fmt::format(
                "{}: saturation_region of case {} is {:g} in cell {} (case {} has {}, counted from 1); correct the "
                "number, or add the table to /case/{}",
                dataset.path(), which, number, cell_text(dataset.space(), static_cast<std::int64_t>(cell)), which,
                counted(static_cast<std::int64_t>(tables), "saturation table"), saturation_tables_name));
        }
        regions[cell] = static_cast<std::size_t>(number);
    }
    return regions;
}

std::vector<double> critical_gas_saturations(const SaturationTables& tables) {
    std::vector<double> found;
    std::ranges::transform(tables, std::back_inserter(found), critical_gas_saturation);
    return found;
}

}  // namespace plumecast
