#include "reservoir/case_model/schedule_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "core/units.hpp"

namespace plumecast {
namespace {

/// The laws and random numbers of one well of a case; `well` begins the names of its numbers.
class ScheduleDraw {
   public:
    ScheduleDraw(const GeneratorConfiguration& configuration, std::int64_t number, std::string well)
        : laws_(configuration.inputs.schedule),
          rates_(configuration.inputs.injection_rate),
          seed_(configuration.seed),
          number_(number),
          well_(std::move(well)) {}

    /// Rates in `periods` periods, of which the largest one of a ramp is `rate`.
    std::vector<double> rates(std::size_t periods, double rate) const {
        switch (law()) {
            case RateLaw::ramp:
                return ramp(periods, rate);
            case RateLaw::steps:
                return changing(periods, rate, [this](std::uint64_t k) { return uniform("schedule rate", rates_, k); });
            case RateLaw::intermittent:
                return changing(periods, rate, [rate](std::uint64_t k) { return k % 2 == 0 ? 0.0 : rate; });
            case RateLaw::constant:
                break;
        }
        return std::vector<double>(periods, rate);
    }
    /// How many periods something is injected in.
    std::size_t injecting(std::size_t periods) const {
        if (!(laws_.stop.high > 0.0)) {
            return periods;
        }
        const double stop = std::round(uniform("schedule stop", laws_.stop) / laws_.period);
        return std::min(static_cast<std::size_t>(std::max(stop, 1.0)), periods);
    }

   private:
    double uniform(std::string_view name, const ValueRange& range, std::uint64_t index = 0) const {
        return range.low +
               (range.high - range.low) * case_stream(seed_, number_, well_ + std::string(name)).uniform(index);
    }
    RateLaw law() const {
        double left = uniform("schedule law", {0.0, std::accumulate(laws_.shares.begin(), laws_.shares.end(), 0.0)});
        std::size_t chosen = 0;
        for (std::size_t i = 0; i < laws_.shares.size(); ++i) {
            if (laws_.shares[i] > 0.0) {
                chosen = i;
                if (left < laws_.shares[i]) {
                    break;
                }
            }
            left -= laws_.shares[i];
        }
        return static_cast<RateLaw>(chosen);
    }
    std::vector<double> ramp(std::size_t periods, double rate) const {
        const double years = uniform("schedule ramp", laws_.ramp);
        std::vector<double> rates;
        for (std::size_t period = 0; period < periods; ++period) {
            const double middle = (static_cast<double>(period) + 0.5) * laws_.period;
            rates.push_back(rate * std::min(middle / years, 1.0));
        }
        return rates;
    }
    /// `rate` at first, and another one after each of the intervals, which are half to three halves of their mean.
    template <class Other>
    std::vector<double> changing(std::size_t periods, double rate, const Other& other) const {
        constexpr double years_of_a_decade = 10.0;
        const double changes =
            std::exp(uniform("schedule changes", {std::log(laws_.changes.low), std::log(laws_.changes.high)}));
        const double mean = years_of_a_decade / changes / laws_.period;  // in periods
        std::vector<double> rates;
        for (std::uint64_t change = 0; rates.size() < periods; ++change) {
            const double interval = std::round(mean * uniform("schedule interval", {0.5, 1.5}, change));
            const auto length = std::min(static_cast<std::size_t>(std::max(interval, 1.0)), periods - rates.size());
            rates.insert(rates.end(), length, change == 0 ? rate : other(change - 1));
        }
        return rates;
    }

    const ScheduleSettings& laws_;
    const ValueRange& rates_;
    std::uint64_t seed_;
    std::int64_t number_;
    std::string well_;
};

/// What rates [Mt/year] add up to over periods that end at `ends` [day], times 365.25.
double mass(const std::vector<double>& ends, const std::vector<double>& rates) {
    double sum = 0.0, before = 0.0;
    for (std::size_t period = 0; period < ends.size(); ++period) {
        sum += rates[period] * (ends[period] - before);
        before = ends[period];
    }
    return sum;
}

/// When the last well stops [day].
double end_of_injection(const SampledCase& sampled) {
    double end = 0.0;
    for (std::size_t period = 0; period < sampled.schedule_ends.size(); ++period) {
        end = sampled.schedule_rates[period] > 0.0 ? sampled.schedule_ends[period] : end;
    }
    return end;
}

}  // namespace

std::vector<double> schedule_ends(const ScheduleSettings& laws, double last) {
    std::vector<double> ends;
    if (laws.is_constant()) {
        return ends;
    }
    constexpr double rounding = 1e-9;
    const double step = laws.period * days_per_year;
    const double stop = laws.stop.high > 0.0 ? std::min(laws.stop.high * days_per_year, last) : last;
    while (ends.empty() || ends.back() < stop * (1.0 - rounding)) {
        ends.push_back(std::min(static_cast<double>(ends.size() + 1) * step, last));
    }
    return ends;
}

void draw_schedule(const GeneratorConfiguration& configuration, double last, SampledCase& sampled) {
    sampled.schedule_ends = schedule_ends(configuration.inputs.schedule, last);
    if (sampled.schedule_ends.empty()) {
        return;
    }
    const std::size_t periods = sampled.schedule_ends.size();
    const auto rates_of = [&](const std::string& well, double rate) {
        const ScheduleDraw draw(configuration, sampled.number, well);
        std::vector<double> rates = draw.rates(draw.injecting(periods), rate);
        rates.resize(periods, 0.0);
        return rates;
    };
    if (sampled.wells.empty()) {
        sampled.schedule_rates = rates_of("", sampled.injection_rate);
    } else {
        sampled.schedule_rates.assign(periods, 0.0);
    }
    for (std::size_t i = 0; i < sampled.wells.size(); ++i) {
        SampledWell& well = sampled.wells[i];
        well.schedule_rates = rates_of("well " + std::to_string(i) + ' ', well.injection_rate);
        std::ranges::transform(sampled.schedule_rates, well.schedule_rates, sampled.schedule_rates.begin(),
                               std::plus<>());
    }
    const double end = end_of_injection(sampled);
    sampled.injection_rate = mass(sampled.schedule_ends, sampled.schedule_rates) / end;
    for (SampledWell& well : sampled.wells) {
        well.injection_rate = mass(sampled.schedule_ends, well.schedule_rates) / end;
    }
}

}  // namespace plumecast
