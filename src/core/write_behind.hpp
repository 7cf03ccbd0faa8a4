#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

namespace plumecast {

/// Does pieces of work, such as packing and writing results, in a background thread, one after the other in the order
/// given. Use from one thread; destruction drops what has not begun.
class WriteBehind {
   public:
    using Work = std::function<void()>;

    /// At most `depth` pieces wait.
    explicit WriteBehind(std::size_t depth = 2);
    ~WriteBehind();
    WriteBehind(const WriteBehind&) = delete;
    WriteBehind& operator=(const WriteBehind&) = delete;

    /// Adds a piece, after waiting for a place. Throws what an earlier piece threw; nothing is done after that.
    void add(Work work);
    /// Waits until all is done. Throws what a piece threw.
    void finish();

   private:
    void run(const std::stop_token& stop);
    void drop_waiting() noexcept;
    void throw_failure();

    const std::size_t depth_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::queue<Work> waiting_;
    std::exception_ptr failure_;
    bool is_working_ = false;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace plumecast
