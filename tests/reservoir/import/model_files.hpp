#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "reservoir/eclipse/record_bytes.hpp"

/// Output of a simulator for small made-up models, written down independently of the readers.
namespace plumecast::testing {

/// A run of a model of 3 rings and `rows` layers of 5 m from 1000 m down, with states on days 0, 1 and 10.
struct RadialRun {
    int rows = 2;
    int unit_system = 1;
    std::vector<int> active = {};  ///< of all cells; empty for all of them
    std::vector<double> days = {0.0, 1.0, 10.0};
    double length = 1.0;    ///< metres in a unit of length
    double pressure = 1.0;  ///< bar in a unit of pressure
    bool has_connections = true;
    double wedge = 0.0;  ///< its angle [degree]; an unrolled cylinder for 0
    /// Days of the summary and the gas injected until then [sm3].
    std::vector<std::pair<float, float>> injected = {{1.0F, 1e6F}, {10.0F, 1e7F}};

    int cells() const { return 3 * rows; }
    int active_cells() const {
        int count = active.empty() ? cells() : 0;
        for (const int mark : active) {
            count += mark;
        }
        return count;
    }
    std::vector<int> integer_head() const {
        std::vector<int> head(100, 0);
        head[2] = unit_system;
        head[14] = 5;
        head[16] = has_connections ? 1 : 0;
        head[17] = 2;
        head[32] = 25;
        head[34] = 58;
        return head;
    }
    std::string grid() const {
        std::vector<float> pillars;
        for (const double side : {-std::numbers::pi, std::numbers::pi}) {
            for (const double r : {0.5, 10.0, 40.0, 100.0}) {
                const double angle = side * wedge / 360.0;
                const double x = wedge > 0.0 ? r * std::cos(angle) : r;
                const double y = wedge > 0.0 ? r * std::sin(angle) : side * r;
                for (const double z : {1000.0, 1000.0 + 5.0 * rows}) {
                    for (const double value : {x, y, z}) {
                        pillars.push_back(static_cast<float>(value / length));
                    }
                }
            }
        }
        std::vector<float> depths;
        for (int k = 0; k < rows; ++k) {
            depths.insert(depths.end(), 12, static_cast<float>((1000.0 + 5.0 * k) / length));
            depths.insert(depths.end(), 12, static_cast<float>((1005.0 + 5.0 * k) / length));
        }
        std::vector<int> head(100, 0);
        head[0] = 1;
        head[1] = 3;
        head[2] = 1;
        head[3] = rows;
        return integers("GRIDHEAD", head) + reals("COORD", pillars) + reals("ZCORN", depths) +
               (active.empty() ? "" : integers("ACTNUM", active)) + integers("ENDGRID", {});
    }
    /// `value(n)` for the n-th active cell.
    template <class Value>
    std::string cell_array(const std::string& keyword, Value value) const {
        std::vector<double> values;
        for (int n = 0; n < active_cells(); ++n) {
            values.push_back(value(n));
        }
        return doubles(keyword, values);
    }
    std::string initial() const {
        return integers("INTEHEAD", integer_head()) + cell_array("PORO", [](int n) { return 0.1 + 0.01 * n; }) +
               cell_array("PERMX", [](int n) { return 100.0 + n; }) +
               cell_array("PERMY", [](int n) { return 90.0 + n; }) +
               cell_array("PERMZ", [](int n) { return 10.0 + n; }) + cell_array("NTG", [](int) { return 0.5; });
    }
    /// Wells reach the innermost cell of the upper layer (open) and of the second one (shut).
    std::string wells() const {
        std::vector<int> icon(50, 0);
        const int first[] = {1, 1, 1, 1, 0, 1};
        const int second[] = {2, 1, 1, 2, 0, 0};
        std::copy(first, first + 6, icon.begin());
        std::copy(second, second + 6, icon.begin() + 25);
        std::vector<double> xcon(116, 0.0);
        xcon[2] = -500.0;
        return integers("ICON", icon) + doubles("XCON", xcon);
    }
    std::string state(std::size_t step) const {
        const double day = days[step];
        return doubles("DOUBHEAD", {day}) + (step > 0 && has_connections ? wells() : "") +
               cell_array("PRESSURE", [&](int n) { return (100.0 + n / 3 + day) / pressure; }) +
               cell_array("SGAS", [&](int n) { return step == 0 || n > 0 ? 0.0 : 0.1 * static_cast<double>(step); });
    }
    std::string restart() const {
        std::string bytes;
        for (std::size_t step = 0; step < days.size(); ++step) {
            bytes += integers("SEQNUM", {static_cast<int>(step)}) + integers("INTEHEAD", integer_head()) + state(step);
        }
        return bytes;
    }
    static std::string specification() { return texts("KEYWORDS", {"TIME", "FGIT"}) + texts("UNITS", {"DAYS", "SM3"}); }
    std::string summary() const {
        std::string bytes;
        for (std::size_t step = 0; step < injected.size(); ++step) {
            bytes += integers("MINISTEP", {static_cast<int>(step)}) +
                     reals("PARAMS", {injected[step].first, injected[step].second});
        }
        return bytes;
    }
    static void write(const std::filesystem::path& path, const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
    }
    /// Writes EGRID, INIT, UNRST, SMSPEC and UNSMRY under the name; returns it as text.
    std::string save(const std::filesystem::path& root) const {
        write(root.string() + ".EGRID", grid());
        write(root.string() + ".INIT", initial());
        write(root.string() + ".UNRST", restart());
        write(root.string() + ".SMSPEC", specification());
        write(root.string() + ".UNSMRY", summary());
        return root.string();
    }
};

}  // namespace plumecast::testing
