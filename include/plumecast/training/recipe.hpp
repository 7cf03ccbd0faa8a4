#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/inference/field_network.hpp>
#include <plumecast/inference/loss.hpp>
#include <plumecast/reservoir/dataset/rollout.hpp>
#include <plumecast/training/optimizer.hpp>

namespace plumecast {

/// How the learning rate changes over the epochs.
struct ScheduleOptions {
    enum class Kind { constant, step, cosine, plateau };
    Kind kind = Kind::step;
    double learning_rate = 1e-3;  ///< at the start
    double minimum = 1e-6;        ///< never below
    double factor = 0.9;          ///< step, plateau: multiplies the rate
    int every = 2;                ///< step: epochs between two changes
    int patience = 5;             ///< plateau: epochs without improvement before a change
    int warmup_steps = 0;         ///< the rate rises linearly over the first steps

    friend bool operator==(const ScheduleOptions&, const ScheduleOptions&) = default;
};

/// Learning rate over a run; `plateau` remembers the best validation loss. Its state is saved with a checkpoint.
class Schedule {
   public:
    /// `epochs` and `steps_per_epoch` fix the length of a cosine. Throws Error for less than one step.
    Schedule(const ScheduleOptions& options, int epochs, std::int64_t steps_per_epoch);

    /// Rate of a step counted from 0 over the whole run.
    double rate(std::int64_t step) const;
    /// Tells the validation loss (or training loss without validation) at the end of an epoch.
    void epoch_ended(double loss);

    /// What epoch_ended() has changed; restore() brings it back to the last bit.
    Json state() const;
    /// Throws InvalidInput for a state that is not one of a schedule.
    void restore(const Json& state, const std::string& origin);

   private:
    template <class Visitor, class OneSchedule>
    static void visit_state(Visitor& v, OneSchedule& schedule);

    ScheduleOptions options_;
    int epochs_;
    std::int64_t steps_per_epoch_;
    double plateau_factor_ = 1.0;
    std::optional<double> best_;
    int waited_ = 0;
};

/// How cases are moved in space before a network learns from them, each case in each epoch by chance. Coordinates stay
/// where they are, all else goes along.
struct AugmentOptions {
    std::vector<std::string> flip = {};  ///< axes of space that are turned round or not: "x", "y", "z"
    bool rotate = false;                 ///< quarter turns in the plane of y and x, which then have the same points
    /// Inputs and outputs of generic data that change their sign where an axis is turned round: the component of a
    /// vector along it, a vorticity in its plane.
    std::vector<std::string> odd_in_x = {}, odd_in_y = {}, odd_in_z = {};

    bool moves() const { return rotate || !flip.empty(); }

    friend bool operator==(const AugmentOptions&, const AugmentOptions&) = default;
};

/// When a run ends before its last epoch.
struct EarlyStopping {
    int patience = 0;        ///< epochs without improvement of the validation loss; 0 never stops early
    double min_delta = 0.0;  ///< smaller changes are no improvement

    friend bool operator==(const EarlyStopping&, const EarlyStopping&) = default;
};

/// "fp32", "tf32", "bf16".
std::string name_of(Precision precision);
/// The converse. Throws InvalidInput for another word, which came as `entry`.
Precision precision_named(const std::string& name, const std::string& entry);

/// Everything that determines a training run; the content of CONFIG.json.
struct Recipe {
    std::vector<std::string> train_files;       ///< data sets with outputs; every batch is of one of them
    std::vector<std::string> validation_files;  ///< may be empty: then no validation, plateau or early stopping
    std::int64_t train_cases = 0;               ///< use only the first cases of each data set; 0 for all
    std::string output;                         ///< folder of the run
    std::string weights;                        ///< bundle to start from; empty to start from the seed
    std::vector<std::string> freeze;            ///< names of weights, or of what they lie in, that stay as they are
    NetworkDescription network;
    LossOptions loss;
    AugmentOptions augment;
    RolloutOptions rollout;
    /// Deviation of the normal noise that each epoch adds to the normalised states of a roll-out.
    double rollout_noise = 0.0;
    ScheduleOptions schedule;
    OptimizerOptions optimizer;
    EarlyStopping early_stopping;
    int epochs = 100;
    int batch_size = 4;
    int accumulate = 1;            ///< batches whose gradients go into one step
    int recompute_blocks = 0;      ///< of so many blocks the input alone is kept for the gradients; 0 keeps all
    double average_weights = 0.0;  ///< decay of the moving average of the weights; 0 for none
    std::uint64_t seed = 0;
    int threads = 0;  ///< 0 for all
    /// Of fields and products; a checkpoint holds float32 weights and can be continued in any other.
    Precision precision = Precision::fp32;
    double checkpoint_minutes = 10.0;  ///< between two checkpoints within an epoch; one is written after each epoch
    /// Networks, each trained by itself from the next seed, whose mean is the model.
    std::int64_t members = 1;

    /// The defaults of an architecture: published network and schedule, default channels, gas saturation.
    static Recipe defaults(const std::string& architecture);
    /// The like for Cartesian grids, [Z, Y, X]; no derivative in the loss.
    static Recipe defaults_3d(const std::string& architecture);
    /// Reads a recipe strictly; what is left out keeps its default, except that data and output stay empty. Relative
    /// paths count from `folder`. Throws InvalidInput with the dotted path of the first wrong or unknown entry.
    static Recipe from_json(const Json& json, const std::string& origin, const std::string& folder);
    /// Reads CONFIG.json. Throws IoError or InvalidInput.
    static Recipe from_file(const std::string& path);
    /// All entries, channels and fields written out.
    Json to_json() const;
    /// The same recipe with its relative paths counted from `folder`, as a file in that folder has to state them.
    Recipe seen_from(const std::string& folder) const;
    /// Sets one entry by its dotted path, as `--set schedule.learning_rate=3e-4`; what is not JSON is text. Another
    /// architecture brings its published number of blocks; paths are taken as they are. Throws InvalidInput for an
    /// entry that does not exist (naming the nearest) or a value of the wrong kind.
    void set(const std::string& assignment);
    /// Throws InvalidInput naming the first entry outside its range, and for a run without data or output.
    void check() const;

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// A recipe without the entries that may change between two parts of a run: how long it is, and how it computes.
Json lasting_part(Json recipe);

/// A recipe as a run recorded it, of whichever release: where it states no version of its physics, there was only the
/// first, and where it states no members, there was one.
Json as_recorded(Json recipe);

}  // namespace plumecast
