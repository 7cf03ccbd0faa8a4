#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/reservoir/dataset/fields.hpp>

namespace plumecast {

/// The depth of the top of the formation in the cases of an import. Depths are stored from there down, so it holds for
/// a whole data set.
class FormationTop {
   public:
    /// Takes in the depth [m] of a case; that of the first one counts.
    void add(double top, const std::string& name) {
        constexpr double same = 0.01;  // [m]
        if (first_.empty()) {
            first_ = name;
            top_ = top;
        } else if (differences_.empty() && std::abs(top - top_) > same) {
            differences_.push_back(
                fmt::format("{}: the top of the formation lies at {:.6g} m, in {} at {:.6g} m; a data set has one "
                            "depth, so none is "
                            "stated (give the depth to reports and exports, or import the cases apart)",
                            name, top, first_, top_));
        }
    }
    /// States it in the file, where all cases have the same; grids without a depth begin at 0. Where cases differ, no
    /// depth is left at the end of the place of the grid either, since it is that of the first case.
    void put(FileAttributes& attributes) const {
        if (differences_.empty() && top_ != 0.0) {
            attributes["top_depth"] = fmt::format("{:.10g}", top_);
        }
        if (const auto origin = attributes.find("origin"); !differences_.empty() && origin != attributes.end()) {
            origin->second = origin->second.substr(0, origin->second.find(", depth "));
        }
    }
    /// What is to be said where cases differ; empty where they agree.
    const std::vector<std::string>& differences() const { return differences_; }

   private:
    std::string first_;
    double top_ = 0.0;
    std::vector<std::string> differences_;
};

}  // namespace plumecast
