#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/loss.hpp>
#include <plumecast/training/training_observer.hpp>

#include "inference/inference_plan.hpp"
#include "plan/work.hpp"

namespace plumecast {

/// What one rank of a process grid will hold and send.
struct RankPlan {
    GridShape grid;
    MemoryPlan memory;
    Traffic step;                   ///< sent in one step of training
    Traffic pass;                   ///< sent in one forward pass
    std::vector<OpWork> step_work;  ///< of the ops of a step up to the gradients; Adam follows
    std::vector<OpWork> pass_work;  ///< of the ops of a forward pass
    double largest_share = 1.0;     ///< work of this rank, of the work on a batch by one rank alone
};

/// How the planned computation is done.
struct PlanOptions {
    Route route = Route::automatic;
    Precision precision = Precision::fp32;
    std::vector<std::string> freeze = {};  ///< weights that training leaves as they are
    bool averages = false;                 ///< training keeps a moving average of the weights
    int recompute_blocks = 0;              ///< as a recipe has it
    LossOptions loss = {};
    PlannedDevice device = PlannedDevice::cpu;
    int threads = 0;  ///< of the CPU; 0 for all that the process may use
    SpectralWay spectral = SpectralWay::automatic;
};

/// Plan for the first rank of a grid, which holds the largest shard, found by running it alone, without numbers or
/// messages. `batch` counts the cases of all groups. Throws InvalidInput when the network does not fit the grid.
RankPlan plan_rank(const NetworkDescription& description, const Shape& extents, std::int64_t batch,
                   const GridShape& grid, const PlanOptions& options = {});

/// What a grid is planned for: steps of training, or forward passes.
enum class GridPurpose { training, prediction };

/// All process grids for a number of ranks that can work on batches of cases of `extents`, best first: those that fit
/// `memory` bytes before those that do not, then the least work for the most laden rank, then the least to send in a
/// step or pass, a message counted like 20 kB.
std::vector<RankPlan> plan_grids(const NetworkDescription& description, const Shape& extents, std::int64_t batch,
                                 int ranks, std::size_t memory, GridPurpose purpose = GridPurpose::training,
                                 const PlanOptions& options = {});

}  // namespace plumecast
