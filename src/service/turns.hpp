#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace plumecast::service {

/// Lets so many compute at once, and so many more wait for their turn.
class Turns {
   public:
    Turns(std::int64_t at_once, std::int64_t waiting) : free_(at_once), places_(waiting) {}

    /// A turn that has been taken; ends with it.
    class Turn {
       public:
        explicit Turn(Turns* turns, bool is_last = false) : turns_(turns), is_last_(is_last) {}
        Turn(Turn&& other) noexcept : turns_(other.turns_), is_last_(other.is_last_) { other.turns_ = nullptr; }
        Turn& operator=(Turn&&) = delete;
        ~Turn();
        /// False where there was no place to wait, or the wait was given up.
        bool is_taken() const { return turns_ != nullptr; }

       private:
        Turns* turns_;
        bool is_last_;  // of work in the background
    };

    /// Waits for a turn until `gives_up` says so, which is asked every few milliseconds. A turn of work in the
    /// background is a place to wait, beside those that there are: it ends soon, and lets whoever waits pass.
    Turn take(const std::function<bool()>& gives_up);
    /// The same of work in the background, which needs no place to wait: it lets all pass that wait for a turn.
    Turn take_last(const std::function<bool()>& gives_up);

    std::int64_t waiting() const;

   private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::int64_t free_;
    std::int64_t places_;
    std::int64_t waiting_ = 0;
    std::int64_t last_ = 0;  // turns of work in the background
};

}  // namespace plumecast::service
