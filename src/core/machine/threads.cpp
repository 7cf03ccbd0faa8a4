#include <plumecast/core/machine/threads.hpp>

#include <atomic>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {

void throw_no_thread(const std::system_error& reason) {
    throw DeviceError("cannot start a thread (" + reason.code().message() +
                      "); use fewer threads, or let the process have more (ulimit -u, the limits of container or job)");
}

int startable_threads(int most) {
    std::atomic<bool> may_end = false;
    const auto wait = [&may_end] { may_end.wait(false); };
    const std::vector<std::jthread> started = start_helpers(static_cast<std::size_t>(most), wait);
    may_end = true;
    may_end.notify_all();
    return static_cast<int>(started.size());
}

}  // namespace plumecast
