#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/record_file.hpp"
#include "reservoir/simulation/flow_process.hpp"

namespace plumecast::testing {

/// A folder in which OPM Flow runs decks.
class SimulatorFolder : public TemporaryFolder {
   protected:
    /// Runs OPM Flow on a case with so many active cells, whatever deck_text() takes; false where it is not installed.
    template <class Case>
    bool simulates(const Case& one, const std::vector<double>& times, std::size_t cells) {
        std::string program;
        try {
            program = find_program("flow");
        } catch (const InvalidInput&) {
            return false;
        }
        const FlowRelease release = flow_release(program, folder_);
        write(folder_ / "CASE.DATA", deck_text(one, times, release.brine));
        EXPECT_EQ(run_flow(program, folder_, flow_arguments(cells, release, 0.0), 300.0, [] { return false; }),
                  FlowOutcome::finished)
            << read(folder_ / "flow.log");
        return true;
    }
    /// Arrays of the run whose names begin so.
    std::map<std::string, std::vector<double>> arrays(const std::string& file_name, const std::string& prefix) const {
        std::map<std::string, std::vector<double>> found;
        eclipse::RecordFile file(folder_ / file_name);
        while (const auto record = file.next()) {
            if (record->keyword.starts_with(prefix)) {
                found[record->keyword] = file.numbers(*record);
            }
        }
        return found;
    }
    /// Transmissibilities of the run by pairs of cells that are no neighbours by their indices, counted from 0.
    std::map<std::pair<std::size_t, std::size_t>, double> connections_apart() const {
        std::map<std::pair<std::size_t, std::size_t>, double> apart;
        const auto pairs = arrays("CASE.EGRID", "NNC"), values = arrays("CASE.INIT", "TRANNNC");
        for (std::size_t i = 0; i < values.at("TRANNNC").size(); ++i) {
            const auto pair = std::minmax({pairs.at("NNC1")[i], pairs.at("NNC2")[i]});
            apart[{static_cast<std::size_t>(pair.first) - 1, static_cast<std::size_t>(pair.second) - 1}] =
                values.at("TRANNNC")[i];
        }
        return apart;
    }
};

}  // namespace plumecast::testing
