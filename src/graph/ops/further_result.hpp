#pragma once

#include <string>

#include <plumecast/graph/op.hpp>

namespace plumecast {

/// Another result of an op that has several, its only input; that op computes it. See further_result().
struct FurtherResultOp {
    static constexpr const char* name = "further_result";
    int which = 0;  ///< counted from the one after the op's own
    ValueType type;
    std::string text() const { return std::to_string(which); }
    ValueType result(ValueTypes /*inputs*/) const { return type; }
};

}  // namespace plumecast
