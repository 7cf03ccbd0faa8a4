#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

#include "core/machine/threads.hpp"

namespace plumecast {

/// Calls work(i) for 0 <= i < count on several threads, this one among them, until it says false or throws; the first
/// of those that threw, by i, is thrown on. False when one said so.
template <class Work>
bool in_parallel(std::size_t count, std::size_t threads, const Work& work) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> is_over = false, is_complete = true;
    std::vector<std::exception_ptr> failures(count);
    const auto run = [&] {
        for (std::size_t i = next++; i < count && !is_over; i = next++) {
            try {
                if (!work(i)) {
                    is_complete = false;
                    is_over = true;
                }
            } catch (...) {
                failures[i] = std::current_exception();
                is_over = true;
            }
        }
    };
    {
        const std::vector<std::jthread> others =
            start_helpers(std::max<std::size_t>(std::min(threads, count), 1) - 1, run);
        run();
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
    return is_complete;
}

}  // namespace plumecast
