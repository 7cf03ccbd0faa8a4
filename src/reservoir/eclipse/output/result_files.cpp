#include "reservoir/eclipse/output/result_files.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"

namespace plumecast::eclipse {
namespace {

constexpr std::int32_t metric = 1;
constexpr std::int32_t eclipse_100 = 100;
constexpr std::int32_t gas_and_water = 6;

using namespace std::chrono;

/// A moment, taken apart as the heads want it.
struct Moment {
    std::int32_t day, month, year, hour, minute, microseconds;
};

Moment moment_at(sys_seconds start, double days) {
    constexpr year last = year::max();
    if (start + seconds(std::llround(days * seconds_per_day)) >= sys_days(last / 12 / 31)) {
        throw InvalidData(
            fmt::format("the time of {:g} days lies beyond the year {} (files of ECLIPSE have a date for "
                        "each time); leave such times out, or choose another format",
                        days, static_cast<int>(last)));
    }
    const auto time = start + microseconds(static_cast<std::int64_t>(std::llround(days * 86400e6)));
    const auto date = floor<std::chrono::days>(time);
    const year_month_day calendar(date);
    const hh_mm_ss clock(time - date);
    const auto whole = duration_cast<microseconds>(clock.seconds() + clock.subseconds());
    return {static_cast<std::int32_t>(static_cast<unsigned>(calendar.day())),
            static_cast<std::int32_t>(static_cast<unsigned>(calendar.month())),
            static_cast<std::int32_t>(static_cast<int>(calendar.year())),
            static_cast<std::int32_t>(clock.hours().count()),
            static_cast<std::int32_t>(clock.minutes().count()),
            static_cast<std::int32_t>(whole.count())};
}

std::vector<std::int32_t> integer_head(const CaseHead& head, std::int32_t step, double days) {
    const Moment moment = moment_at(head.start, days);
    std::vector<std::int32_t> values(411, 0);
    values[1] = 2014;  // release whose layout this is
    values[2] = metric;
    values[8] = static_cast<std::int32_t>(head.nx);
    values[9] = static_cast<std::int32_t>(head.ny);
    values[10] = static_cast<std::int32_t>(head.nz);
    values[11] = static_cast<std::int32_t>(head.active);
    values[14] = gas_and_water;
    values[64] = moment.day;
    values[65] = moment.month;
    values[66] = moment.year;
    values[67] = step;
    values[68] = step;
    values[94] = eclipse_100;
    values[206] = moment.hour;
    values[207] = moment.minute;
    values[410] = moment.microseconds;
    return values;
}

void write_heads(RecordWriter& file, const CaseHead& head, std::int32_t step, double days) {
    std::vector<double> doubles(229, 0.0);
    doubles[0] = days;
    file.integers("INTEHEAD", integer_head(head, step, days));
    file.logicals("LOGIHEAD", std::vector<bool>(121, false));
    file.doubles("DOUBHEAD", doubles);
}

void write_properties(RecordWriter& file, const CaseHead& head, std::span<const CellProperty> properties) {
    for (const CellProperty& property : properties) {
        expects(property.values.size() == head.active, "one value per active cell");
        file.reals(property.keyword, property.values);
    }
}

}  // namespace

std::string extension(const std::string& name, RecordFormat format) {
    return format == RecordFormat::formatted ? "F" + name : name;
}

void write_egrid(const std::filesystem::path& path, const PillarGrid& grid, std::span<const std::int32_t> active,
                 RecordFormat format) {
    expects(active.size() == grid.cells(), "one activity per cell");
    RecordWriter file(path, format);
    std::vector<std::int32_t> file_head(100, 0);
    file_head[0] = 3;     // version of the format
    file_head[1] = 2007;  // its release
    file_head[6] = 1;     // corner points as given
    file.integers("FILEHEAD", file_head);
    const std::array<std::string, 2> units = {"METRES", ""};
    file.texts("MAPUNITS", std::span(units).first(1));
    const std::vector<float> axes(grid.map_axes.begin(), grid.map_axes.end());
    file.reals("MAPAXES", axes);
    file.texts("GRIDUNIT", units);
    std::vector<std::int32_t> grid_head(100, 0);
    grid_head[0] = 1;  // corner-point
    grid_head[1] = static_cast<std::int32_t>(grid.nx);
    grid_head[2] = static_cast<std::int32_t>(grid.ny);
    grid_head[3] = static_cast<std::int32_t>(grid.nz);
    grid_head[24] = 1;  // reservoirs
    grid_head[25] = 1;  // segments of coordinate lines
    file.integers("GRIDHEAD", grid_head);
    file.reals("COORD", grid.coord);
    file.reals("ZCORN", grid.zcorn);
    file.integers("ACTNUM", active);
    file.integers("ENDGRID", {});
    file.commit();
}

void write_init(const std::filesystem::path& path, const CaseHead& head, std::span<const float> pore_volumes,
                std::span<const CellProperty> properties) {
    expects(pore_volumes.size() == head.nx * head.ny * head.nz, "one pore volume per cell");
    RecordWriter file(path, head.format);
    write_heads(file, head, 0, 0.0);
    file.reals("PORV", pore_volumes);
    write_properties(file, head, properties);
    file.commit();
}

RestartWriter::RestartWriter(const std::filesystem::path& path, const CaseHead& head)
    : head_(head), file_(path, head.format) {}

void RestartWriter::add(std::int32_t step, double day, std::span<const CellProperty> solution) {
    const std::array<std::int32_t, 1> number = {step};
    file_.integers("SEQNUM", number);
    write_heads(file_, head_, step, day);
    file_.message("STARTSOL");
    write_properties(file_, head_, solution);
    file_.message("ENDSOL");
}

void write_summary(const std::filesystem::path& stem, const CaseHead& head, std::span<const double> times,
                   std::span<const SummaryVector> vectors) {
    std::vector<std::string> keywords = {"TIME", "YEARS"};
    std::vector<std::string> units = {"DAYS", "YEARS"};
    const std::string no_well = ":+:+:+:+";
    std::vector<std::string> wells = {no_well, no_well};
    for (const SummaryVector& vector : vectors) {
        expects(vector.values.size() == times.size(), "one value per time");
        keywords.push_back(vector.keyword);
        units.push_back(vector.unit);
        wells.push_back(vector.well.empty() ? no_well : vector.well);
    }
    const auto count = static_cast<std::int32_t>(keywords.size());
    const auto with = [&](const std::string& name) {
        std::filesystem::path path = stem;
        return path += "." + extension(name, head.format);
    };
    RecordWriter values(with("UNSMRY"), head.format);
    for (std::size_t t = 0; t < times.size(); ++t) {
        const std::array<std::int32_t, 1> step = {static_cast<std::int32_t>(t) + 1};
        const std::array<std::int32_t, 1> ministep = {static_cast<std::int32_t>(t)};
        std::vector<float> row = {static_cast<float>(times[t]), static_cast<float>(times[t] / days_per_year)};
        for (const SummaryVector& vector : vectors) {
            row.push_back(static_cast<float>(vector.values[t]));
        }
        values.integers("SEQHDR", step);
        values.integers("MINISTEP", ministep);
        values.reals("PARAMS", row);
    }
    RecordWriter names(with("SMSPEC"), head.format);
    const Moment start = moment_at(head.start, 0.0);
    const std::array<std::int32_t, 2> kind = {metric, eclipse_100};
    const std::array<std::int32_t, 6> extents = {count,
                                                 static_cast<std::int32_t>(head.nx),
                                                 static_cast<std::int32_t>(head.ny),
                                                 static_cast<std::int32_t>(head.nz),
                                                 0,
                                                 -1};
    const std::array<std::int32_t, 6> date = {start.day,  start.month,  start.year,
                                              start.hour, start.minute, start.microseconds};
    names.integers("INTEHEAD", kind);
    names.texts("RESTART", std::vector<std::string>(9));
    names.integers("DIMENS", extents);
    names.texts("KEYWORDS", keywords);
    names.texts("WGNAMES", wells);
    names.integers("NUMS", std::vector<std::int32_t>(keywords.size(), 0));
    names.texts("UNITS", units);
    names.integers("STARTDAT", date);
    values.commit();
    names.commit();
}

}  // namespace plumecast::eclipse
