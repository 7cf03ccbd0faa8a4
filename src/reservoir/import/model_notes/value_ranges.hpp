#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/shape.hpp>

#include <plumecast/reservoir/dataset/schema.hpp>
#include "reservoir/eclipse/grid.hpp"

#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {

/// Whether a number stands for no value in files of geological models: -99, -99.25, -999, -999.25, -9999 and the like,
/// and what is as large as 1e20. No porosity, net to gross or permeability is such a number.
bool is_undefined(double value);

/// Properties that decide which cells have rock: a cell without a value in one of them is inactive.
inline constexpr std::string_view rock_keywords[] = {"PORO", "NTG", "PERMX", "PERMY", "PERMZ", "PERMR"};

/// Cells that would be active, but for properties that hold no value in them.
class UndefinedCells {
   public:
    /// Makes the cell inactive in `active` when its value of `keyword` is undefined.
    void mark(std::string_view keyword, std::size_t cell, double value, std::vector<std::uint8_t>& active);
    /// What is to be said of them, one line per keyword.
    std::vector<std::string> notes() const;

   private:
    struct Found {
        std::int64_t count = 0;
        double value = 0.0;  // of the first one
    };
    std::map<std::string, Found, std::less<>> found_;
};

/// "cell (3, 1, 2)", as a deck counts, of a model with a grid; "cell 17", counted from 0, of one without.
std::string cell_of_deck(ReservoirModel& model, std::size_t cell);

/// Marks of the cells of a model that are active, 0 or 1.
std::vector<std::uint8_t> active_marks(ReservoirModel& model, std::int64_t cells);

/// Throws InvalidData naming model, keyword, cell, value and remedy for the first active cell whose value of a property
/// (PORO, NTG, PORV, MULTPV, PERMX ...) is none that rock has. NaN passes: it stands for a default.
void require_rock(ReservoirModel& model, std::string_view keyword, std::span<const double> values,
                  std::span<const std::uint8_t> active);

/// Throws InvalidData naming `source`, array, case, cell, value and remedy for the first input of a case that lies
/// outside of the range of the format: `arrays` by name, on a grid of `space` cells. Cells that `active` excludes pass.
void require_input_ranges(const std::string& source, std::int64_t which,
                          const std::map<std::string, std::vector<float>>& arrays, Geometry geometry,
                          const Shape& space);

}  // namespace plumecast
