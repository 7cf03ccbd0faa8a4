#pragma once

#include <memory>
#include <optional>
#include <string>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/import/import.hpp>

#include "reservoir/import/case_arrays.hpp"
#include "reservoir/import/case_values.hpp"
#include "reservoir/import/grid_shape.hpp"
#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {

/// Whether a path is named like a GRDECL file.
bool is_grdecl(const std::string& path);

/// A model with its values, opened for one pass.
struct OpenCase {
    std::unique_ptr<ReservoirModel> model;
    CaseValues values;
    CaseSteps steps;
    Injection injection;
    StoredGrid shape;
    std::optional<Transmissibilities> flow;  ///< of a grid that is no set of rings
};

/// The grid of a data set.
StoredGrid grid_of(const Dataset& dataset);

/// Opens the sources of an import, with the values of all cases, of each case and of the options.
class CaseOpener {
   public:
    /// Reads the values of all cases and opens the data set like which cases are to be. Throws InvalidInput where there
    /// are no sources, and what reading throws.
    explicit CaseOpener(const ImportOptions& options);

    const std::optional<Dataset>& like() const { return like_; }
    /// Throws IoError for a file that is not there, InvalidData for a case without times or grid.
    OpenCase open(const std::string& source) const;

   private:
    CaseValues values_of(const std::string& name, const std::string& origin) const;
    StoredGrid shape_of(ReservoirModel& model) const;

    const ImportOptions& options_;
    Json values_;
    std::optional<Dataset> like_;
};

}  // namespace plumecast
