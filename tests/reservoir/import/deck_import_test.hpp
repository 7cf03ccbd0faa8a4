#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>
#include <plumecast/reservoir/import/import.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/import/box_model_files.hpp"

namespace plumecast::testing {

/// What decks and runs say beside their arrays: applied, refused, or noted.
class DeckImportTest : public TemporaryFolder {
   protected:
    DeckImportTest() {
        options_.output = (folder_ / "data.h5").string();
        const Json well = Json::Object{{"i", 1}, {"j", 1}, {"rate", 0.5}};
        options_.set = Json::Object{{"injection_rate", 0.5},
                                    {"temperature", 60.0},
                                    {"initial_pressure", 100.0},
                                    {"times", Json::Array{365.0}},
                                    {"wells", Json::Array{well}}};
    }
    Dataset import(const std::string& source) {
        options_.sources = {source};
        report_ = import_models(options_);
        EXPECT_THAT(errors_of(options_.output), ::testing::IsEmpty());
        return Dataset(options_.output);
    }
    Dataset text(const std::string& deck) {
        write(folder_ / "MODEL.GRDECL", deck);
        return import((folder_ / "MODEL.GRDECL").string());
    }
    std::string error_of(const std::string& source) {
        options_.sources = {source};
        try {
            import_models(options_);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
    std::string error_of_text(const std::string& deck) {
        write(folder_ / "MODEL.GRDECL", deck);
        return error_of((folder_ / "MODEL.GRDECL").string());
    }
    static std::vector<std::string> errors_of(const std::string& path) {
        std::vector<std::string> found;
        for (const Violation& one : validate(path)) {
            if (one.is_error) {
                found.push_back(one.path + ": " + one.problem);
            }
        }
        return found;
    }
    static std::vector<float> map(const Dataset& dataset, const char* name) {
        std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
        const std::int64_t which = 0;
        dataset.read_map(name, {&which, 1}, values);
        return values;
    }
    std::vector<std::string> notes() const {
        std::vector<std::string> lines;
        for (const DataNote& note : data_notes(options_.output)) {
            lines.push_back(note.line());
        }
        return lines;
    }
    static int count_active(const Dataset& dataset) {
        const std::vector<float> active = map(dataset, "active");
        return static_cast<int>(std::count(active.begin(), active.end(), 1.0F));
    }

    ImportOptions options_;
    ImportReport report_;
};

}  // namespace plumecast::testing
