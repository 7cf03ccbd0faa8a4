#pragma once

#include <map>
#include <string>
#include <vector>

#include "reservoir/eclipse/deck/keywords.hpp"

namespace plumecast::eclipse {

/// What a deck or a run holds that a data set cannot carry, by kind.
class LeftOut {
   public:
    /// Notes a keyword or array, once.
    void add(LeftOutKind kind, const std::string& name);
    /// Notes all of another.
    void add(const LeftOut& other);
    /// Forgets a keyword or array.
    void remove(const std::string& name);
    /// Forgets what changes transmissibilities alone, faults, multipliers and connections: its names, "FAULTS,
    /// MULTFLT".
    std::string take_transmissibilities();
    /// True when nothing was noted.
    bool empty() const { return names_.empty(); }
    /// One line per kind: "FAULTS, MULTFLT are left out: ...".
    std::vector<std::string> notes() const;

   private:
    std::map<LeftOutKind, std::vector<std::string>> names_;
};

}  // namespace plumecast::eclipse
