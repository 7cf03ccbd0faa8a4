#include "reservoir/dataset/cases/column_rates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/schedule.hpp"
#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {
namespace {

constexpr double rounding_of_means = 0.01;  // between what a column takes in and its well has

/// A column with perforated cells.
struct OpenColumn {
    std::size_t line = 0;
    std::size_t column = 0;
    double rate = 0.0;  ///< of its cells together [Mt/year]
};

/// Reads maps of cases [Z, Y, X].
class ColumnsOfCases {
   public:
    explicit ColumnsOfCases(const DatasetStore& store)
        : store_(store), extents_(store.info(find_array("cell_injection_rate")->path).extents) {}

    /// Those of a case, line by line.
    std::vector<OpenColumn> of(std::int64_t which) const {
        const std::vector<float> perforation = map("perforation", which), active = map("active", which),
                                 rates = map("cell_injection_rate", which);
        const auto across = static_cast<std::size_t>(extents_[3]);
        const std::size_t plane = static_cast<std::size_t>(extents_[2]) * across;
        std::vector<OpenColumn> columns;
        for (std::size_t at = 0; at < plane; ++at) {
            OpenColumn one{at / across, at % across};
            bool is_open = false;
            for (std::size_t cell = at; cell < rates.size(); cell += plane) {
                is_open = is_open || (active[cell] != 0.0F && perforation[cell] > 0.0F);
                one.rate += static_cast<double>(rates[cell]);
            }
            if (is_open) {
                columns.push_back(one);
            }
        }
        return columns;
    }

   private:
    std::vector<float> map(const char* name, std::int64_t which) const {
        std::vector<float> values(static_cast<std::size_t>(extents_[1] * extents_[2] * extents_[3]));
        store_.read_rows(find_array(name)->path, which, 1, std::span<float>(values));
        return values;
    }

    const DatasetStore& store_;
    std::vector<std::int64_t> extents_;
};

/// Rates of the wells of a case [Mt/year], in the mean until the last of them stops.
std::vector<double> means_of_wells(const std::vector<double>& ends, std::span<const float> rates) {
    const std::size_t periods = ends.size();
    std::vector<double> masses(rates.size() / periods, 0.0);
    double stop = 0.0;
    for (std::size_t at = 0; at < rates.size(); ++at) {
        const std::size_t period = at % periods;
        masses[at / periods] += static_cast<double>(rates[at]) * (ends[period] - (period > 0 ? ends[period - 1] : 0.0));
        stop = rates[at] > 0.0F ? std::max(stop, ends[period]) : stop;
    }
    std::ranges::transform(masses, masses.begin(), [stop](double mass) { return stop > 0.0 ? mass / stop : 0.0; });
    return masses;
}

/// Of one case.
std::vector<Violation> contradictions(std::int64_t which, const std::vector<OpenColumn>& columns,
                                      const std::vector<double>& wells) {
    const bool is_beyond =
        std::any_of(wells.begin() + static_cast<std::ptrdiff_t>(std::min(columns.size(), wells.size())), wells.end(),
                    [](double mean) { return mean > 0.0; });
    if (wells.size() < columns.size() || is_beyond) {
        return {
            {find_array("schedule_rate")->path,
             fmt::format("case {}: it has rates of {} wells (the perforated cells are those of {}, one a column, so "
                         "nothing says which is whose, and estimate refuses the case)",
                         which, wells.size(), columns.size()),
             "give the rates of each, line by line, 0 of wells that never inject, and 0 beyond the wells of the case",
             false}};
    }
    for (std::size_t well = 0; well < columns.size(); ++well) {
        const OpenColumn& one = columns[well];
        if (std::abs(one.rate - wells[well]) > rounding_of_means * std::max(one.rate, wells[well])) {
            return {
                {find_array("cell_injection_rate")->path,
                 fmt::format("case {}: the cells of well {} (line {}, column {}) take in {} Mt/year, the mean of its "
                             "rates in /schedule until the last well stops is {}",
                             which, well, one.line, one.column, number_text(one.rate), number_text(wells[well])),
                 "make the rates agree (wells are in the order of their columns, line by line)", true}};
        }
    }
    return {};
}

}  // namespace

std::vector<Violation> column_rate_violations(const DatasetStore& store) {
    if (!has_schedule(store) || geometry_of(store) != Geometry::cartesian) {
        return {};
    }
    const std::vector<double> ends = store.read<double>(find_array("schedule_end")->path);
    const std::vector<float> rates = store.read<float>(find_array("schedule_rate")->path);
    const std::int64_t cases = store.info(find_array("schedule_rate")->path).extents[0];
    const std::size_t each = rates.size() / static_cast<std::size_t>(cases);
    const ColumnsOfCases columns(store);
    std::vector<Violation> found;
    for (std::int64_t which = 0; which < cases && found.empty(); ++which) {
        const std::span<const float> of_case = std::span(rates).subspan(static_cast<std::size_t>(which) * each, each);
        found = contradictions(which, columns.of(which), means_of_wells(ends, of_case));
    }
    return found;
}

}  // namespace plumecast
