#include "reporting/spe11.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/units.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/co2_solubility.hpp"

namespace plumecast {
namespace {

constexpr double length = 8400.0, height = 1200.0;  // of the section [m]
constexpr double thickness = 1.0;                   // across the section [m]
constexpr std::size_t seal_region = 1;              // facies 1
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// A rectangle of the section; heights count from the base.
struct SectionBox {
    double left, right, low, high;  // [m]
};
constexpr SectionBox box_a{3300.0, 8300.0, 0.0, 600.0}, box_b{100.0, 3300.0, 600.0, 1200.0},
    box_c{3300.0, 7800.0, 100.0, 400.0};

struct SectionPoint {
    double x, above;  // [m]
};
constexpr SectionPoint first_observed{4500.0, 500.0}, second_observed{5100.0, 1100.0};

/// CO2 of a cell at a time [kg]; NaN for what is not known.
struct CellMass {
    double mobile = 0.0, immobile = 0.0, dissolved = 0.0;

    double all() const { return mobile + immobile + dissolved; }
};

/// The columns behind the time, in the order of the benchmark.
struct Columns {
    double first_pressure = 0.0, second_pressure = 0.0;  // [Pa]
    std::array<double, 4> in_a{}, in_b{};                // mobile, immobile, dissolved, in the seal [kg]
    double convection = 0.0, in_seal = 0.0, in_boundary = 0.0;

    std::vector<double> values() const {
        std::vector<double> all = {first_pressure, second_pressure};
        all.insert(all.end(), in_a.begin(), in_a.end());
        all.insert(all.end(), in_b.begin(), in_b.end());
        all.insert(all.end(), {convection, in_seal, in_boundary});
        return all;
    }
};

constexpr std::array<const char*, 13> names = {"p1 [Pa]",    "p2 [Pa]",      "mobA [kg]",    "immA [kg]",  "dissA [kg]",
                                               "sealA [kg]", "mobB [kg]",    "immB [kg]",    "dissB [kg]", "sealB [kg]",
                                               "mC [m]",     "sealTot [kg]", "boundTot [kg]"};

/// The fields of a case on the section.
class Section {
   public:
    Section(const CaseReader& reader, const CaseFields& fields);
    /// At a time; nothing for the start of injection.
    Columns at(std::optional<std::size_t> time) const;

   private:
    std::size_t row(std::size_t cell) const { return cell / columns_; }
    std::size_t column(std::size_t cell) const { return cell % columns_; }
    double overlap(std::size_t cell, const SectionBox& box) const;
    std::size_t cell_at(const SectionPoint& point) const;
    double pressure(std::optional<std::size_t> time, std::size_t cell) const;
    CellMass mass(std::size_t time, std::size_t cell) const;
    double mass_fraction(std::size_t time, std::size_t cell) const;
    double solubility(std::size_t time) const;
    double convection(std::size_t time) const;
    double slope(std::size_t time, std::size_t cell, std::size_t before, std::size_t after) const;

    const CaseFields& fields_;
    const std::vector<double>&x_, &z_;
    std::size_t columns_, rows_;
    std::vector<double> immobile_;      // of the tables, largest gas saturation that does not flow
    std::vector<std::size_t> regions_;  // of the cells, from 1; 0 in inactive cells
    std::vector<char> is_boundary_;
};

void require_section(const Dataset& dataset, const CaseFields& fields) {
    const auto refuse = [&](const std::string& problem, const std::string& remedy) {
        throw InvalidInput(
            fmt::format("{}: {} (the sparse data of SPE11B are those of its section, {:g} x {:g} m, "
                        "with a seal of saturation region 1); {}",
                        dataset.path(), problem, length, height, remedy));
    };
    const bool is_box = dataset.geometry() == Geometry::cartesian && dataset.y_edges().size() == 2;
    const auto extent = [](const std::vector<double>& edges) { return edges.back() - edges.front(); };
    if (!is_box || std::abs(extent(dataset.x_edges()) - length) > 1.0 ||
        std::abs(extent(dataset.z_edges()) - height) > 1.0) {
        refuse("the grid is another one", "report the case without this format");
    }
    if (const double wide = extent(dataset.y_edges()); std::abs(wide - thickness) > 1e-3 * thickness) {
        refuse(fmt::format("the section is {:g} m thick along y, and masses are those of {:g} m", wide, thickness),
               "make y_edges, pore volumes and rates those of a section of that thickness");
    }
    if (!dataset.has("saturation_region")) {
        refuse("no /inputs/saturation_region", "import the run with its saturation tables");
    }
    if (fields.gas_saturation.empty() || fields.pressure_buildup.empty()) {
        refuse("no gas saturation or no build-up", "report a result that has both");
    }
}

Section::Section(const CaseReader& reader, const CaseFields& fields)
    : fields_(fields),
      x_(reader.dataset().x_edges()),
      z_(reader.dataset().z_edges()),
      columns_(x_.size() - 1),
      rows_(z_.size() - 1),
      immobile_(critical_gas_saturations(saturation_tables(reader.dataset(), fields.number))),
      regions_(saturation_regions(reader.dataset(), fields.number, immobile_.size())),
      is_boundary_(regions_.size()) {
    for (std::size_t cell = 0; cell < regions_.size(); ++cell) {
        const bool is_at_side = column(cell) == 0 || column(cell) + 1 == columns_;
        const double usual = static_cast<double>(fields.porosity[cell]) * fields.geometry.volumes[cell];
        is_boundary_[cell] = is_at_side && fields.pore_volumes[cell] > 1.5 * usual ? 1 : 0;
    }
}

/// Share of a cell that lies in a box.
double Section::overlap(std::size_t cell, const SectionBox& box) const {
    const double left = x_[column(cell)] - x_.front(), right = x_[column(cell) + 1] - x_.front();
    const double low = z_.back() - z_[row(cell) + 1], high = z_.back() - z_[row(cell)];
    const double wide = std::min(right, box.right) - std::max(left, box.left);
    const double tall = std::min(high, box.high) - std::max(low, box.low);
    return std::max(wide, 0.0) * std::max(tall, 0.0) / ((right - left) * (high - low));
}

std::size_t Section::cell_at(const SectionPoint& point) const {
    const auto place = [](const std::vector<double>& edges, double value) {
        const auto after = std::ranges::upper_bound(edges, value) - edges.begin();
        return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - 1, 0, std::ssize(edges) - 2));
    };
    return place(z_, z_.back() - point.above) * columns_ + place(x_, x_.front() + point.x);
}

/// [bar]
double Section::pressure(std::optional<std::size_t> time, std::size_t cell) const {
    const double buildup = time ? static_cast<double>(fields_.at(fields_.pressure_buildup, *time)[cell]) : 0.0;
    return fields_.active[cell] != 0.0F ? fields_.initial_pressures[cell] + buildup : not_known;
}

CellMass Section::mass(std::size_t time, std::size_t cell) const {
    CellMass mass;
    const double saturation = static_cast<double>(fields_.at(fields_.gas_saturation, time)[cell]);
    if (saturation > 0.0) {
        const double free =
            fields_.pore_volumes[cell] * saturation * co2_density(pressure(time, cell), fields_.temperature_in(cell));
        const double still = immobile_[regions_[cell] - 1];
        (saturation > still ? mass.mobile : mass.immobile) = free;
    }
    mass.dissolved =
        fields_.dissolved_co2.empty()
            ? not_known
            : fields_.pore_volumes[cell] * static_cast<double>(fields_.at(fields_.dissolved_co2, time)[cell]);
    return mass;
}

/// Of CO2 in the brine.
double Section::mass_fraction(std::size_t time, std::size_t cell) const {
    const double brine = 1.0 - static_cast<double>(fields_.at(fields_.gas_saturation, time)[cell]);
    const double dissolved = static_cast<double>(fields_.at(fields_.dissolved_co2, time)[cell]);
    if (!(brine > 0.0)) {
        return 0.0;
    }
    const double content = dissolved / brine;  // [kg/m3] of brine
    const double water = (1.0 - content / dissolved_co2_density(fields_.temperature_in(cell))) *
                         brine_density(pressure(time, cell), fields_.temperature_in(cell), fields_.salinity);
    return content / (content + water);
}

/// Mass fraction of CO2 that brine takes up at the mean pressure and temperature in box C.
double Section::solubility(std::size_t time) const {
    double weights = 0.0, pressures = 0.0, temperatures = 0.0;
    for (std::size_t cell = 0; cell < regions_.size(); ++cell) {
        const double share = fields_.active[cell] != 0.0F ? overlap(cell, box_c) * fields_.geometry.volumes[cell] : 0.0;
        if (share > 0.0) {
            weights += share;
            pressures += share * pressure(time, cell);
            temperatures += share * fields_.temperature_in(cell);
        }
    }
    return co2_solubility(pressures / weights, temperatures / weights, fields_.salinity);
}

/// Of the mass fraction between the centres of two neighbours of a cell, or of the cell where one is not active [1/m].
double Section::slope(std::size_t time, std::size_t cell, std::size_t before, std::size_t after) const {
    const std::size_t first = fields_.active[before] != 0.0F ? before : cell;
    const std::size_t last = fields_.active[after] != 0.0F ? after : cell;
    const auto middle = [](const std::vector<double>& edges, std::size_t at) {
        return 0.5 * (edges[at] + edges[at + 1]);
    };
    const double along = middle(x_, column(last)) - middle(x_, column(first));
    const double down = middle(z_, row(last)) - middle(z_, row(first));
    return first != last ? (mass_fraction(time, last) - mass_fraction(time, first)) / (along + down) : 0.0;
}

/// Integral over box C of the gradient of the mass fraction relative to the solubility [m].
double Section::convection(std::size_t time) const {
    if (fields_.dissolved_co2.empty()) {
        return not_known;
    }
    double sum = 0.0;
    for (std::size_t cell = 0; cell < regions_.size(); ++cell) {
        const double share = fields_.active[cell] != 0.0F ? overlap(cell, box_c) : 0.0;
        if (share > 0.0) {
            const double wide = x_[column(cell) + 1] - x_[column(cell)], tall = z_[row(cell) + 1] - z_[row(cell)];
            const std::size_t left = column(cell) > 0 ? cell - 1 : cell, above = row(cell) > 0 ? cell - columns_ : cell;
            const std::size_t right = column(cell) + 1 < columns_ ? cell + 1 : cell;
            const std::size_t below = row(cell) + 1 < rows_ ? cell + columns_ : cell;
            const double along = slope(time, cell, left, right), down = slope(time, cell, above, below);
            sum += share * wide * tall * std::hypot(along, down);
        }
    }
    return sum / solubility(time);
}

Columns Section::at(std::optional<std::size_t> time) const {
    Columns columns;
    columns.first_pressure = pressure(time, cell_at(first_observed)) * pascals_per_bar;
    columns.second_pressure = pressure(time, cell_at(second_observed)) * pascals_per_bar;
    if (!time) {
        return columns;
    }
    for (std::size_t cell = 0; cell < regions_.size(); ++cell) {
        if (fields_.active[cell] == 0.0F) {
            continue;
        }
        const CellMass found = mass(*time, cell);
        const bool is_seal = regions_[cell] == seal_region;
        for (const auto& [box, sums] : {std::pair(&box_a, &columns.in_a), std::pair(&box_b, &columns.in_b)}) {
            const double share = overlap(cell, *box);
            if (share > 0.0) {
                (*sums)[0] += share * found.mobile;
                (*sums)[1] += share * found.immobile;
                (*sums)[2] += share * found.dissolved;
                (*sums)[3] += is_seal ? share * found.all() : 0.0;
            }
        }
        columns.in_seal += is_seal ? found.all() : 0.0;
        columns.in_boundary += is_boundary_[cell] != 0 ? found.all() : 0.0;
    }
    columns.convection = convection(*time);
    return columns;
}

}  // namespace

Spe11Table spe11_table(const CaseReader& reader, const CaseFields& fields) {
    require_section(reader.dataset(), fields);
    const Section section(reader, fields);
    Spe11Table table;
    table.text = "# t [s]";
    for (const char* name : names) {
        table.text += fmt::format(", {}", name);
    }
    table.text += '\n';
    std::array<bool, names.size()> is_missing{};
    const auto add = [&](double day, const Columns& columns) {
        table.text += fmt::format("{:.4e}", day * seconds_per_day);
        const std::vector<double> values = columns.values();
        for (std::size_t i = 0; i < values.size(); ++i) {
            is_missing[i] = is_missing[i] || !std::isfinite(values[i]);
            table.text += std::isfinite(values[i]) ? fmt::format(", {:.3e}", values[i]) : ", n/a";
        }
        table.text += '\n';
    };
    add(0.0, section.at(std::nullopt));
    for (std::size_t time = 0; time < reader.times().size(); ++time) {
        add(reader.times()[time], section.at(time));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (is_missing[i]) {
            const std::string name = names[i];
            table.missing.push_back(name.substr(0, name.find(' ')));
        }
    }
    return table;
}

}  // namespace plumecast
