#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include <plumecast/reservoir/metrics/series_options.hpp>

#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/named_series.hpp"

namespace plumecast {

/// Everything a measurement looks at.
struct SeriesView {
    const CaseFields& fields;
    const std::vector<double>& times;
    const SeriesOptions& options;

    const CellGeometry& geometry() const { return fields.geometry; }
    /// Pressure of a cell [bar]; the initial one when the file has no build-up.
    double pressure(std::size_t time, std::size_t cell) const {
        const double initial = fields.initial_pressures[cell];
        return fields.pressure_buildup.empty()
                   ? initial
                   : initial + static_cast<double>(fields.at(fields.pressure_buildup, time)[cell]);
    }
    MapCover plume(std::size_t time, double threshold) const {
        return cover_above(fields.at(fields.gas_saturation, time), fields.active, geometry(), threshold,
                           FieldEdge::sharp);
    }
    MapCover front(std::size_t time, double buildup) const {
        return cover_above(fields.at(fields.pressure_buildup, time), fields.active, geometry(), buildup,
                           FieldEdge::smooth);
    }
    /// One value per time.
    template <class Measure>
    std::vector<double> over_time(Measure measure) const {
        std::vector<double> values;
        for (std::size_t time = 0; time < times.size(); ++time) {
            values.push_back(measure(time));
        }
        return values;
    }
};

/// A member of sizes as a series.
inline std::vector<double> pick(const std::vector<PlumeSize>& sizes, double PlumeSize::*member) {
    std::vector<double> values;
    std::ranges::transform(sizes, std::back_inserter(values), [member](const PlumeSize& size) { return size.*member; });
    return values;
}

/// The highest of the wells at each time [bar]; NaN where one of them has no value.
std::vector<double> bottom_hole_pressures(const SeriesView& view);
/// Adds build-up, wells, front, mean pressure and margins of a case with build-up.
void add_pressure(const SeriesView& view, std::vector<NamedSeries>& series);
/// Adds the area of review of a case with both fields, where the front is known.
void add_area_of_review(const SeriesView& view, std::vector<NamedSeries>& series);

}  // namespace plumecast
