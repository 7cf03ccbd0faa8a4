#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>
#include <vector>

#include <plumecast/reservoir/batches/batch.hpp>

namespace plumecast {

/// Cases to load together.
struct CasesToLoad {
    const BatchSource* source;
    std::vector<std::int64_t> cases;
};

/// Loads batches ahead of their use in a background thread. Use from one thread; destruction stops the loading.
class Prefetcher {
   public:
    /// Starts loading the batches of `order`, at most `depth` of them ahead. The source must outlive the prefetcher
    /// and not be used elsewhere meanwhile.
    Prefetcher(const BatchSource& source, std::vector<std::vector<std::int64_t>> order, std::size_t depth = 2);
    /// The same with batches of several sources.
    explicit Prefetcher(std::vector<CasesToLoad> order, std::size_t depth = 2);
    ~Prefetcher();
    Prefetcher(const Prefetcher&) = delete;
    Prefetcher& operator=(const Prefetcher&) = delete;

    /// The next batch in order, waiting for it; nothing after the last one. Throws what loading it threw, and nothing
    /// more comes after that.
    std::optional<Batch> next();

   private:
    void work(const std::stop_token& stop);

    const std::vector<CasesToLoad> order_;
    const std::size_t depth_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::queue<Batch> ready_;
    std::exception_ptr failure_;
    bool is_finished_ = false;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace plumecast
