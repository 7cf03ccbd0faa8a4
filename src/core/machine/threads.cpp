#include "core/machine/threads.hpp"

#include <atomic>
#include <string>

#include <pthread.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// Not by std::jthread, whose threads free memory: the C library reserves 64 MiB of addresses for each that does.
void* wait_until(void* may_end) {
    static_cast<const std::atomic<bool>*>(may_end)->wait(false);
    return nullptr;
}

}  // namespace

void throw_no_thread(const std::system_error& reason) {
    throw DeviceError("cannot start a thread (" + reason.code().message() +
                      "); use fewer threads, or let the process have more (ulimit -u, the limits of container or job)");
}

int startable_threads(int most) {
    std::vector<pthread_t> started(static_cast<std::size_t>(most));
    std::atomic<bool> may_end = false;
    int count = 0;
    while (count < most &&
           pthread_create(&started[static_cast<std::size_t>(count)], nullptr, wait_until, &may_end) == 0) {
        ++count;
    }
    may_end = true;
    may_end.notify_all();
    for (int i = 0; i < count; ++i) {
        pthread_join(started[static_cast<std::size_t>(i)], nullptr);
    }
    return count;
}

}  // namespace plumecast
