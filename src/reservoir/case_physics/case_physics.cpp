#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/machine/in_parallel.hpp"
#include "io/hash.hpp"
#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/case_physics/physics_file.hpp"
#include "reservoir/case_physics/physics_key.hpp"
#include "reservoir/case_physics/shared_runs.hpp"
#include "reservoir/case_physics/shared_times.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/connections/box_physics.hpp"
#include "reservoir/physics/two_phase/two_phase_gradient.hpp"

namespace plumecast {
namespace {

/// Bytes of physics that are computed between two times that the file is written: what a killed run loses at most.
constexpr std::size_t bytes_per_file = std::size_t{256} << 20;

/// Of runs that wait for the other physics to ask for them, and how many these are at most.
constexpr std::size_t waiting_bytes = std::size_t{256} << 20, most_waiting = 64;

std::size_t thread_count(int wanted) {
    return wanted > 0 ? static_cast<std::size_t>(wanted) : std::max(std::thread::hardware_concurrency(), 1U);
}

/// Whether cases have trapped gas as a field: those of a data set in which brine may trap some.
bool has_trapped_gas(const Dataset& dataset) { return dataset.has("residual_gas_saturation"); }

/// Without hysteresis drainage leaves the gas that does not flow.
std::vector<float> left_by_drainage(const RadialCase& radial, const PhysicsFields& physics) {
    std::vector<float> trapped = physics.fields.at("physics_gas_saturation");
    const auto most = static_cast<float>(radial.rock_fluid.residual_gas_saturation);
    std::ranges::transform(trapped, trapped.begin(), [most](float saturation) { return std::min(saturation, most); });
    return trapped;
}

PhysicsExtents extents_of(const Dataset& dataset, const PhysicsSettings& settings) {
    // A box counts as the rows of all its lines.
    return {settings,          dataset.cases(),           dataset.snapshots(), dataset.cells() / dataset.columns(),
            dataset.columns(), physics_fields_of(dataset)};
}

/// False too where the name is too long for any file.
bool is_file(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

/// Physics with messages that begin with the name of the case, whatever part of it they come from.
template <class Compute>
PhysicsFields named_physics(const Compute& compute, const std::string& name) {
    try {
        return compute(name);
    } catch (const InvalidData&) {
        throw;
    } catch (const InvalidInput& error) {
        const std::string message = error.what();
        throw InvalidInput(message.starts_with(name) ? message : name + ": " + message);
    }
}

}  // namespace

std::vector<std::string> physics_fields_of(const Dataset& dataset) {
    std::vector<std::string> names = physics_field_names();
    if (has_trapped_gas(dataset)) {
        names.emplace_back(trapped_gas_field);
    }
    return names;
}

class CasePhysics::Stored : public PhysicsFile {
   public:
    using PhysicsFile::PhysicsFile;

    /// The file at a path, or nothing where there is none that fits.
    static std::shared_ptr<const Stored> at(const std::string& path, const PhysicsExtents& extents,
                                            const LogSink& log) {
        if (!is_file(path)) {
            return nullptr;
        }
        try {
            return std::make_shared<const Stored>(path, extents);
        } catch (const Error& error) {
            if (log) {
                log(Severity::warning, std::string(error.what()) + "; the physics is computed anew");
            }
            return nullptr;
        }
    }
};

CasePhysics::CasePhysics(const Dataset& dataset, const PhysicsSettings& settings, PhysicsOptions options)
    : dataset_(&dataset), settings_(settings), options_(std::move(options)) {
    const auto cases = static_cast<std::size_t>(dataset.cases());
    keys_.resize(cases);
    kept_.resize(cases);
    require_known_physics(settings.version, dataset.path() + ": physics.version");
    require_physics_case(dataset);
    if (options_.same_steps && !options_.same_steps->shares_runs(*this)) {
        options_.same_steps = nullptr;
    }
    if (options_.log && dataset.geometry() == Geometry::cartesian && follows_from_corners(dataset)) {
        options_.log(Severity::warning,
                     dataset.path() +
                         ": what flows between cells follows from corners and permeabilities, with all faults open and "
                         "no multipliers (no /inputs/transmissibility_x is stated)");
    }
    shared_key_ = shared_key_of(dataset, settings);
    // Files of physics have no injected masses.
    if (dataset.is_file() && !dataset.has("bottom_hole_pressure_limit")) {
        stored_ = Stored::at(path(), extents_of(dataset, settings), options_.log);
    }
}

CasePhysics::~CasePhysics() = default;

std::string CasePhysics::path() const {
    return !dataset_->is_file() ? ""
                                : dataset_->path() + ".physics-" + std::string(physics_kind) + "-" +
                                      std::to_string(settings_.substeps) + "_substeps.h5";
}

std::string CasePhysics::key_of(std::int64_t which) {
    {
        const std::lock_guard lock(mutex_);
        if (const std::string& known = keys_[static_cast<std::size_t>(which)]; !known.empty()) {
            return known;
        }
    }
    const std::string key = sha256(shared_key_ + case_fingerprint(*dataset_, which));
    const std::lock_guard lock(mutex_);
    return keys_[static_cast<std::size_t>(which)] = key;
}

std::string CasePhysics::name_of_case(std::int64_t which) const {
    return dataset_->path() + ": case " + std::to_string(which);
}

RadialCaseGradient CasePhysics::gradient(std::int64_t which, const PhysicsCotangents& cotangents) const {
    const std::string name = name_of_case(which);
    RadialCase radial = radial_case(*dataset_, which);
    PhysicsCotangents moved{{}, cotangents.scalars, {}};
    // At the start of injection nothing has changed yet, whatever the inputs are.
    const std::size_t unmoved = radial.times.size() > 1 && radial.times.front() == 0.0 ? 1 : 0;
    radial.times.erase(radial.times.begin(), radial.times.begin() + static_cast<std::ptrdiff_t>(unmoved));
    radial.check(name);
    const auto bring = [&](const auto& given, std::size_t per_time, auto& to) {
        for (const auto& [what, values] : given) {
            const std::size_t count = (unmoved + radial.times.size()) * per_time;
            if (values.size() != count) {
                throw InvalidInput(fmt::format("{}: there are {} cotangents of {} (the case has {} values of it)", name,
                                               values.size(), what, count));
            }
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(unmoved * per_time);
            to[what] = {first, values.end()};
        }
    };
    bring(cotangents.fields, radial.cells(), moved.fields);
    bring(cotangents.series, 1, moved.series);
    return two_phase_gradient(radial, settings_.substeps, moved, name);
}

std::vector<RadialCaseGradient> CasePhysics::gradients(std::span<const std::int64_t> cases,
                                                       std::span<const PhysicsCotangents> cotangents) const {
    std::vector<RadialCaseGradient> found(cases.size());
    in_parallel(cases.size(), thread_count(options_.threads), [&](std::size_t i) {
        found[i] = gradient(cases[i], cotangents[i]);
        return true;
    });
    return found;
}

PhysicsFields CasePhysics::fields_at(std::int64_t which, const std::vector<double>& times) const {
    const auto with_name = [&](auto of, auto physics_of) {
        of.times = times;
        return named_physics([&](const std::string& name) { return physics_of(of, settings_, name); },
                             name_of_case(which));
    };
    if (dataset_->geometry() == Geometry::cartesian) {
        return with_name(box_case(*dataset_, which), box_physics);
    }
    const RadialCase radial = radial_case(*dataset_, which);
    PhysicsFields computed = with_name(radial, reduced_physics);
    if (!radial.has_hysteresis() && has_trapped_gas(*dataset_)) {
        computed.fields.emplace(trapped_gas_field, left_by_drainage(radial, computed));
    }
    return computed;
}

bool CasePhysics::shares_runs(const CasePhysics& other) {
    const std::vector<double>& others = other.dataset_->times();
    expects(settings_ == other.settings_ && dataset_->cases() == other.dataset_->cases() &&
                dataset_->cells() == other.dataset_->cells(),
            "the same physics of the same cases");
    if (runs_) {
        return others == other_times_;
    }
    other_times_ = others;
    const std::size_t bytes =
        bytes_per_case() * joined_times(dataset_->times(), others).size() / dataset_->times().size();
    runs_ = std::make_shared<SharedRuns>(std::clamp<std::size_t>(waiting_bytes / bytes, 1, most_waiting));
    return true;
}

PhysicsFields CasePhysics::shared_fields(std::int64_t which, RunTimes times) const {
    const std::vector<double> all = joined_times(dataset_->times(), other_times_);
    const SharedRuns::Run run = runs_->run(which, times, [&] { return fields_at(which, all); });
    return with_scalars_at(run.get(), all, times == RunTimes::of_dataset ? dataset_->times() : other_times_,
                           dataset_->geometry() == Geometry::cartesian ? Start::counted : Start::left_out);
}

PhysicsFields CasePhysics::computed_fields(std::int64_t which) const {
    if (options_.same_steps) {
        return options_.same_steps->shared_fields(which, RunTimes::others);
    }
    if (runs_) {
        return shared_fields(which, RunTimes::of_dataset);
    }
    return fields_at(which, dataset_->times());
}

CasePhysics::Fields CasePhysics::compute(std::int64_t which) {
    auto physics = std::make_shared<const PhysicsFields>(computed_fields(which));
    const auto values = static_cast<std::size_t>(dataset_->snapshots() * dataset_->cells());
    for (const std::string& field : physics_fields_of(*dataset_)) {
        const auto found = physics->fields.find(field);
        expects(found != physics->fields.end() && found->second.size() == values, "all fields of the physics");
    }
    computed_ += options_.same_steps ? 0 : 1;
    return physics;
}

/// NaN in all fields and scalars.
CasePhysics::Fields CasePhysics::without_values() const {
    const auto values = static_cast<std::size_t>(dataset_->snapshots() * dataset_->cells());
    PhysicsFields physics;
    for (const std::string& field : physics_fields_of(*dataset_)) {
        physics.fields[field].assign(values, std::numeric_limits<float>::quiet_NaN());
    }
    for (const std::string& scalar : physics_scalar_names()) {
        physics.scalars[scalar] = std::numeric_limits<double>::quiet_NaN();
    }
    return std::make_shared<const PhysicsFields>(std::move(physics));
}

CasePhysics::Fields CasePhysics::compute_or_fail(std::int64_t which) {
    if (options_.failures == nullptr) {
        return compute(which);
    }
    if (options_.failures->has(which)) {
        return without_values();
    }
    try {
        return compute(which);
    } catch (const InvalidData&) {
        throw;  // of the file, not of a case
    } catch (const InvalidInput& error) {
        options_.failures->add(which, error.what());
    } catch (const NotConverged& error) {
        options_.failures->add(which, error.what());
    }
    return without_values();
}

CasePhysics::Fields CasePhysics::kept_or_stored(std::int64_t which) {
    {
        const std::lock_guard lock(mutex_);
        if (const Fields& kept = kept_[static_cast<std::size_t>(which)]) {
            return kept;
        }
    }
    if (stored_ == nullptr || stored_->key(which).empty() || stored_->key(which) != key_of(which)) {
        return nullptr;
    }
    return std::make_shared<const PhysicsFields>(stored_->read(which));
}

void CasePhysics::keep(std::int64_t which, const Fields& fields) {
    const std::lock_guard lock(mutex_);
    Fields& place = kept_[static_cast<std::size_t>(which)];
    const std::size_t bytes = bytes_per_case();
    const bool fits = kept_bytes_ == 0 || kept_bytes_ + bytes <= options_.kept_bytes;  // one in any case
    if (place == nullptr && options_.kept_bytes > 0 && fits) {
        place = fields;
        kept_bytes_ += bytes;
    }
}

void CasePhysics::forget() {
    const std::lock_guard lock(mutex_);
    std::ranges::fill(kept_, nullptr);
    kept_bytes_ = 0;
    if (runs_) {
        runs_->forget();
    }
}

std::size_t CasePhysics::bytes_per_case() const {
    const auto values = static_cast<std::size_t>(dataset_->snapshots() * dataset_->cells());
    return physics_fields_of(*dataset_).size() * values * sizeof(float);
}

std::vector<CasePhysics::Fields> CasePhysics::load(std::span<const std::int64_t> cases) {
    std::vector<Fields> loaded(cases.size());
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        loaded[i] = kept_or_stored(cases[i]);
        if (loaded[i] == nullptr) {
            missing.push_back(i);
        }
    }
    in_parallel(missing.size(), thread_count(options_.threads), [&](std::size_t k) {
        const std::size_t i = missing[k];
        loaded[i] = compute_or_fail(cases[i]);
        keep(cases[i], loaded[i]);
        return true;
    });
    return loaded;
}

/// Computes some cases and adds them to the file; what is complete when something goes wrong is kept.
bool CasePhysics::add_to_file(std::span<const std::int64_t> missing, std::int64_t done, std::int64_t all) {
    std::vector<PackedPhysics> computed;
    std::int64_t failed = 0;
    std::mutex telling;
    bool is_complete = false;
    std::exception_ptr failure;
    try {
        is_complete = in_parallel(missing.size(), thread_count(options_.threads), [&](std::size_t i) {
            PackedPhysics one(missing[i], key_of(missing[i]), *compute_or_fail(missing[i]));
            const std::lock_guard lock(telling);
            if (options_.failures && options_.failures->has(missing[i])) {
                ++failed;
            } else {
                computed.push_back(std::move(one));
            }
            if (options_.progress) {
                options_.progress(done + failed + static_cast<std::int64_t>(computed.size()), all);
            }
            return !options_.stop_requested || !options_.stop_requested();
        });
    } catch (const Error&) {
        failure = std::current_exception();
    }
    if (!computed.empty()) {
        const PhysicsExtents extents = extents_of(*dataset_, settings_);
        write_physics(path(), extents, stored_.get(), computed);
        stored_ = Stored::at(path(), extents, options_.log);
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
    return is_complete;
}

bool CasePhysics::store(std::span<const std::int64_t> cases) {
    if (!dataset_->is_file() || dataset_->has("bottom_hole_pressure_limit")) {
        return true;  // there is no place beside memory
    }
    const auto log = [&](Severity severity, const std::string& text) {
        if (options_.log) {
            options_.log(severity, text);
        }
    };
    std::vector<std::int64_t> missing;
    for (const std::int64_t which : cases) {
        if (stored_ == nullptr || stored_->key(which) != key_of(which)) {
            missing.push_back(which);
        }
    }
    if (missing.empty()) {
        log(Severity::info,
            "reading the physics of " + std::to_string(cases.size()) + " cases from " + stored_->file().path());
        return true;
    }
    if (is_file(path()) && !holds_physics(path())) {
        throw InvalidInput(path() + ": is no file of reduced physics (the physics of the cases of " + dataset_->path() +
                           " is kept there and would replace it); move it or give it another name");
    }
    log(Severity::info, "computing the physics of " + std::to_string(missing.size()) + " of " +
                            std::to_string(cases.size()) + " cases, to be kept in " + path());
    try {
        const std::size_t at_once = std::max<std::size_t>(bytes_per_file / bytes_per_case(), 1);
        for (std::size_t begin = 0; begin < missing.size(); begin += at_once) {
            const auto part = std::span(missing).subspan(begin, std::min(at_once, missing.size() - begin));
            if (!add_to_file(part, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(missing.size()))) {
                return false;
            }
        }
    } catch (const IoError& error) {
        log(Severity::warning,
            std::string(error.what()) + "; the physics is not kept on the disk but computed when it is needed");
    }
    return true;
}

}  // namespace plumecast
