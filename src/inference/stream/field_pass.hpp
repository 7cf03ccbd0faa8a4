#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/inference/prediction/physical_values.hpp>

#include "inference/guided/closed_balance.hpp"
#include "inference/prediction/latest_plans.hpp"
#include "inference/prediction/prediction_slot.hpp"
#include "inference/stream/case_stream.hpp"

namespace plumecast {

/// What a network says of a batch: normalised fields [B, space..., T, F] of this rank's shard on the model grid, on the
/// host.
struct ComputedBatch {
    CaseBatch batch;
    Tensor values;
    Tensor spread = {};  ///< of several members, as large: how far they are from their mean; else empty
};

/// Fields of some cases on the case grid, [B, space..., T] in physical units, float32 on the host.
struct BatchFields {
    std::vector<std::int64_t> cases;
    std::shared_ptr<const Tensor> active = nullptr;  ///< [B, space...]
    FieldsByName named = {};                         ///< of the network, and the physics that it corrects
    std::map<std::string, std::shared_ptr<Tensor>> physics_fields =
        {};  ///< of the physics, as StreamOptions names them
    /// Of several members, on the model's grid: how far they are from their mean, by field.
    std::map<std::string, std::shared_ptr<const Tensor>> spread = {};

    /// False on ranks other than the first where that one has them all.
    bool are_here() const { return active && !active->empty(); }
};

/// Fields of a batch whose normalised values [B, space..., T, F] of this rank's shard, on the host, are there. The
/// batch stays where it is on the case grid, but for the fields of the physics. All ranks do this together. Throws
/// InvalidInput where ready-made channels do not hold what a field is scaled or limited by.
BatchFields fields_of(CaseStream& stream, CaseBatch& batch, Tensor values, Limits limits, const Tensor& spread = {});

/// The way of the batches of a stream through its network, to fields on the case grid: what the network says or
/// corrects, regridded where that is needed.
class FieldPass {
   public:
    /// The stream must outlive this. With plans of the stream's network that others use too.
    FieldPass(CaseStream& stream, std::shared_ptr<LatestPlans> plans, Limits limits = Limits::apply);
    /// With plans of its own.
    explicit FieldPass(CaseStream& stream);
    FieldPass(const FieldPass&) = delete;
    FieldPass& operator=(const FieldPass&) = delete;

    /// Starts the network on a batch; two at most may be under way, so that results travel while the next are computed.
    /// Throws OutOfMemory, and the batches started before stay.
    void start(CaseBatch batch);
    bool is_under_way() const { return !started_.empty(); }
    /// Waits for the network on the oldest batch that was started.
    ComputedBatch finish();
    /// fields_of() what finish() gave.
    BatchFields fields(ComputedBatch computed) {
        return fields_of(*stream_, computed.batch, std::move(computed.values), limits_, computed.spread);
    }
    /// All three for one batch.
    BatchFields run(CaseBatch batch);
    /// Normalised fields [B, space..., T, F] of a batch on the case grid, in the backend's memory: of this rank's
    /// shard, with the cells beside it that a loss needs. Only where each rank is to have its fields.
    Tensor on_backend(CaseBatch& batch);

   private:
    struct Started {
        PredictionSlot* slot;
        CaseBatch batch;
    };

    CaseStream* stream_;
    Limits limits_;
    FieldPlans plans_;
    std::array<PredictionSlot, 2> slots_;
    std::size_t next_slot_ = 0;
    std::deque<Started> started_;
};

}  // namespace plumecast
