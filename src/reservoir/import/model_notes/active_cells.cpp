#include "reservoir/import/model_notes/active_cells.hpp"

#include <algorithm>
#include <string_view>

namespace plumecast {
namespace {

using Marks = std::vector<std::uint8_t>;

std::int64_t count_of(const Marks& marks) {
    return std::ranges::count_if(marks, [](std::uint8_t mark) { return mark != 0; });
}

/// Cells for which the grid file, PORV, or both speak: the marks of which there are `stored`, else those of the file.
Marks stored_cells(const Marks& of_file, const std::vector<double>& volumes, std::int64_t stored) {
    const auto cells = static_cast<std::int64_t>(of_file.size());
    if (stored == cells || static_cast<std::int64_t>(volumes.size()) != cells) {
        return of_file;
    }
    Marks with_volume(of_file.size()), both(of_file.size());
    for (std::size_t cell = 0; cell < of_file.size(); ++cell) {
        with_volume[cell] = volumes[cell] > 0.0 ? 1 : 0;
        both[cell] = with_volume[cell] != 0 && of_file[cell] != 0 ? 1 : 0;
    }
    for (const Marks& marks : {both, with_volume}) {
        if (count_of(marks) == stored) {
            return marks;
        }
    }
    return of_file;
}

}  // namespace

FoundCells mark_inactive(eclipse::CornerPointGrid& grid, eclipse::StepFiles& initial) {
    const auto values_of = [&](std::string_view keyword) {
        return initial.has(0, keyword) ? initial.numbers(0, keyword) : std::vector<double>();
    };
    const std::vector<double> porosity = values_of("PORO");
    const std::vector<double> volumes = values_of("PORV");
    FoundCells found{stored_cells(grid.active(), volumes, static_cast<std::int64_t>(porosity.size())), {}};
    const Marks& stored = found.stored;
    Marks active = stored;
    const auto for_each_value = [&](const std::vector<double>& values, const auto& see) {
        const bool is_for_all = values.size() == active.size();
        if (!is_for_all && static_cast<std::int64_t>(values.size()) != count_of(stored)) {
            return;  // the caller names arrays of another size where it needs them
        }
        std::size_t next = 0;
        for (std::size_t cell = 0; cell < active.size(); ++cell) {
            if (is_for_all || stored[cell] != 0) {
                see(cell, values[is_for_all ? cell : next++]);
            }
        }
    };
    for (const std::vector<double>& values : {porosity, volumes, values_of("NTG")}) {
        for_each_value(values, [&](std::size_t cell, double value) {
            active[cell] = value == 0.0 ? std::uint8_t{0} : active[cell];
        });
    }
    for (const std::string_view keyword : rock_keywords) {
        for_each_value(values_of(keyword),
                       [&](std::size_t cell, double value) { found.undefined.mark(keyword, cell, value, active); });
    }
    grid.set_active(active);
    return found;
}

}  // namespace plumecast
