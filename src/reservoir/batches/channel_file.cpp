#include <algorithm>
#include <cmath>
#include <limits>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>

#include "reservoir/dataset/channel_layout.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

std::vector<std::string> default_names(std::int64_t count) {
    std::vector<std::string> names;
    const std::vector<Channel> published = published_channels();
    for (std::int64_t i = 0; i < count; ++i) {
        const bool is_published = count == static_cast<std::int64_t>(published.size());
        names.push_back(is_published ? published[static_cast<std::size_t>(i)].name : "channel_" + std::to_string(i));
    }
    return names;
}

class ChannelFileSource : public BatchSource {
   public:
    explicit ChannelFileSource(const std::string& path);

    std::int64_t cases() const override { return shape_[0]; }
    Shape extents() const override { return shape_.slice(1, shape_.rank() - 1); }
    std::vector<std::string> channels() const override { return names_; }
    Batch load(std::span<const std::int64_t> cases) const override;

   private:
    h5::File file_;
    Shape shape_;
    std::vector<std::string> names_;
    std::size_t mask_channel_ = 0;
};

ChannelFileSource::ChannelFileSource(const std::string& path)
    : file_(h5::File::open(path)), shape_(channel_shape(path)) {
    names_ = file_.texts(channels_path, "names");
    if (names_.empty()) {
        names_ = default_names(shape_[-1]);
    }
    if (static_cast<std::int64_t>(names_.size()) != shape_[-1]) {
        throw InvalidData(path + ": /channels has " + std::to_string(shape_[-1]) +
                          " channels but its attribute names " + std::to_string(names_.size()) +
                          " (they go by name); name every channel once");
    }
    const auto mask = std::find(names_.begin(), names_.end(), "permeability_r");
    mask_channel_ = mask == names_.end() ? 0 : static_cast<std::size_t>(mask - names_.begin());
}

Batch ChannelFileSource::load(std::span<const std::int64_t> cases) const {
    Batch batch;
    batch.cases.assign(cases.begin(), cases.end());
    const auto count = static_cast<std::int64_t>(cases.size());
    Tensor values(host_memory(), shape_.with(0, count), DType::float32);
    batch.active = Tensor(host_memory(), shape_.slice(0, shape_.rank() - 2).with(0, count), DType::float32);
    const auto out = values.values<float>();
    const auto per_case = static_cast<std::size_t>(shape_.count(1, shape_.rank()));
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (cases[i] < 0 || cases[i] >= shape_[0]) {
            throw InvalidInput(file_.path() + ": no case " + std::to_string(cases[i]) + " (the file has cases 0 to " +
                               std::to_string(shape_[0] - 1) + "); choose one of them");
        }
        const auto one = out.subspan(i * per_case, per_case);
        file_.read_rows<float>(channels_path, cases[i], 1, one);
        const auto bad = std::find_if(one.begin(), one.end(), [](float value) { return !std::isfinite(value); });
        if (bad != one.end()) {
            throw InvalidData(file_.path() + ": /channels of case " + std::to_string(cases[i]) + " is not finite at " +
                              "offset " + std::to_string(bad - one.begin()) + " (channel " +
                              names_[static_cast<std::size_t>(bad - one.begin()) % names_.size()] +
                              "); correct the value");
        }
    }
    const auto cell = static_cast<std::size_t>(shape_.count(shape_.rank() - 2, shape_.rank()));
    const auto active = batch.active.values<float>();
    for (std::size_t i = 0; i < active.size(); ++i) {
        active[i] = out[i * cell + mask_channel_] != 0.0F ? 1.0F : 0.0F;
    }
    batch.inputs.push_back({names_, std::move(values)});
    return batch;
}

}  // namespace

std::unique_ptr<BatchSource> channel_file_source(const std::string& path) {
    return std::make_unique<ChannelFileSource>(path);
}

}  // namespace plumecast
