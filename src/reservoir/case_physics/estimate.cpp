#include "reservoir/case_physics/estimate.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <ranges>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/machine/threads.hpp"

namespace plumecast {
namespace {

/// An output of the data set format and the field of the physics that it holds.
struct Output {
    std::string name;
    std::string field;
};

std::vector<Output> outputs_of(PhysicsKind kind) {
    const Output buildup{"pressure_buildup", "physics_pressure_buildup"};
    if (kind == PhysicsKind::single_phase) {
        return {buildup};
    }
    return {{"gas_saturation", "physics_gas_saturation"}, buildup, {"dissolved_co2", "physics_dissolved_co2"}};
}

FileAttributes attributes_of(const PhysicsSettings& settings, const std::string& input) {
    return {{"title", "Fields estimated by the reduced physics"},
            {"source", "plumecast " + std::string(version())},
            {"model", description_of(settings)},
            {"history", "plumecast estimate " + input + ": physics " + std::string(name_of(settings.kind)) +
                            ", substeps " + std::to_string(settings.substeps)}};
}

/// What the file will hold of one case, output by output.
using PackedCase = std::vector<std::vector<std::byte>>;

/// Cases on their way from the threads that compute them to the one that writes them in their order.
class CasesInOrder {
   public:
    /// `ahead` is how many cases may be computed or wait beyond those written.
    CasesInOrder(std::int64_t count, std::int64_t ahead) : count_(count), ahead_(ahead) {}

    /// The next case to compute, after waiting until it may be; nothing when none is left.
    std::optional<std::int64_t> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_over_ || taken_ == count_ || taken_ < written_ + ahead_; });
        return is_over_ || taken_ == count_ ? std::nullopt : std::optional(taken_++);
    }
    void put(std::int64_t which, PackedCase packed) { add(which, {std::move(packed), nullptr}); }
    void fail(std::int64_t which, std::exception_ptr failure) { add(which, {{}, std::move(failure)}); }
    /// The next case to write; throws what computing it threw, so that of several the first is told.
    PackedCase next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return done_.contains(written_); });
        const Done done = std::move(done_.extract(written_).mapped());
        ++written_;
        changed_.notify_all();
        if (done.failure) {
            std::rethrow_exception(done.failure);
        }
        return done.packed;
    }
    /// No further case is handed out.
    void end() {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
        changed_.notify_all();
    }

   private:
    struct Done {
        PackedCase packed;
        std::exception_ptr failure;
    };

    void add(std::int64_t which, Done done) {
        const std::lock_guard lock(mutex_);
        done_.emplace(which, std::move(done));
        changed_.notify_all();
    }

    const std::int64_t count_, ahead_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::int64_t, Done> done_;
    std::int64_t taken_ = 0, written_ = 0;
    bool is_over_ = false;
};

/// Hands out no further case when it goes, so that threads that are joined afterwards end.
class EndOfCases {
   public:
    explicit EndOfCases(CasesInOrder& cases) : cases_(cases) {}
    ~EndOfCases() { cases_.end(); }
    EndOfCases(const EndOfCases&) = delete;
    EndOfCases& operator=(const EndOfCases&) = delete;

   private:
    CasesInOrder& cases_;
};

/// Computes and packs cases of a data set; used by several threads.
class CaseEstimate {
   public:
    CaseEstimate(const Dataset& dataset, const EstimateOptions& options, const FieldsWriter& writer)
        : dataset_(dataset),
          physics_(dataset, options.settings, physics_options(options, failures_)),
          outputs_(outputs_of(options.settings.kind)),
          writer_(writer),
          errors_(options.expected_errors ? static_cast<std::size_t>(dataset.cases()) : 0) {}

    PackedCase of(std::int64_t which) {
        std::vector<float> active(static_cast<std::size_t>(dataset_.cells()));
        dataset_.read_map("active", {&which, 1}, active);
        if (dataset_.scalar("injection_rate")[static_cast<std::size_t>(which)] == 0.0F) {  // nothing moves
            const std::vector<float> zeros(active.size() * static_cast<std::size_t>(dataset_.snapshots()));
            return PackedCase(outputs_.size(), writer_.pack(zeros, active));
        }
        const CasePhysics::Fields physics = physics_.load({&which, 1}).front();
        if (!failures_->has(which)) {
            compare(which, *physics);
        }
        PackedCase packed;
        for (const Output& output : outputs_) {
            packed.push_back(writer_.pack(times_last(physics->fields.at(output.field)), active));
        }
        return packed;
    }

    /// Cases that could not be computed; complete for those handed on.
    const CaseFailures& failures() const { return *failures_; }

    /// To be expected of a case that was handed on; 0 unless that is asked for.
    PhysicsErrors expected_errors(std::int64_t which) const {
        return errors_.empty() ? PhysicsErrors{} : errors_[static_cast<std::size_t>(which)];
    }

   private:
    void compare(std::int64_t which, const PhysicsFields& fields) {
        if (errors_.empty()) {
            return;
        }
        const RadialCase radial = radial_case(dataset_, which);
        const PhysicsSettings& settings = physics_.settings();
        try {
            const FieldChanges changes =
                step_changes(radial, fields, settings, dataset_.path() + ": case " + std::to_string(which));
            errors_[static_cast<std::size_t>(which)] = physics_errors(radial, fields, settings, changes);
        } catch (const InvalidInput&) {  // pressures of other time steps without known properties; the fields stand
            constexpr double unbounded = std::numeric_limits<double>::infinity();
            errors_[static_cast<std::size_t>(which)] = {unbounded, unbounded, unbounded, 0.0};
        }
    }
    static PhysicsOptions physics_options(const EstimateOptions& options,
                                          const std::shared_ptr<CaseFailures>& failures) {
        PhysicsOptions physics;
        physics.failures = failures;
        physics.threads = 1;  // each case by the thread that asks for it
        physics.log = options.log;
        return physics;
    }
    /// [cells, T] of [T, cells].
    std::vector<float> times_last(const std::vector<float>& values) const {
        const auto cells = static_cast<std::size_t>(dataset_.cells());
        const auto times = static_cast<std::size_t>(dataset_.snapshots());
        std::vector<float> turned(values.size());
        for (std::size_t cell = 0; cell < cells; ++cell) {
            for (std::size_t t = 0; t < times; ++t) {
                turned[cell * times + t] = values[t * cells + cell];
            }
        }
        return turned;
    }

    const Dataset& dataset_;
    std::shared_ptr<CaseFailures> failures_ = std::make_shared<CaseFailures>();
    CasePhysics physics_;
    std::vector<Output> outputs_;
    const FieldsWriter& writer_;
    std::vector<PhysicsErrors> errors_;  // each written by the thread that computes the case
};

void compute(CaseEstimate& estimate, CasesInOrder& cases) {
    while (const auto which = cases.take()) {
        try {
            cases.put(*which, estimate.of(*which));
        } catch (...) {
            cases.fail(*which, std::current_exception());
        }
    }
}

std::int64_t thread_count(int wanted, std::int64_t cases) {
    const std::int64_t all = std::max(std::thread::hardware_concurrency(), 1U);
    return std::min(wanted > 0 ? std::int64_t{wanted} : all, cases);
}

void tell_skipped(const CaseFailures& failures, std::int64_t which, const EstimateOptions& options) {
    if (options.skipped && failures.has(which)) {
        options.skipped(which, failures.all().at(which));
    }
}

}  // namespace

std::string description_of(const PhysicsSettings& settings) {
    return std::string("reduced physics, ") + (settings.kind == PhysicsKind::two_phase ? "two phases" : "one phase") +
           ", " + std::to_string(settings.substeps) + (settings.substeps == 1 ? " substep" : " substeps") +
           ", version " + std::to_string(settings.version);
}

bool estimate(const std::string& input, const std::string& output, const EstimateOptions& options) {
    const Dataset dataset(input);
    require_valid_inputs(input);
    radial_case(dataset, 0);  // a file that cannot be taken is refused before a result is begun
    std::vector<std::string> names;
    for (const Output& one : outputs_of(options.settings.kind)) {
        names.push_back(one.name);
    }
    FieldsWriter writer(output, input, names, attributes_of(options.settings, input));
    CaseEstimate estimate(dataset, options, writer);
    const std::int64_t threads = thread_count(options.threads, dataset.cases());
    CasesInOrder cases(dataset.cases(), 2 * threads);
    std::vector<std::jthread> workers;
    const EndOfCases end(cases);  // goes before the threads are joined
    workers = start_workers(static_cast<std::size_t>(threads), [&] { compute(estimate, cases); });
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        const PackedCase packed = cases.next();
        if (options.stop_requested && options.stop_requested()) {
            return false;
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            writer.store(names[i], which, packed[i]);
        }
        if (options.expected_errors) {
            options.expected_errors(which, estimate.expected_errors(which));
        }
        tell_skipped(estimate.failures(), which, options);
        if (options.progress) {
            options.progress(which + 1, dataset.cases());
        }
    }
    const std::map<std::int64_t, std::string> failed = estimate.failures().all();
    if (static_cast<std::int64_t>(failed.size()) == dataset.cases()) {
        throw NotConverged(fmt::format("{}: none of the cases can be computed (the first one: {}); nothing was written",
                                       input, failed.begin()->second));
    }
    const std::string skipped = fmt::format("{}", fmt::join(failed | std::views::keys, ", "));
    if (!failed.empty()) {
        writer.set_attribute("skipped_cases", skipped);
    }
    if (options.before_commit) {
        options.before_commit(writer);
    }
    writer.commit();
    if (options.strict && !failed.empty()) {
        throw NotConverged(
            fmt::format("{}: cases {} could not be computed (strict makes that an error; {} is written, "
                        "whole); the first one: {}",
                        input, skipped, output, failed.begin()->second));
    }
    return true;
}

}  // namespace plumecast
