#pragma once

#include <string>
#include <vector>

#include "reservoir/eclipse/record_bytes.hpp"
#include "reservoir/import/model_files.hpp"

/// A box of 4 x 3 x 2 cells of 100 m x 100 m x 10 m from 1000 m down, written down independently of the readers.
namespace plumecast::testing {

constexpr int box_cells = 24;

/// The grid as text of a deck.
inline std::string box_grid_text() {
    std::string text = "SPECGRID\n 4 3 2 1 F /\nCOORD\n";
    for (int y = 0; y <= 300; y += 100) {
        for (int x = 0; x <= 400; x += 100) {
            const std::string place = " " + std::to_string(x) + " " + std::to_string(y);
            text += place + " 1000" + place + " 1020\n";
        }
    }
    return text + "/\nZCORN\n 48*1000 48*1010 48*1010 48*1020 /\n";
}

inline std::string box_rock_text() { return "PORO\n 24*0.2 /\nPERMX\n 24*100 /\nPERMY\n 24*100 /\nPERMZ\n 24*10 /\n"; }

/// A run on that box with states on days 0 and 365; it injects into cells (1, 1, 1) and (1, 1, 2).
struct BoxRun {
    std::vector<int> active = std::vector<int>(box_cells, 1);  ///< ACTNUM
    int stored = box_cells;                                    ///< values of an array
    std::vector<float> pore_volumes = std::vector<float>(box_cells, 20000.0F);
    std::string of_grid = {};      ///< further arrays of the grid file, before ENDGRID
    std::string behind_grid = {};  ///< further arrays behind the main grid
    std::string of_initial = {};   ///< further arrays of the INIT file
    std::string of_state = {};     ///< further arrays of each state
    std::vector<float> depths = box_depths();

    static std::vector<float> box_depths() {
        std::vector<float> depths;
        for (const float depth : {1000.0F, 1010.0F, 1010.0F, 1020.0F}) {
            depths.insert(depths.end(), 48, depth);
        }
        return depths;
    }
    static std::vector<int> head() {
        std::vector<int> head(100, 0);
        head[2] = 1;
        head[14] = 7;
        head[16] = 1;
        head[17] = 2;
        head[32] = 25;
        head[34] = 58;
        return head;
    }
    std::string grid() const {
        std::vector<float> pillars;
        for (int y = 0; y <= 3; ++y) {
            for (int x = 0; x <= 4; ++x) {
                for (const float z : {1000.0F, 1020.0F}) {
                    pillars.insert(pillars.end(), {100.0F * static_cast<float>(x), 100.0F * static_cast<float>(y), z});
                }
            }
        }
        std::vector<int> grid_head(100, 0);
        grid_head[0] = 1;
        grid_head[1] = 4;
        grid_head[2] = 3;
        grid_head[3] = 2;
        return of_grid + integers("GRIDHEAD", grid_head) + reals("COORD", pillars) + reals("ZCORN", depths) +
               integers("ACTNUM", active) + integers("ENDGRID", {}) + behind_grid;
    }
    std::string cell_array(const std::string& keyword, double value) const {
        return doubles(keyword, std::vector<double>(static_cast<std::size_t>(stored), value));
    }
    std::string initial() const {
        return integers("INTEHEAD", head()) + (pore_volumes.empty() ? "" : reals("PORV", pore_volumes)) +
               cell_array("PORO", 0.2) + cell_array("PERMX", 100.0) + cell_array("PERMY", 100.0) +
               cell_array("PERMZ", 10.0) + of_initial;
    }
    static std::string wells() {
        std::vector<int> icon(50, 0);
        const int first[] = {1, 1, 1, 1, 0, 1};
        const int second[] = {2, 1, 1, 2, 0, 1};
        std::copy(first, first + 6, icon.begin());
        std::copy(second, second + 6, icon.begin() + 25);
        std::vector<double> xcon(116, 0.0);
        xcon[2] = -500.0;
        xcon[60] = -500.0;
        return integers("ICON", icon) + doubles("XCON", xcon);
    }
    std::string restart() const {
        std::string bytes;
        for (const double day : {0.0, 365.0}) {
            bytes += integers("SEQNUM", {day > 0.0 ? 1 : 0}) + integers("INTEHEAD", head()) +
                     doubles("DOUBHEAD", {day}) + (day > 0.0 ? wells() : "") +
                     cell_array("PRESSURE", 100.0 + day / 100.0) + cell_array("SGAS", day > 0.0 ? 0.1 : 0.0) + of_state;
        }
        return bytes;
    }
    /// Writes EGRID, INIT, UNRST, SMSPEC and UNSMRY under the name; returns it as text.
    std::string save(const std::filesystem::path& root) const {
        RadialRun::write(root.string() + ".EGRID", grid());
        RadialRun::write(root.string() + ".INIT", initial());
        RadialRun::write(root.string() + ".UNRST", restart());
        RadialRun::write(root.string() + ".SMSPEC", RadialRun::specification());
        RadialRun::write(root.string() + ".UNSMRY", integers("MINISTEP", {0}) + reals("PARAMS", {365.0F, 1e8F}));
        return root.string();
    }
};

}  // namespace plumecast::testing
