#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/rollout.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {

/// Windows of the times of generic data as cases of their own, first those of the first case. A window has the times
/// of the first one, what varies in time as it is in the window, and as states the outputs right before it: those of
/// the data, or of a roll-out that has come so far.
class WindowStore : public DatasetStore {
   public:
    /// `starts` are the first times of the windows; `rolled` is nullptr for the outputs of the data, and must outlive
    /// this. Throws InvalidData for states or times that the data do not have, or that do not fit.
    WindowStore(std::shared_ptr<const DatasetStore> whole, const RolloutOptions& rollout,
                std::vector<std::int64_t> starts, const RolledOutputs* rolled);

    const std::string& name() const override { return whole_->name(); }
    bool is_file() const override { return whole_->is_file(); }
    bool has(const std::string& array) const override { return whole_->has(array); }
    std::string link_problem(const std::string& array) const override { return whole_->link_problem(array); }
    std::vector<std::string> arrays() const override { return whole_->arrays(); }
    StoredArray info(const std::string& array) const override;
    void read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                   std::span<float> out) const override;
    void read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                   std::span<double> out) const override;
    std::optional<std::string> text(const std::string& object, const std::string& attribute) const override {
        return whole_->text(object, attribute);
    }
    std::optional<std::int64_t> integer(const std::string& object, const std::string& attribute) const override {
        return whole_->integer(object, attribute);
    }
    std::vector<double> numbers(const std::string& object, const std::string& attribute) const override {
        return whole_->numbers(object, attribute);
    }
    std::vector<std::string> attributes() const override { return whole_->attributes(); }

   private:
    /// An input that is a state: of which output, and how many times before the window.
    struct State {
        const RolledState* of;
        std::int64_t before;
    };

    void require_state(const RolledState& state) const;
    const ArraySpec& spec_of(const std::string& array) const;
    template <class T>
    void read_windows(const std::string& array, std::int64_t begin, std::int64_t count, std::span<T> out) const;
    template <class T>
    void read_state(const State& state, std::int64_t which, std::int64_t start, std::span<T> out) const;

    std::shared_ptr<const DatasetStore> whole_;
    RolloutOptions rollout_;
    std::vector<std::int64_t> starts_;
    const RolledOutputs* rolled_;
    std::vector<ArraySpec> specs_;
    std::int64_t times_ = 0;
    std::map<std::string, State> states_;  // by the path of the input
};

}  // namespace plumecast
