#pragma once

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "reservoir/eclipse/record_bytes.hpp"

/// Runs of a simulator with several wells, made up, written down independently of the readers.
namespace plumecast::testing {

/// A well that reaches the cells (i, j, 1) and (i, j, 2), counted from 1.
struct RunWell {
    std::string name;
    int i = 1;
    int j = 1;
    int kind = 4;  ///< 1 producer, 4 gas injector
    /// Gas injected at the end of each report step [sm3/day]; negative for water produced.
    std::vector<double> rates;
    std::array<double, 2> shares = {0.5, 0.5};  ///< of the connections in its rate; negative for gas that comes back
    std::vector<std::array<double, 2>> shares_at = {};  ///< the same at each state, where they change
    std::vector<std::array<int, 2>> open = {};          ///< connections at each state; both unless stated
    std::vector<int> status = {};                       ///< of IWEL at each state; not written without
    std::vector<double> totals = {};                    ///< gas injected until each state [sm3]; not written without
    /// The same by connection, in place of `totals`: gas that entered and gas that came back until each state [sm3].
    std::vector<std::array<double, 2>> entered = {};
    std::vector<std::array<double, 2>> returned = {};
};

/// A run of a box of 4 x 3 x 2 cells of 100 x 100 x 10 m.
struct WellRun {
    int unit_system = 1;
    double length = 1.0;    ///< metres in a unit of length
    double pressure = 1.0;  ///< bar in a unit of pressure
    double gas = 1.0;       ///< sm3 in a unit of gas
    std::vector<double> days = {0.0, 100.0, 200.0};
    std::vector<RunWell> wells;
    bool has_names = true;
    bool has_kinds = true;
    bool has_rates = true;
    std::vector<std::string> vectors = {"TIME"};
    std::vector<std::string> names = {""};
    std::vector<std::string> units = {};    ///< of the vectors; not written without
    std::vector<std::vector<float>> steps;  ///< of the summary
    std::vector<int> numbers = {};          ///< SEQNUM of the states; 0, 1, 2 ... without
    int state_units = 0;                    ///< unit system that the states declare; that of the run for 0
    std::string restarts;
    std::vector<int> start = {1, 6, 2030, 0, 0, 0};
    int phases = 5;
    double initial_gas = 0.0;  ///< saturation at the first state, and the others
    double later_gas = 0.25;
    std::vector<std::pair<std::string, double>> brine;  ///< further arrays of states, one value in all cells
    double initial_brine = 0.0;                         ///< RS, RSW, PCGW and TEMP at the first state
    double below = 0.0;      ///< pressure in the lower layer beyond that in the upper one [bar]
    double factor = 0.0;     ///< of the connections of wells (SCON), in the units of the run; not written for 0
    double top = 1000.0;     ///< depth of the box [m]
    std::string of_initial;  ///< further arrays of the INIT file

    static constexpr int cells = 24;

    /// Adds a vector of the summary, one value per step.
    void add(const std::string& keyword, const std::string& name, const std::vector<double>& values) {
        vectors.push_back(keyword);
        names.push_back(name);
        for (std::size_t step = 0; step < values.size(); ++step) {
            steps[step].push_back(static_cast<float>(values[step]));
        }
    }
    /// Steps of the summary at the states after the first one.
    void step_at_states() {
        for (std::size_t state = 1; state < days.size(); ++state) {
            steps.push_back({static_cast<float>(days[state])});
        }
    }
    /// What a well has injected until each state after the first one [sm3], by its rates.
    std::vector<double> total(std::size_t well) const {
        std::vector<double> sums;
        double sum = 0.0;
        for (std::size_t state = 1; state < days.size(); ++state) {
            sum += wells[well].rates[state] * (days[state] - days[state - 1]);
            sums.push_back(sum / gas);
        }
        return sums;
    }
    std::vector<double> field_total() const {
        std::vector<double> sums(days.size() - 1, 0.0);
        for (std::size_t well = 0; well < wells.size(); ++well) {
            for (std::size_t i = 0; i < sums.size(); ++i) {
                sums[i] += wells[well].kind == 4 ? total(well)[i] : 0.0;
            }
        }
        return sums;
    }

    std::string grid() const {
        std::vector<float> pillars;
        for (int j = 0; j <= 3; ++j) {
            for (int i = 0; i <= 4; ++i) {
                for (const double z : {top, top + 20.0}) {
                    for (const double value : {100.0 * i, 100.0 * j, z}) {
                        pillars.push_back(static_cast<float>(value / length));
                    }
                }
            }
        }
        std::vector<float> depths;
        for (const double z : {top, top + 10.0, top + 10.0, top + 20.0}) {
            depths.insert(depths.end(), 48, static_cast<float>(z / length));
        }
        std::vector<int> head(100, 0);
        head[0] = 1;
        head[1] = 4;
        head[2] = 3;
        head[3] = 2;
        return integers("GRIDHEAD", head) + reals("COORD", pillars) + reals("ZCORN", depths) + integers("ENDGRID", {});
    }
    std::vector<int> head() const {
        std::vector<int> values(411, 0);
        values[2] = unit_system;
        values[14] = phases;
        values[16] = static_cast<int>(wells.size());
        values[17] = 2;
        values[24] = 155;
        values[26] = 130;
        values[27] = 3;
        values[32] = 25;
        values[33] = 41;
        values[34] = 58;
        values[64] = start[0];
        values[65] = start[1];
        values[66] = start[2];
        return values;
    }
    static std::string constant(const std::string& keyword, double value) {
        return doubles(keyword, std::vector<double>(cells, value));
    }
    /// One value in each layer.
    static std::string layers(const std::string& keyword, double upper, double more) {
        std::vector<double> values(cells / 2, upper);
        values.insert(values.end(), cells / 2, upper + more);
        return doubles(keyword, values);
    }
    std::string initial() const {
        std::vector<double> permeability(cells / 2, 100.0);
        permeability.insert(permeability.end(), cells / 2, 300.0);  // the lower layer
        return integers("INTEHEAD", head()) + constant("PORO", 0.2) + doubles("PERMX", permeability) +
               doubles("PERMY", permeability) + constant("PERMZ", 10.0) + of_initial;
    }
    std::string well_arrays(std::size_t state) const {
        std::vector<int> icon(wells.size() * 2 * 25, 0);
        std::vector<double> xcon(wells.size() * 2 * 58, 0.0);
        std::vector<int> iwel(wells.size() * 155, 0);
        std::vector<double> xwel(wells.size() * 130, 0.0);
        std::vector<std::string> zwel(wells.size() * 3);
        for (std::size_t w = 0; w < wells.size(); ++w) {
            const RunWell& well = wells[w];
            iwel[w * 155 + 6] = well.kind;
            iwel[w * 155 + 10] = well.status.empty() ? 0 : well.status[state];
            xwel[w * 130 + 6] = (150.0 + 10.0 * static_cast<double>(w)) / pressure;
            zwel[w * 3] = well.name;
            for (std::size_t c = 0; c < 2; ++c) {
                int* entry = icon.data() + (w * 2 + c) * 25;
                entry[0] = static_cast<int>(c) + 1;
                entry[1] = well.i;
                entry[2] = well.j;
                entry[3] = static_cast<int>(c) + 1;
                entry[5] = well.open.empty() ? 1 : well.open[state][c];
                double* state_of = xcon.data() + (w * 2 + c) * 58;
                const double rate =
                    well.rates[state] * (well.shares_at.empty() ? well.shares : well.shares_at[state])[c];
                const bool is_gas = well.rates[state] > 0.0;
                state_of[1] = is_gas ? 0.0 : -rate;
                state_of[2] = is_gas ? -rate / gas : 0.0;
                state_of[8] = well.totals.empty() ? 0.0 : well.totals[state] * well.shares[c] / gas;
                if (!well.entered.empty()) {
                    state_of[5] = well.returned[state][c] / gas;
                    state_of[8] = well.entered[state][c] / gas;
                }
            }
        }
        return (has_kinds ? integers("IWEL", iwel) : "") + doubles("XWEL", xwel) +
               (has_names ? texts("ZWEL", zwel) : "") + integers("ICON", icon) + (factor > 0.0 ? factors() : "") +
               (has_rates ? doubles("XCON", xcon) : "");
    }
    std::string factors() const {
        std::vector<double> scon(wells.size() * 2 * 41, 0.0);
        for (std::size_t connection = 0; connection < wells.size() * 2; ++connection) {
            scon[connection * 41] = factor * (connection % 2 == 0 ? 1.0 : 3.0);  // the lower layer is as permeable
        }
        return doubles("SCON", scon);
    }
    std::string state(std::size_t step) const {
        std::vector<int> values = head();
        values[2] = state_units > 0 ? state_units : unit_system;
        std::string bytes = integers("INTEHEAD", values) + doubles("DOUBHEAD", {days[step]}) +
                            (step > 0 && !wells.empty() ? well_arrays(step) : "") +
                            layers("PRESSURE", (100.0 + 0.01 * days[step]) / pressure, below / pressure) +
                            constant("SGAS", step == 0 ? initial_gas : later_gas);
        for (const auto& [keyword, value] : brine) {
            bytes +=
                constant(keyword, step == 0 && (keyword.starts_with("RS") || keyword == "PCGW" || keyword == "TEMP")
                                      ? initial_brine
                                      : value);
        }
        return bytes;
    }
    std::string restart() const {
        std::string bytes;
        for (std::size_t step = 0; step < days.size(); ++step) {
            bytes += integers("SEQNUM", {numbers.empty() ? static_cast<int>(step) : numbers[step]}) + state(step);
        }
        return bytes;
    }
    std::string specification() const {
        std::vector<std::string> of_wells;
        for (const std::string& name : names) {
            of_wells.push_back(name.empty() ? ":+:+:+:+" : name);
        }
        return texts("RESTART", {restarts, "", ""}) + texts("KEYWORDS", vectors) + texts("WGNAMES", of_wells) +
               (units.empty() ? "" : texts("UNITS", units)) + integers("STARTDAT", start);
    }
    std::string summary() const {
        std::string bytes;
        for (const auto& step : steps) {
            bytes += reals("PARAMS", step);
        }
        return bytes;
    }
    static void write(const std::filesystem::path& path, const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
    }
    /// Writes the files of the run under the name, those of the summary when it has steps; returns it as text.
    std::string save(const std::filesystem::path& root) const {
        write(root.string() + ".EGRID", grid());
        write(root.string() + ".INIT", initial());
        write(root.string() + ".UNRST", restart());
        if (!steps.empty()) {
            write(root.string() + ".SMSPEC", specification());
            write(root.string() + ".UNSMRY", summary());
        }
        return root.string();
    }
};

}  // namespace plumecast::testing
