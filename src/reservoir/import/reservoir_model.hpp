#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/eclipse/grid.hpp>

#include "reservoir/import/case_values.hpp"

namespace plumecast {

/// A cell that a well reaches.
struct Connection {
    std::int64_t cell = 0;
    double rate = 0.0;  ///< gas injected at the surface [sm3/day]; 0 when not known
};

/// What was injected in the course of time.
struct InjectionHistory {
    std::vector<double> days;     ///< from 0 on, increasing
    std::vector<double> volumes;  ///< gas injected until then [sm3], from 0 on

    /// Injected until a day, along straight lines between those known.
    double until(double day) const;
};

/// A reservoir as others have described it, in the order of the grid's cells and in the units of the data set format.
class ReservoirModel {
   public:
    virtual ~ReservoirModel() = default;

    /// File or run, for messages.
    virtual const std::string& name() const = 0;
    /// The grid [m]; nothing when the model has properties only. Throws InvalidData, IoError.
    virtual const eclipse::CornerPointGrid* grid() = 0;
    /// A property of cells that does not change, by its keyword, PORO or PERMX: one value per cell, 0 in inactive ones;
    /// nothing when the model has none. `cells` is the number of cells of a model without grid.
    virtual std::optional<std::vector<double>> property(std::string_view keyword, std::int64_t cells) = 0;

    /// Days at which states are known; empty when nothing was simulated.
    virtual const std::vector<double>& times() = 0;
    /// Pressure [bar], gas saturation, and temperature [degC] where the model holds it, at a time: one value per cell,
    /// 0 in inactive ones.
    virtual std::vector<double> pressure(std::size_t step) = 0;
    virtual std::vector<double> gas_saturation(std::size_t step) = 0;
    virtual std::optional<std::vector<double>> temperature(std::size_t step) = 0;
    /// Cells that wells reach at a time.
    virtual std::vector<Connection> connections(std::size_t step) = 0;
    /// Gas injected between two days, counted from the first of them; nothing when the model does not say.
    virtual std::optional<InjectionHistory> injected(double from, double to) = 0;
};

/// Output of a simulator, found as eclipse::find_case() says.
std::unique_ptr<ReservoirModel> simulated_model(const std::string& path);
/// GRDECL text; lengths in `units` where it does not name their unit.
std::unique_ptr<ReservoirModel> written_model(const std::string& path, const std::string& units);

}  // namespace plumecast
