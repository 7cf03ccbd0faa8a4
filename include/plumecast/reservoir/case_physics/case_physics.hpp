#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <plumecast/core/log.hpp>
#include <plumecast/reservoir/case_physics/case_failures.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/radial_case_gradient.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// A case of a data set as the reduced physics takes it. Throws InvalidData for a Cartesian grid
/// or an attribute that is no positive number, InvalidInput for a case out of range.
RadialCase radial_case(const Dataset& dataset, std::int64_t which);

/// Names of the fields of the cases of a data set: with hysteresis trapped gas too.
std::vector<std::string> physics_fields_of(const Dataset& dataset);

class CasePhysics;
class SharedRuns;
enum class RunTimes : std::uint8_t;

/// How reduced physics is computed and kept, and who is told.
struct PhysicsOptions {
    int threads = 0;  ///< that compute cases; 0 for all
    /// Of the same settings, of the same cases on the same grid at other times: a case is then computed once for both,
    /// by that physics; not where it shares them with another already. Give it before that computes any; its data set
    /// must outlive this too.
    std::shared_ptr<CasePhysics> same_steps = nullptr;
    /// Of computed cases in memory at most, where no file holds them; one is kept however large, and none for 0.
    std::size_t kept_bytes = 0;
    /// Takes the cases that cannot be computed, whose fields and scalars are NaN then; without it they end the run.
    std::shared_ptr<CaseFailures> failures = nullptr;
    LogSink log;                           ///< what is computed and where it is kept, and warnings; may be empty
    std::function<bool()> stop_requested;  ///< ends store() early; may be empty
    std::function<void(std::int64_t done, std::int64_t all)> progress;  ///< of store(); may be empty
};

/// The reduced physics of the cases of a data set, each computed when it is first asked for, or read from the file
/// beside the data set where an earlier run left it. load() may be called from several threads, but not beside store().
class CasePhysics {
   public:
    using Fields = std::shared_ptr<const PhysicsFields>;

    /// Computes nothing yet. The data set must outlive this. Throws InvalidData for a corner-point grid, InvalidInput
    /// for another version of the physics.
    CasePhysics(const Dataset& dataset, const PhysicsSettings& settings, PhysicsOptions options = {});
    ~CasePhysics();
    CasePhysics(const CasePhysics&) = delete;
    CasePhysics& operator=(const CasePhysics&) = delete;

    const PhysicsSettings& settings() const { return settings_; }
    /// The file beside the data set, one for each number of substeps: `cases.h5` has
    /// `cases.h5.physics-two_phase-2_substeps.h5`. Empty for cases in memory, which have none.
    std::string path() const;

    /// Computes the cases that the file lacks and adds them to it, so that later calls and runs read them. A case
    /// counts as there when its inputs, the grid, the settings and the version of the physics are the same; the file is
    /// replaced whole. Where the folder cannot be written, says so in the log and leaves the cases to load(), to which
    /// it leaves cases in memory too.
    /// False when stop_requested said so; what was computed is kept. Throws what reduced_physics() throws, and
    /// InvalidInput where another file has the name.
    bool store(std::span<const std::int64_t> cases);

    /// Fields and scalars of some cases, in their order. Throws what reduced_physics() throws, naming file and case;
    /// with options.failures only what is wrong with the file as a whole.
    std::vector<Fields> load(std::span<const std::int64_t> cases);
    /// Derivatives by the inputs of a case of the sum of its fields, scalars and series with these cotangents, computed
    /// anew. Fields and series are those at the times of the data set; those of day 0 do not count. Throws what
    /// two_phase_gradient() throws, InvalidInput for another number of cotangents than there are values, and
    /// InvalidData for a Cartesian grid.
    RadialCaseGradient gradient(std::int64_t which, const PhysicsCotangents& cotangents) const;
    /// The same for some cases with cotangents each, on several threads.
    std::vector<RadialCaseGradient> gradients(std::span<const std::int64_t> cases,
                                              std::span<const PhysicsCotangents> cotangents) const;
    /// Lets go of what load() kept.
    void forget();
    /// How many times a case was computed, and not read or taken from memory; 0 where `same_steps` computes them.
    std::int64_t computed() const { return computed_; }
    /// Bytes of the fields of a case.
    std::size_t bytes_per_case() const;

   private:
    class Stored;
    std::string name_of_case(std::int64_t which) const;
    PhysicsFields fields_at(std::int64_t which, const std::vector<double>& times) const;
    PhysicsFields shared_fields(std::int64_t which, RunTimes times) const;
    PhysicsFields computed_fields(std::int64_t which) const;
    bool shares_runs(const CasePhysics& other);
    Fields compute(std::int64_t which);
    Fields compute_or_fail(std::int64_t which);
    Fields without_values() const;
    std::string key_of(std::int64_t which);
    Fields kept_or_stored(std::int64_t which);
    void keep(std::int64_t which, const Fields& fields);
    bool add_to_file(std::span<const std::int64_t> missing, std::int64_t done, std::int64_t all);

    const Dataset* dataset_;
    PhysicsSettings settings_;
    PhysicsOptions options_;
    std::string shared_key_;
    std::shared_ptr<const Stored> stored_;  // nothing where there is no file that fits
    std::shared_ptr<SharedRuns> runs_;      // with the physics of `other_times_`, where there is one
    std::vector<double> other_times_;
    std::mutex mutex_;  // of the three below
    std::vector<std::string> keys_;
    std::vector<Fields> kept_;
    std::size_t kept_bytes_ = 0;
    std::atomic<std::int64_t> computed_ = 0;
};

}  // namespace plumecast
