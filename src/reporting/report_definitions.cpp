#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/reporting/report.hpp>

#include "core/markup.hpp"
#include "reporting/report_content.hpp"

namespace plumecast {
namespace {

std::string fracture_text(const FractureLimit& limit) {
    if (limit.gradient) {
        return fmt::format("{:g} of a fracture pressure of {:g} bar per metre of depth.", limit.factor,
                           *limit.gradient);
    }
    if (limit.pressure) {
        return fmt::format("{:g} of a fracture pressure of {:g} bar.", limit.factor, *limit.pressure);
    }
    return limit.pressures.empty() ? "No fracture pressure was given."
                                   : fmt::format("{:g} of the fracture pressure given for each case.", limit.factor);
}

}  // namespace

std::string definitions(const ReportContent& content) {
    const SeriesOptions& options = content.options.series;
    std::string text = "<dl>\n";
    const auto add = [&](const std::string& term, const std::string& meaning) {
        text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, meaning);
    };
    add("Plume",
        fmt::format("Active cells with a gas saturation above the threshold ({}). Radius: to the edge of the plume, "
                    "interpolated within its outermost cell, whose width is the resolution. Area: the map area that "
                    "holds plume at any depth. Footprint: that whose uppermost active cell belongs to it. Thickness: "
                    "from its highest to its lowest edge.",
                    fmt::join(options.thresholds, ", ")));
    if (content.has(content.with_threshold("plume_radius"))) {
        add("Migration time",
            "First time at which the gas saturation of a cell is above the smallest threshold; of a column of a map, "
            "the earliest of its cells. The plume came there between the time before (migration_time.csv has both) "
            "and this one.");
    }
    add("Pressure front", "Where the build-up falls to " + content.front_text() + ", interpolated between cells.");
    add("Bottom-hole pressure",
        "Of a well, at the middle of its uppermost perforated cell, while CO2 flows at the rate of the case: after "
        "Peaceman (1978, 1983), with the mobility of gas and brine in the perforated cells. Largest build-up: in the "
        "mean of a cell, which is less than that in the well.");
    add("Depth", "Top of the formation: " + depth_text(content) + ".");
    add("Allowed pressure",
        fracture_text(options.fracture) +
            " Margin: the least of allowed minus predicted pressure over wells and active cells. The initial pressure "
            "is that of water at rest below the top of the formation.");
    if (options.fracture.is_known() && content.is_ensemble()) {
        add("Exceedance",
            "Cases that exceed the limit at any time. The interval (Clopper and Pearson 1934) says what the number of "
            "cases tells of the probability, were they drawn independently; the error of the fields is not in it.");
    }
    const std::string missing = missing_review(content);
    add("Area of review", missing.empty()
                              ? "Map area that holds plume (smallest threshold) or lies within the pressure front; its "
                                "radius is the larger of the two (40 CFR 146.84)."
                              : escape_markup("Plume or pressure front; " + missing) + ".");
    if (content.has("injection_rate")) {
        add("Rate of injection",
            "That of all wells, constant in periods; where a period ends, of that period. After the last injection the "
            "mass injected stays what it is, and the bottom-hole pressure is that of the perforated cells.");
    }
    add("Free CO2 in place",
        "Sum over cells of pore volume, gas saturation and density of CO2 (Span and Wagner 2003) at the "
        "pressure of the cell. CO2 dissolved in brine is not in it: what is missing from the mass "
        "injected is dissolved, apart from the error of the fields.");
    if (content.has("mass_trapped")) {
        add("Mobile and trapped CO2",
            "Trapped is the free CO2 that stays where brine returns, after Land (1968) from the largest saturation "
            "that "
            "the cell ever had and the residual saturation of the case; mobile is the other free CO2. A case without "
            "hysteresis traps the saturation at which gas ceases to flow in drainage, no more. Closing error: CO2 "
            "injected less mobile, trapped and dissolved CO2.");
    }
    if (content.has("plume_stabilisation")) {
        add("Stabilisation",
            "First time after the last injection from which the plume radius (smallest threshold) stays within 1 % of "
            "its last value; not within the times of the data set where that is the last time itself.");
    }
    if (content.has("mass_dissolved")) {
        add("Dissolved CO2 in place",
            "Sum over cells of pore volume and dissolved CO2 per pore volume. Free and dissolved CO2 together, per CO2 "
            "injected, would be 1 without errors of fields and densities.");
    }
    if (content.has_trust()) {
        add("Trust",
            "What the prediction says of itself: inputs against the training data, CO2 found against CO2 injected, the "
            "reach of the plume and the error to be expected. A doubtful case wants a simulation beside it, a bad one "
            "is "
            "not to be used.");
    }
    if (std::ranges::any_of(content.series(), [&](const NamedSeries& one) { return content.has_interval(one.name); })) {
        add("Interval of " + content.interval_text(),
            "How far the model may be off from the simulator: of cases like those that it was calibrated on, so many "
            "have "
            "the simulated curve within the interval at all times together. It is no spread of geologies; dashed lines "
            "around the middle of an ensemble show it in the median of the cases. A case beyond the training has "
            "none.");
    }
    if (content.is_ensemble()) {
        add("Low (P90), middle (P50), high (P10)",
            "By exceedance (SPE-PRMS 2018): nine tenths of the cases lie above P90, which is the low "
            "value, a tenth above P10, the high one. Each time is taken for itself.");
        add("Probability", "Share of all cases in which the cell is active and above the threshold.");
    }
    return text + "</dl>\n";
}

}  // namespace plumecast
