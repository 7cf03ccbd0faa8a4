#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/import/import.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/import/well_run.hpp"

namespace plumecast::testing {

/// Imports made-up runs with wells.
class RunImportTest : public TemporaryFolder {
   protected:
    static constexpr double co2_density = 1.87;  // [kg/sm3]

    RunImportTest() {
        options_.output = (folder_ / "data.h5").string();
        options_.set = Json::Object{{"surface_density", co2_density}, {"temperature", 60.0}};
    }
    /// Imports the run; what was noted is in `notes_`.
    Dataset import(const WellRun& run, const std::string& name = "RUN") {
        return import_files(run.save(folder_ / name));
    }
    Dataset import_files(const std::string& root) {
        options_.sources = {root};
        notes_ = import_models(options_).assumptions;
        return Dataset(options_.output);
    }
    /// What the data set keeps of its run.
    std::vector<std::string> kept_notes() const {
        std::vector<std::string> lines;
        for (const DataNote& note : data_notes(options_.output)) {
            lines.push_back(note.line());
        }
        return lines;
    }
    std::string error_of(const WellRun& run, const std::string& name = "RUN") {
        try {
            import(run, name);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }
    static std::vector<float> map(const Dataset& dataset, const char* name) {
        const std::int64_t which = 0;
        std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
        dataset.read_map(name, {&which, 1}, values);
        return values;
    }
    /// Rate of the column of a well [Mt/year].
    static double rate(const Dataset& dataset, int i, int j) {
        const std::vector<float> rates = map(dataset, "cell_injection_rate");
        const auto column = static_cast<std::size_t>((j - 1) * 4 + i - 1);
        return rates[column] + rates[column + 12];
    }
    std::string bytes() const { return read(options_.output); }

    ImportOptions options_;
    std::vector<std::string> notes_;
};

}  // namespace plumecast::testing
