#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/import/runs/run_record.hpp"
#include "reservoir/import/runs/running_total.hpp"

namespace plumecast {

/// What the connections of the restart file tell of the wells that inject gas, report step by report step.
class ConnectionRates {
   public:
    explicit ConnectionRates(const RunRecord& run);

    /// Wells that inject at some state, in the order in which they appear.
    const std::vector<std::string>& wells() const { return wells_; }
    /// Whether amounts are gas; otherwise the file holds no rates, and they say how easily gas enters open connections.
    bool has_rates() const { return has_rates_; }
    /// Gas injected so far until a state, where the file tells [sm3].
    std::optional<double> total(std::size_t state, const std::string& well) const;
    /// Injected at the end of the report step that a state ends [sm3/day].
    double rate(std::size_t state, const std::string& well) const;
    /// What a well injected in the report step that a state ends: totals, or the rate at its end times its length.
    double amount(std::size_t state, const std::string& well) const;
    /// The same by cell, of the state or the nearest one that tells; empty when none does. Below 0 in cells that gave
    /// back more than entered them.
    std::map<std::int64_t, double> cells(std::size_t state, const std::string& well) const;
    /// Whether connections to cells that count open or close between states at which any of the wells injects, or with
    /// the wells.
    bool changes_connections(const std::vector<std::string>& wells,
                             const std::function<bool(std::int64_t cell)>& counts) const;
    /// The largest share of a well's gas that comes back from cells through other connections, at a state or in the
    /// report step that it ends.
    double back_flow(const std::string& well) const;
    /// The largest share of the gas of wells that enters other cells in a report step than `means` say, which holds
    /// what entered each cell in all; of what enters cells that count.
    double moved(const std::vector<std::string>& wells, const std::map<std::int64_t, double>& means,
                 const std::function<bool(std::int64_t cell)>& counts) const;
    /// Wells that produce, or inject something else, at a state after a day.
    std::vector<std::string> others(double from) const;

   private:
    const WellState* find(std::size_t state, const std::string& well) const;
    std::map<std::int64_t, double> cells_at(std::size_t state, const std::string& well) const;
    double returned_share(std::size_t state, const std::string& well) const;
    bool counts(std::size_t state, const std::string& well) const;
    void assume_rates();

    const RunRecord& run_;
    std::vector<std::vector<WellState>> states_;
    std::vector<std::string> wells_;
    bool has_rates_ = false;
    bool has_totals_ = false;
};

}  // namespace plumecast
