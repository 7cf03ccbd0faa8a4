#include "reporting/stored_intervals.hpp"

#include <utility>

#include "reservoir/h5/case_notes.hpp"
#include "reservoir/metrics/trust/figure_bands.hpp"
#include "reservoir/metrics/trust/series_intervals.hpp"

namespace plumecast {
namespace {

std::vector<double> numbers_at(const std::vector<float>& stored, std::size_t begin, std::size_t count) {
    const auto first = stored.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
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
        add_interval(one, {numbers_at(figure.middle, begin, times_), numbers_at(figure.low, begin, times_),
                           numbers_at(figure.high, begin, times_)});
    }
}

}  // namespace plumecast
