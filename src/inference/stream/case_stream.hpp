#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/inference/field_network.hpp>

#include "inference/rank_shard.hpp"
#include "inference/stream/case_set.hpp"
#include "reservoir/batches/prefetcher.hpp"

namespace plumecast {

/// Cases of one of the sets of a stream that are computed together.
struct SetCases {
    std::size_t set = 0;
    std::vector<std::int64_t> cases;
};

/// What a rank gets of a batch.
struct CaseBatch {
    SetCases whole;       ///< the cases of all ranks
    Batch on_model_grid;  ///< for the network: this rank's shard
    /// The cases that the fields of regridded ones belong to; empty where the grids are one.
    std::optional<Batch> regridded = std::nullopt;

    /// What the fields belong to.
    Batch& on_case_grid() { return regridded ? *regridded : on_model_grid; }
    std::int64_t count() const { return static_cast<std::int64_t>(whole.cases.size()); }
};

/// Where fields are wanted: all on the first rank, or those of its shard on each.
enum class FieldsOn { first_rank, each_rank };

/// What a stream brings of each case, besides the inputs of the network.
struct StreamOptions {
    Targets targets = Targets::skip;
    std::vector<std::string> physics_fields = {};  ///< fields of the physics, as Batch says
    DType type = DType::float32;                   ///< of what the network computes with
    FieldsOn fields_on = FieldsOn::each_rank;
    LossKind compared = LossKind::relative_l2;  ///< targets are brought for
    /// What becomes of the whole cases of a set, by its place; nothing where they stay as they are.
    std::function<std::unique_ptr<BatchSource>(std::unique_ptr<BatchSource> whole, std::size_t set)> changed = nullptr;
};

/// Cases as one network takes them, batch after batch, from one or several sets: the one place where data set, physics,
/// channels, model grid, shard of the rank and prefetch come together. One rank alone is no special case.
class CaseStream {
   public:
    /// Network and sets must outlive this. Throws what dataset_source() and RankShard throw, and InvalidInput for
    /// regridded cases on ranks that share the cells of a case, where each is to have its fields.
    CaseStream(const FieldNetwork& network, const CaseSet& set, StreamOptions options = {})
        : CaseStream(network, std::vector{&set}, std::move(options)) {}
    CaseStream(const FieldNetwork& network, const std::vector<const CaseSet*>& sets, StreamOptions options = {});

    const FieldNetwork& network() const { return *network_; }
    /// [space..., T] of a case on the model grid.
    const Shape& extents(std::size_t set = 0) const { return members_[set].extents; }
    /// nullptr where the cases of a set are not regridded.
    const Regrid* regrid(std::size_t set = 0) const { return members_[set].set->regrid(); }
    /// What this rank computes of a set.
    RankShard& shard(std::size_t set = 0) { return members_[set].shard; }
    /// What this rank has of fields on the case grid.
    const RankShard& case_shard(std::size_t set = 0) const {
        return members_[set].case_shard ? *members_[set].case_shard : members_[set].shard;
    }
    /// Those cases of a batch whose fields are wanted on this rank, if any are.
    std::vector<std::int64_t> cases_with_fields(const SetCases& batch) const;
    /// Values of this rank's shard of `batch` cases, [B, space...] on the model grid, float32 on the host: as they are
    /// or, where all are wanted on the first rank, the whole there and nothing elsewhere. All ranks do this together.
    Tensor where_wanted(Tensor own, std::int64_t batch, std::size_t set);
    /// The same of what is injected into each case, as Batch::injected, where wells of the set have limits.
    std::vector<std::vector<float>> where_wanted(std::vector<std::vector<float>> own, std::int64_t batch,
                                                 std::size_t set);

    /// Prefetches batches of the first set, in this order, for next(); what an earlier call left goes.
    void start(const std::vector<std::vector<std::int64_t>>& batches);
    /// The same with batches of several sets.
    void start_mixed(std::vector<SetCases> batches);
    /// Ends the prefetch.
    void stop();
    /// The next batch, waiting for it; nothing after the last one. Throws what loading it threw.
    std::optional<CaseBatch> next();
    /// A batch out of turn. Not between start() and the last batch.
    CaseBatch load(SetCases cases) const;

   private:
    struct Member {
        const CaseSet* set;
        std::unique_ptr<BatchSource> source;     // on the model grid, cut to the shard
        std::unique_ptr<BatchSource> regridded;  // on the case grid; nullptr where it is the same or not wanted here
        Shape extents;
        RankShard shard;
        std::optional<RankShard> case_shard;
    };

    Member member(const CaseSet& set) const;
    std::vector<std::int64_t> local_cases(const SetCases& batch) const;

    const FieldNetwork* network_;
    StreamOptions options_;
    std::vector<Member> members_;
    std::deque<SetCases> order_;
    std::unique_ptr<Prefetcher> ahead_, regridded_ahead_;
};

}  // namespace plumecast
