#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include <plumecast/core/log.hpp>

#include "backend/cuda/autotuner.hpp"

namespace plumecast::cuda {

/// What was found to be the fastest way for kinds of work, kept in a JSON file from run to run. The file holds choices
/// of several machines, a machine being a device with its driver, libraries and version of this program; only those of
/// this machine count. A file that is something else, or damaged, is ignored and left alone, with a warning.
class TuningCache {
   public:
    /// `machine` tells this machine from others. An empty path keeps choices for this run only.
    TuningCache(std::filesystem::path path, std::string machine, LogSink log);

    std::optional<std::string> find(const std::string& kind) const;
    /// Keeps a choice, together with what other processes kept meanwhile. The file appears whole or not at all; where
    /// it cannot be written, the log hears a warning once.
    void keep(const std::string& kind, const std::string& way);

    /// Where choices are kept: what PLUMECAST_CUDA_TUNING names, nowhere for "off"; else plumecast/cuda_tuning.json in
    /// the user's cache folder, XDG_CACHE_HOME or HOME/.cache; nowhere without these.
    static std::filesystem::path default_path();

   private:
    using Choices = std::map<std::string, std::string>;

    void warn(const std::string& problem);

    std::filesystem::path path_;
    std::string machine_;
    LogSink log_;
    Choices choices_;  ///< of this machine
    bool is_kept_ = true;
};

/// A way to do a thing.
struct TimedWay {
    std::string name;
    std::function<double()> seconds;  ///< the time that it takes; negative where it cannot be taken
};

/// Which of several ways to take for each kind of work: what the cache knows, else what is the fastest now. For any
/// number of threads.
class FastestWay {
   public:
    explicit FastestWay(TuningCache cache) : cache_(std::move(cache)) {}

    /// The number of the way to take. Times all of them where the kind is new, or returns 0 where they may not be timed
    /// now. Throws Error when none can be taken.
    std::size_t choose(const std::string& kind, std::span<const TimedWay> ways, bool may_time);

   private:
    std::mutex mutex_;  // held while one measures
    TuningCache cache_;
    Autotuner<std::string> tuner_;
};

}  // namespace plumecast::cuda
