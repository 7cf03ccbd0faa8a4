#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <plumecast/core/json.hpp>

#include "service/computation.hpp"
#include "service/ensembles/ensemble_request.hpp"
#include "service/ensembles/ensemble_result.hpp"
#include "service/limits.hpp"

namespace plumecast::service {

enum class JobState { waiting, running, done, failed, cancelled };

/// "waiting" ...
const char* name_of(JobState state);
bool has_ended(JobState state);

/// How far a job is.
struct JobProgress {
    JobState state = JobState::waiting;
    std::int64_t done = 0;
    std::int64_t number = 0;

    friend bool operator==(const JobProgress&, const JobProgress&) = default;
};

/// Ensembles that are computed one after the other on a thread of their own, and kept for a while.
class EnsembleJobs {
   public:
    /// Computes a few realizations as an interactive request would be, by a model or the reduced physics alone; stops
    /// where it is told to. Throws what predicted() and estimated() throw.
    using Compute = std::function<ComputedCases(const std::string& model, bool is_physics, Scenario scenario,
                                                const StopRequest& stop)>;

    EnsembleJobs(const Limits& limits, Compute compute);
    /// Ends what runs.
    ~EnsembleJobs();
    EnsembleJobs(const EnsembleJobs&) = delete;
    EnsembleJobs& operator=(const EnsembleJobs&) = delete;

    /// Begins a job; returns its name, which nobody can guess. The longest ended makes place where there is none.
    /// Throws Problem (429) where all that are kept wait or run, (503) at the end of the service.
    std::string begin(const std::string& model, EnsembleRequest request);

    /// These throw Problem (404) for a job that is not kept.
    JobProgress progress(const std::string& id);
    /// All that is known of it, as GET answers.
    std::string json(const std::string& id);
    /// What was asked.
    std::shared_ptr<const EnsembleRequest> request(const std::string& id);
    /// Waits until the progress is another one, a second at most; that seen where it still is the same, nothing where
    /// the job is not kept any longer.
    std::optional<JobProgress> changed(const std::string& id, const JobProgress& seen);
    /// Ends one that waits or runs, and keeps it: all that is known of it then. Forgets one that has ended: nothing,
    /// unless it `may_forget`.
    std::optional<std::string> cancel(const std::string& id, bool may_forget = true);
    /// Ends all, and takes no more.
    void close();

   private:
    using TimePoint = std::chrono::system_clock::time_point;
    struct Job {
        std::string id;
        std::string model;
        std::shared_ptr<const EnsembleRequest> request;
        JobProgress progress;
        TimePoint created;
        std::chrono::steady_clock::time_point ended = {};  // whatever the clock of the system is set to
        TimePoint expires = {};                            // as clients are told
        std::string problem = {};
        std::string result = {};  // text of the entries of a done one
    };

    Job& job_of(const std::string& id);
    void forget_expired();
    void make_place();
    void end(Job& job, JobState state);
    std::string json_of(const Job& job) const;
    void work();
    void compute(const std::shared_ptr<Job>& job);
    bool is_wanted(const Job& job);
    void add(EnsembleResult& result, const Job& job, std::int64_t begin, std::int64_t end);

    Limits limits_;
    Compute compute_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, std::shared_ptr<Job>> jobs_;
    std::deque<std::shared_ptr<Job>> queue_;
    bool is_closed_ = false;
    std::thread thread_;  // last, so that all it uses is there
};

}  // namespace plumecast::service
