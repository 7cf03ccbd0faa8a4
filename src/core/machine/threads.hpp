#pragma once

#include <cstddef>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

/// Threads, which the system may refuse: containers and jobs often allow a process few.
namespace plumecast {

/// Throws DeviceError with the system's reason and what to do.
[[noreturn]] void throw_no_thread(const std::system_error& reason);

/// A thread that calls `work`, with its stop token where it takes one. Throws DeviceError where the system starts none.
template <class Work>
std::jthread start_thread(Work work) {
    try {
        return std::jthread(std::move(work));
    } catch (const std::system_error& reason) {
        throw_no_thread(reason);
    }
}

/// Threads that call `work`, as many of `count` as the system starts: for work that the caller does too and can do
/// alone.
template <class Work>
std::vector<std::jthread> start_helpers(std::size_t count, const Work& work) {
    std::vector<std::jthread> helpers;
    helpers.reserve(count);
    try {
        while (helpers.size() < count) {
            helpers.emplace_back(work);
        }
    } catch (const std::system_error&) {  // those that are there do it all
    } catch (const std::bad_alloc&) {     // so do they here
    }
    return helpers;
}

/// The same for work that nobody else does: at least one. Throws DeviceError.
template <class Work>
std::vector<std::jthread> start_workers(std::size_t count, const Work& work) {
    std::vector<std::jthread> workers = start_helpers(count, work);
    if (workers.empty()) {
        workers.push_back(start_thread(work));
    }
    return workers;
}

/// How many threads of `most` the system starts beside those that are there; they have ended on return.
int startable_threads(int most);

}  // namespace plumecast
