#include "inference/stream/case_stream.hpp"

#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast {

CaseStream::CaseStream(const FieldNetwork& network, const std::vector<const CaseSet*>& sets, StreamOptions options)
    : network_(&network), options_(std::move(options)) {
    for (const CaseSet* set : sets) {
        members_.push_back(member(*set));
    }
}

CaseStream::Member CaseStream::member(const CaseSet& set) const {
    const NetworkDescription& description = network_->description();
    auto source = set.for_network(description, options_.targets, options_.physics_fields, options_.type);
    if (options_.changed) {
        source = options_.changed(std::move(source), members_.size());
    }
    const Shape extents = source->extents();
    RankShard shard(*network_, extents, options_.compared);
    auto cut = shard.source(std::move(source));
    Member made{&set, std::move(cut), nullptr, extents, std::move(shard), std::nullopt};
    if (set.regrid() == nullptr) {
        return made;
    }
    const bool is_everywhere = options_.fields_on == FieldsOn::each_rank;
    if (is_everywhere && made.shard.space() != nullptr) {
        throw InvalidInput(set.dataset()->path() +
                           ": has another grid or other times than the model (ranks that share the cells of a case "
                           "cannot compare them); let ranks take cases in turn, a process grid Nx1");
    }
    if (is_everywhere || made.shard.is_first()) {
        made.regridded = set.on_case_grid(description, options_.targets, options_.physics_fields);
    }
    if (is_everywhere) {
        made.case_shard.emplace(*network_, made.regridded->extents(), options_.compared);
    }
    return made;
}

Tensor CaseStream::where_wanted(Tensor own, std::int64_t batch, std::size_t set) {
    return options_.fields_on == FieldsOn::first_rank ? shard(set).gathered(std::move(own), batch) : std::move(own);
}

std::vector<std::vector<float>> CaseStream::where_wanted(std::vector<std::vector<float>> own, std::int64_t batch,
                                                         std::size_t set) {
    const Dataset* dataset = members_[set].set->dataset();
    const bool has_limits = dataset != nullptr && dataset->has("bottom_hole_pressure_limit");
    return has_limits && options_.fields_on == FieldsOn::first_rank ? shard(set).gathered(std::move(own), batch)
                                                                    : std::move(own);
}

std::vector<std::int64_t> CaseStream::local_cases(const SetCases& batch) const {
    return members_[batch.set].shard.local_cases({batch.cases}).front();
}

std::vector<std::int64_t> CaseStream::cases_with_fields(const SetCases& batch) const {
    return options_.fields_on == FieldsOn::first_rank ? batch.cases : local_cases(batch);
}

void CaseStream::stop() {
    ahead_.reset();
    regridded_ahead_.reset();
    order_.clear();
}

void CaseStream::start(const std::vector<std::vector<std::int64_t>>& batches) {
    std::vector<SetCases> order;
    for (const std::vector<std::int64_t>& cases : batches) {
        order.push_back({0, cases});
    }
    start_mixed(std::move(order));
}

void CaseStream::start_mixed(std::vector<SetCases> batches) {
    stop();  // a source is read by one at a time
    std::vector<CasesToLoad> own, regridded;
    for (const SetCases& batch : batches) {
        const Member& from = members_[batch.set];
        own.push_back({from.source.get(), local_cases(batch)});
        if (from.regridded) {
            regridded.push_back({from.regridded.get(), cases_with_fields(batch)});
        }
    }
    ahead_ = std::make_unique<Prefetcher>(std::move(own));
    if (!regridded.empty()) {
        regridded_ahead_ = std::make_unique<Prefetcher>(std::move(regridded));
    }
    order_.assign(std::make_move_iterator(batches.begin()), std::make_move_iterator(batches.end()));
}

std::optional<CaseBatch> CaseStream::next() {
    if (order_.empty()) {
        return std::nullopt;
    }
    CaseBatch batch{std::move(order_.front()), *ahead_->next()};
    order_.pop_front();
    if (members_[batch.whole.set].regridded) {
        batch.regridded = regridded_ahead_->next();
    }
    return batch;
}

CaseBatch CaseStream::load(SetCases cases) const {
    const Member& from = members_[cases.set];
    CaseBatch batch{{}, from.source->load(local_cases(cases))};
    if (from.regridded) {
        batch.regridded = from.regridded->load(cases_with_fields(cases));
    }
    batch.whole = std::move(cases);
    return batch;
}

}  // namespace plumecast
