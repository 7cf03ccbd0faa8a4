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
        if (is_first_) {
            first_ = top;
            highest_ = lowest_ = {top, name};
        }
        is_first_ = false;
        highest_ = top < highest_.depth ? Place{top, name} : highest_;
        lowest_ = top > lowest_.depth ? Place{top, name} : lowest_;
        are_same_ = lowest_.depth - highest_.depth <= same;
    }
    /// States it in the file, where all cases have the same; grids without a depth begin at 0. Where cases differ, no
    /// depth is left at the end of the place of the grid either, since it is that of the first case.
    void put(FileAttributes& attributes) const {
        if (are_same_ && first_ != 0.0) {
            attributes["top_depth"] = fmt::format("{:.10g}", first_);
        }
        if (const auto origin = attributes.find("origin"); !are_same_ && origin != attributes.end()) {
            origin->second = origin->second.substr(0, origin->second.find(", depth "));
        }
    }
    /// What is to be said where cases differ; empty where they agree.
    std::vector<std::string> differences() const {
        if (are_same_) {
            return {};
        }
        return {fmt::format(
            "the top of the formation lies at {:.6g} m ({}) to {:.6g} m ({}); a data set has one depth, so none is "
            "stated (give the depth to reports and exports, or import the cases apart)",
            highest_.depth, highest_.name, lowest_.depth, lowest_.name)};
    }

   private:
    struct Place {
        double depth = 0.0;
        std::string name = {};
    };

    bool is_first_ = true;
    bool are_same_ = true;
    double first_ = 0.0;
    Place highest_;
    Place lowest_;
};

}  // namespace plumecast
