#include "service/ensembles/ensemble_jobs.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/clock.hpp"
#include "service/ensembles/ensemble_result.hpp"
#include "service/problem.hpp"
#include "service/utc_time.hpp"

namespace plumecast::service {
namespace {

constexpr std::chrono::seconds longest_wait(1);

/// 128 bits of the system's randomness: whoever is not told it does not find it.
std::string unguessable_name() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

const char* name_of(JobState state) {
    switch (state) {
        case JobState::waiting:
            return "waiting";
        case JobState::running:
            return "running";
        case JobState::done:
            return "done";
        case JobState::failed:
            return "failed";
        case JobState::cancelled:
            break;
    }
    return "cancelled";
}

bool has_ended(JobState state) { return state != JobState::waiting && state != JobState::running; }

EnsembleJobs::EnsembleJobs(const Limits& limits, Compute compute)
    : limits_(limits), compute_(std::move(compute)), thread_([this] { work(); }) {}

EnsembleJobs::~EnsembleJobs() {
    close();
    thread_.join();
}

void EnsembleJobs::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    for (const auto& [id, job] : jobs_) {
        if (!has_ended(job->progress.state)) {
            end(*job, JobState::cancelled);
        }
    }
    queue_.clear();
    changed_.notify_all();
}

std::string EnsembleJobs::begin(const std::string& model, EnsembleRequest request) {
    const std::lock_guard lock(mutex_);
    if (is_closed_) {
        throw Problem(503, "the service is ending (it begins no ensemble any longer); ask again later");
    }
    make_place();
    auto job = std::make_shared<Job>();
    job->id = unguessable_name();
    job->model = model;
    job->progress.number = request.number();
    job->request = std::make_shared<const EnsembleRequest>(std::move(request));
    job->created = std::chrono::system_clock::now();
    jobs_.emplace(job->id, job);
    queue_.push_back(job);
    changed_.notify_all();
    return job->id;
}

/// Forgets the one that ended first where there is no place for another.
void EnsembleJobs::make_place() {
    forget_expired();
    if (static_cast<std::int64_t>(jobs_.size()) < limits_.ensembles) {
        return;
    }
    auto oldest = jobs_.end();
    for (auto each = jobs_.begin(); each != jobs_.end(); ++each) {
        const bool can_go = has_ended(each->second->progress.state);
        if (can_go && (oldest == jobs_.end() || each->second->ended < oldest->second->ended)) {
            oldest = each;
        }
    }
    if (oldest == jobs_.end()) {
        throw Problem(429,
                      fmt::format("{} ensembles wait or run (this service takes no more at once); ask again when one "
                                  "is done",
                                  jobs_.size()));
    }
    jobs_.erase(oldest);
}

void EnsembleJobs::forget_expired() {
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(jobs_, [&](const auto& entry) {
        const Job& job = *entry.second;
        return has_ended(job.progress.state) &&
               std::chrono::duration<double>(now - job.ended).count() > limits_.ensemble_seconds;
    });
}

/// Expects the lock.
void EnsembleJobs::end(Job& job, JobState state) {
    job.progress.state = state;
    job.ended = std::chrono::steady_clock::now();
    job.expires = std::chrono::system_clock::now() + std::chrono::duration_cast<TimePoint::duration>(
                                                         std::chrono::duration<double>(limits_.ensemble_seconds));
    changed_.notify_all();
}

/// Expects the lock.
EnsembleJobs::Job& EnsembleJobs::job_of(const std::string& id) {
    forget_expired();
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) {
        throw Problem(404,
                      "there is no such ensemble here (it may have been forgotten, or been kept long enough); "
                      "start it again");
    }
    return *found->second;
}

JobProgress EnsembleJobs::progress(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return job_of(id).progress;
}

std::shared_ptr<const EnsembleRequest> EnsembleJobs::request(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return job_of(id).request;
}

std::string EnsembleJobs::json(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return json_of(job_of(id));
}

/// Expects the lock.
std::string EnsembleJobs::json_of(const Job& job) const {
    Json json = Json::Object{{"id", job.id},
                             {"url", "/v1/ensembles/" + job.id},
                             {"state", name_of(job.progress.state)},
                             {"done", job.progress.done},
                             {"number", job.progress.number},
                             {"seed", job.request->seed()},
                             {"model", job.model},
                             {"method", job.request->is_physics() ? "estimate" : "predict"},
                             {"created", utc_text(job.created)}};
    if (has_ended(job.progress.state)) {
        json["expires"] = utc_text(job.expires);
    }
    if (!job.problem.empty()) {
        json["problem"] = plain_text(job.problem);
    }
    std::string text = json.dump(-1);
    if (!job.result.empty()) {
        text.pop_back();
        text += ", " + job.result.substr(1);  // both are objects
    }
    return text + "\n";
}

std::optional<JobProgress> EnsembleJobs::changed(const std::string& id, const JobProgress& seen) {
    std::unique_lock lock(mutex_);
    const auto now = [&]() -> std::optional<JobProgress> {
        const auto found = jobs_.find(id);
        return found == jobs_.end() ? std::nullopt : std::optional(found->second->progress);
    };
    changed_.wait_for(lock, longest_wait, [&] { return now() != std::optional(seen); });
    return now();
}

std::optional<std::string> EnsembleJobs::cancel(const std::string& id, bool may_forget) {
    const std::lock_guard lock(mutex_);
    Job& job = job_of(id);
    if (has_ended(job.progress.state)) {
        if (!may_forget) {
            return json_of(job);
        }
        jobs_.erase(id);
        changed_.notify_all();
        return std::nullopt;
    }
    std::erase_if(queue_, [&](const auto& each) { return each->id == id; });
    end(job, JobState::cancelled);
    return json_of(job);
}

void EnsembleJobs::work() {
    for (;;) {
        std::shared_ptr<Job> job;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return is_closed_ || !queue_.empty(); });
            if (is_closed_) {
                return;
            }
            job = queue_.front();
            queue_.pop_front();
            job->progress.state = JobState::running;
            changed_.notify_all();
        }
        try {
            compute(job);
        } catch (const std::exception& error) {  // no case alone costs the ensemble: memory, or the service ends
            const std::lock_guard lock(mutex_);
            if (!has_ended(job->progress.state)) {
                job->problem = error.what();
                end(*job, JobState::failed);
            }
        }
    }
}

bool EnsembleJobs::is_wanted(const Job& job) {
    const std::lock_guard lock(mutex_);
    return job.progress.state == JobState::running;
}

void EnsembleJobs::add(EnsembleResult& result, const Job& job, std::int64_t begin, std::int64_t end) {
    try {
        const StopRequest stop = [&] { return !is_wanted(job); };
        Scenario scenario = job.request->scenario(begin, end, stop);
        const Measure measure = scenario.measure;
        const auto notes = scenario.notes;
        result.add(begin, compute_(job.model, job.request->is_physics(), std::move(scenario), stop), measure, notes);
    } catch (const Interrupted&) {
        throw;
    } catch (const Error& error) {
        if (end - begin == 1) {
            result.add_failure(begin, error.what());
            return;
        }
        for (std::int64_t which = begin; which < end; ++which) {  // the others are not to blame
            add(result, job, which, which + 1);
        }
    }
}

void EnsembleJobs::compute(const std::shared_ptr<Job>& job) {
    const auto start = Clock::now();
    const std::int64_t number = job->request->number();
    EnsembleResult result(number);
    for (std::int64_t begin = 0; begin < number; begin += job->request->at_once()) {
        const std::int64_t end = std::min(begin + job->request->at_once(), number);
        add(result, *job, begin, end);
        const std::lock_guard lock(mutex_);
        if (job->progress.state != JobState::running) {
            return;
        }
        job->progress.done = end;
        changed_.notify_all();
    }
    const std::string text = result.has_any() ? result.json(*job->request, seconds_since(start)).dump(-1) : "";
    const std::lock_guard lock(mutex_);
    if (job->progress.state != JobState::running) {
        return;
    }
    if (text.empty()) {
        job->problem = "no realization could be computed: " + result.first_failure();
    }
    job->result = text;
    end(*job, text.empty() ? JobState::failed : JobState::done);
}

}  // namespace plumecast::service
