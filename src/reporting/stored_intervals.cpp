#include "reporting/stored_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "reservoir/h5/case_notes.hpp"
#include "reservoir/metrics/trust/figure_bands.hpp"

namespace plumecast {
namespace {

/// Whether a series is the figure of the file, of which single precision is kept.
bool is_same(std::span<const float> stored, const std::vector<double>& measured) {
    constexpr double relative = 1e-3, absolute = 1e-6;
    for (std::size_t t = 0; t < measured.size(); ++t) {
        const auto value = static_cast<double>(stored[t]);
        const bool is_known = std::isfinite(value) && std::isfinite(measured[t]);
        if (is_known && std::abs(value - measured[t]) > absolute + relative * std::abs(value)) {
            return false;
        }
    }
    return true;
}

}  // namespace

StoredIntervals::StoredIntervals(const Dataset& result) : times_(result.times().size()) {
    if (!result.is_file()) {
        return;
    }
    const std::size_t count = times_ * static_cast<std::size_t>(result.cases());
    for (const std::string& name : banded_figure_names()) {
        const auto read = [&](const char* end) { return case_numbers(result.path(), "figure_" + name + end); };
        Figure figure{read(""), read("_low"), read("_high")};
        if (figure.middle.size() == count && figure.low.size() == count && figure.high.size() == count) {
            figures_.emplace(name, std::move(figure));
        }
    }
}

void StoredIntervals::add_to(std::vector<NamedSeries>& series, std::int64_t number) const {
    const std::size_t begin = static_cast<std::size_t>(number) * times_;
    for (NamedSeries& one : series) {
        const auto found = figures_.find(one.name);
        if (found == figures_.end()) {
            continue;
        }
        const Figure& figure = found->second;
        const bool fits = is_same(std::span(figure.middle).subspan(begin, times_), one.values);
        for (std::size_t t = 0; t < times_; ++t) {
            constexpr double none = std::numeric_limits<double>::quiet_NaN();
            one.low.push_back(fits ? static_cast<double>(figure.low[begin + t]) : none);
            one.high.push_back(fits ? static_cast<double>(figure.high[begin + t]) : none);
        }
    }
}

}  // namespace plumecast
