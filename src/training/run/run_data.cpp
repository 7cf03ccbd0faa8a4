#include "training/run/run_data.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <plumecast/inference/loss.hpp>
#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/batches/case_lists.hpp"
#include "reservoir/batches/data_kind.hpp"
#include "reservoir/dataset/cases/case_inputs.hpp"
#include "training/rank_plan.hpp"
#include "training/run/augmented_source.hpp"
#include "training/run/case_order.hpp"
#include "training/run/run_physics.hpp"

namespace plumecast {
namespace {

void require_usable(const Dataset& dataset, const FieldNetwork& network) {
    if (!dataset.has_outputs()) {
        throw InvalidData(dataset.path() +
                          ": no /outputs to learn from (the file holds inputs only); give a simulated data set");
    }
    require_kind(dataset, network.description().channels);
    const int axes = network.description().network.space_axes();
    if (dataset.space().rank() != axes) {
        if (dataset.geometry() == Geometry::generic) {
            throw InvalidInput(dataset.path() + ": has " + std::to_string(dataset.space().rank() + 1) +
                               " axes with time (network.modes has " + std::to_string(axes + 1) +
                               " entries); give network.modes, padding and edges an entry for each axis");
        }
        throw InvalidInput(dataset.path() + ": is " + (axes == 2 ? "Cartesian" : "radial") + " (network.modes has " +
                           std::to_string(axes + 1) + " entries, which is for " + (axes == 2 ? "radial" : "Cartesian") +
                           " grids); use data sets of one kind, and as many modes as their axes");
    }
}

std::deque<RunSet> opened(const std::vector<std::string>& files, std::int64_t most, const FieldNetwork& network,
                          const Recipe& recipe) {
    std::deque<RunSet> sets;
    for (const std::string& file : files) {
        Dataset data(file);
        const std::int64_t whole_cases = data.cases();
        data = recipe.rollout.rolls() ? data.windows(recipe.rollout) : std::move(data);
        const std::int64_t windows = data.cases() / whole_cases;
        require_usable(data, network);
        const Shape extents = data.space().append(data.snapshots());
        std::vector<std::int64_t> cases = first_cases(most > 0 ? std::min(most * windows, data.cases()) : data.cases());
        sets.push_back({std::move(data), std::move(cases), RankShard(network, extents, recipe.loss.kind)});
    }
    return sets;
}

/// The paths of all states of a roll-out.
std::set<std::string> sources_of_states(const RolloutOptions& rollout) {
    std::set<std::string> sources;
    for (const RolledState& state : rollout.states) {
        for (const std::string& input : state.inputs) {
            sources.insert("/inputs/" + input);
        }
    }
    return sources;
}

std::int64_t count_of(const RunSet& set) { return static_cast<std::int64_t>(set.cases.size()); }

}  // namespace

std::int64_t cases_of(std::span<const SetCases> batches) {
    std::int64_t cases = 0;
    for (const SetCases& batch : batches) {
        cases += static_cast<std::int64_t>(batch.cases.size());
    }
    return cases;
}

RunData::RunData(const Recipe& recipe, const FieldNetwork& network)
    : recipe_(recipe),
      network_(&network),
      train_(opened(recipe.train_files, recipe.train_cases, network, recipe)),
      validation_(opened(recipe.validation_files, 0, network, recipe)) {
    if (recipe.augment.moves() || recipe.rollout_noise > 0.0) {
        augmentation_ = std::make_shared<Augmentation>(recipe.augment, recipe.seed, recipe.rollout_noise,
                                                       sources_of_states(recipe.rollout));
    }
    for (const RunSet& set : train_) {
        check_augmentation(recipe.augment, set.data, recipe.network.channels, recipe.network.fields);
        distances_.push_back(set.share.inverse_distances(inverse_distances_of(set.data, recipe.loss)));
    }
}

void RunData::require_valid(TrainingObserver& observer) const {
    std::set<std::string> files(recipe_.train_files.begin(), recipe_.train_files.end());
    files.insert(recipe_.validation_files.begin(), recipe_.validation_files.end());
    for (const std::string& file : files) {
        for (const Violation& one : plumecast::require_valid(file)) {
            observer.message(Severity::warning, file + ": " + one.path + ": " + one.problem + "; " + one.remedy);
        }
    }
}

std::int64_t RunData::cases() const {
    std::int64_t all = 0;
    for (const RunSet& set : train_) {
        all += count_of(set);
    }
    return all;
}

std::int64_t RunData::batches() const {
    std::int64_t all = 0;
    for (const RunSet& set : train_) {
        all += (count_of(set) + recipe_.batch_size - 1) / recipe_.batch_size;
    }
    return all;
}

void RunData::prepare_physics(TrainingObserver& observer) {
    stream_.reset();
    learned_.clear();
    for (std::deque<RunSet>* sets : {&train_, &validation_}) {
        for (RunSet& set : *sets) {
            set.physics = run_physics(network_->description(), set.data, set.cases, observer, set.share);
        }
    }
    std::vector<const CaseSet*> sets;
    for (const RunSet& set : train_) {
        sets.push_back(&learned_.emplace_back(set.data, network_->description(), set.physics));
    }
    StreamOptions options{.targets = Targets::read, .compared = recipe_.loss.kind};
    if (augmentation_) {
        options.changed = [augmentation = augmentation_, this](std::unique_ptr<BatchSource> whole, std::size_t set) {
            const NetworkDescription& description = network_->description();
            return augmented_source(std::move(whole), augmentation, description.channels, description.fields,
                                    set == 0 ? "" : ", data set " + std::to_string(set));
        };
    }
    stream_.emplace(*network_, sets, std::move(options));
}

std::vector<SetCases> RunData::epoch(int epoch) const {
    std::vector<SetCases> all;
    std::vector<std::int64_t> places;
    for (std::size_t k = 0; k < train_.size(); ++k) {
        const std::string name = k == 0 ? "" : "data set " + std::to_string(k);
        for (std::vector<std::int64_t>& cases :
             batches_of(shuffled(train_[k].cases, recipe_.seed, epoch, name), recipe_.batch_size)) {
            places.push_back(static_cast<std::int64_t>(all.size()));
            all.push_back({k, std::move(cases)});
        }
    }
    if (train_.size() == 1) {
        return all;
    }
    std::vector<SetCases> mixed;
    for (const std::int64_t place : shuffled(places, recipe_.seed, epoch, "batches")) {
        mixed.push_back(std::move(all[static_cast<std::size_t>(place)]));
    }
    return mixed;
}

CaseStream& RunData::stream(std::span<const SetCases> batches, int epoch) {
    if (augmentation_) {
        stream_->stop();
        augmentation_->epoch = epoch;
    }
    stream_->start_mixed({batches.begin(), batches.end()});
    return *stream_;
}

Evaluation RunData::validate(const std::function<bool()>& stop_requested) const {
    EvaluationOptions options;
    options.batch = recipe_.batch_size;
    options.loss = recipe_.loss;
    options.stop_requested = stop_requested;
    Evaluation all;
    for (const RunSet& set : validation_) {
        options.physics = set.physics;
        Evaluation one = evaluate(*network_, set.data, set.cases, options);
        if (validation_.size() == 1) {
            return one;
        }
        all.cases.insert(all.cases.end(), one.cases.begin(), one.cases.end());
        all.loss += one.loss * static_cast<double>(one.cases.size());
        all.compute_seconds += one.compute_seconds;
        if (all.fields.empty()) {
            all.fields = std::move(one.fields);
            continue;
        }
        for (std::size_t f = 0; f < all.fields.size(); ++f) {
            all.fields[f].errors.add(one.fields[f].errors);
        }
    }
    all.loss /= static_cast<double>(all.cases.size());
    return all;
}

InputRecord RunData::inputs() const {
    InputRecord record;
    std::vector<CaseFeatures> features;
    for (const RunSet& set : train_) {
        for (const std::int64_t which : set.cases) {
            const CaseInputs inputs(set.data, which);
            record.ranges.include(inputs);
            if (set.data.geometry() == Geometry::generic) {
                continue;  // the cloud is of reservoirs
            }
            CaseFeatures one = input_features(inputs);
            if (std::ranges::all_of(one, [](const auto& feature) { return std::isfinite(feature.second); })) {
                features.push_back(std::move(one));  // loading names what is not finite
            }
        }
        record.ranges.include_drawn_from(set.data.attribute("generator"));
    }
    if (!features.empty()) {
        record.cloud = TrainingCloud::of(features);
    }
    return record;
}

MemoryPlan RunData::plan(const ProcessGrid* grid) const {
    const bool is_bfloat16 = network_->backend().field_type() == DType::bfloat16;
    PlanOptions options{.precision = is_bfloat16 ? Precision::bf16 : Precision::fp32,
                        .freeze = recipe_.freeze,
                        .averages = recipe_.average_weights > 0.0,
                        .recompute_blocks = recipe_.recompute_blocks,
                        .loss = recipe_.loss,
                        .threads = network_->backend().host_threads(),
                        .spectral = network_->backend().spectral_way()};
    if (!network_->backend().shares_host_memory()) {
        options.device = PlannedDevice::cuda;
    }
    if (grid != nullptr) {
        options.route = grid->route();
    }
    MemoryPlan most;
    for (const RunSet& set : train_) {
        const MemoryPlan one = plan_rank(recipe_.network, set.extents(), recipe_.batch_size,
                                         grid == nullptr ? GridShape{} : grid->shape(), options)
                                   .memory;
        most = {std::max(most.weights, one.weights), std::max(most.training, one.training),
                std::max(most.inference, one.inference)};
    }
    return most;
}

}  // namespace plumecast
