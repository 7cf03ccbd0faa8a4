#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/metrics/case_fields.hpp"

namespace plumecast {

/// What intervals and bands are fitted to: a result, the physics that its networks corrected and the spread of their
/// members, where there are any, and the simulated cases.
struct BandFiles {
    const Dataset& predicted;
    const Dataset& simulated;
    const Dataset* physics = nullptr;
    const Dataset* spread = nullptr;
};

/// A figure of a case at each time, predicted and simulated, and what the width of its intervals grows with.
struct FigureCurves {
    std::vector<double> predicted, simulated, sizes;
};

/// Figures of a case by the names of the report's series, each at all times.
using Figures = std::map<std::string, std::vector<double>>;

/// The figures that have intervals: radius [m] and area [m2] of the plume, largest build-up and bottom-hole pressure
/// [bar], radius of the pressure front [m], free, trapped and dissolved CO2 [Mt], as far as the fields and wells of a
/// case allow; and what their intervals grow with.
Figures banded_figures(const CaseFields& fields, const std::vector<double>& times);

/// Names of all figures that may have intervals.
std::vector<std::string> banded_figure_names();

/// The ceil((n + 1) level)-th smallest of n scores, which a further one, exchangeable with them, does not exceed with
/// at least that probability (Vovk, Gammerman and Shafer 2005). Throws InvalidInput where n is too small for the level.
double conformal_quantile(std::vector<double> scores, double level);

/// An interval around a curve, as wide as `width (1 + growth size)` to either side and never below the least value of
/// the figure, that holds at all times of a case together with the probability of the calibration. The size is that of
/// the value; of a bottom-hole pressure that of its build-up.
struct FigureBand {
    std::string figure;
    double growth = 0.0;  ///< [1/unit of the figure]
    double width = 0.0;   ///< [unit of the figure] where the size is 0

    /// Ends at a predicted value, of such a size; NaN where it is.
    std::pair<double, double> at(double value, double size) const;
    /// Ends at all times of a case with these figures, of which this is one.
    std::vector<std::pair<double, double>> ends(const Figures& figures) const;
    Json to_json() const;
    /// Reads such an object strictly. Throws InvalidInput with the dotted path.
    static FigureBand read(JsonReader& object);
};

/// Split conformal prediction (Papadopoulos et al. 2002): the first third of the cases of each set chooses how the
/// width grows with the value, so that the intervals are narrow in the mean; the others set the width, which is the
/// largest that a set asks for, so that the level holds for cases drawn like any one of them (Vovk, Gammerman and
/// Shafer 2005, section 4.5, in place of a width for each). A case with a value that is not finite counts as held by no
/// interval. Throws InvalidInput for too few.
FigureBand fit_figure_band(const std::string& figure, const std::vector<std::vector<FigureCurves>>& sets, double level);

/// Intervals of the figures of a model, which a bundle records.
struct FigureBands {
    double level = 0.9;
    std::int64_t cases = 0;   ///< of the calibration
    std::string data_sha256;  ///< of its files, joined by spaces
    std::vector<FigureBand> figures;

    bool empty() const { return figures.empty(); }
    Json to_json() const;
    /// Reads such an object strictly. Throws InvalidInput with the dotted path.
    static FigureBands read(JsonReader& object);

    static constexpr std::int64_t least_cases = 100;
    /// Of figures that a case of the sets has; but none of those that more cases than the level spares have no finite
    /// value of. Throws InvalidInput for sets of fewer than least_cases, and for files of other cases.
    static FigureBands fit(const std::vector<BandFiles>& sets, double level = 0.9);
};

/// Throws InvalidInput for fewer cases than a calibration needs.
void require_enough(const Dataset& simulated);

}  // namespace plumecast
