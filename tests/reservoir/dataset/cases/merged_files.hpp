#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/h5/file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {

/// Files of cases that differ, to be merged.
class MergedFiles : public ::testing::Test {
   protected:
    /// The three sample cases at other rates, with what `add` writes.
    std::string with(const std::string& name, float rate, const std::function<void(h5::File&)>& add = {}) {
        DatasetContent content = sample_content();
        for (float& value : content.arrays["injection_rate"]) {
            value = rate += 0.01F;
        }
        write_dataset(folder_.file("plain.h5"), content);
        const h5::File source = h5::File::open(folder_.file("plain.h5"));
        h5::File file = h5::File::create(folder_.file(name));
        file.copy_attributes(source, "/", {});
        for (const std::string& array : source.arrays()) {
            file.copy_array(source, array);
            file.copy_attributes(source, array, {});
        }
        if (add) {
            add(file);
        }
        file.close();
        return folder_.file(name);
    }
    CaseReport merged(const std::vector<std::string>& sources) {
        MergeOptions options;
        options.sources = sources;
        options.output = folder_.file("merged.h5");
        return merge_datasets(options);
    }
    std::string refusal(const std::vector<std::string>& sources) {
        try {
            merged(sources);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }
    ScratchFolder folder_;
};

}  // namespace plumecast::testing
