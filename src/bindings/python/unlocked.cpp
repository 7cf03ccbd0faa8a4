#include "bindings/python/unlocked.hpp"

#include <atomic>

#include "bindings/python/failure.hpp"

namespace plumecast::python {
namespace {

struct Process {
    std::atomic<int> calls = 0;  // at work
    std::atomic<bool> is_cut_off = false;
};

Process& process() {
    static Process here;
    return here;
}

void after_fork() {
    if (process().calls.exchange(0) > 0) {
        process().is_cut_off = true;
    }
}

}  // namespace

bool is_cut_off() { return process().is_cut_off; }

Unlocked::Counted::Counted() {
    if (is_cut_off()) {
        throw Failure(PLUMECAST_DEVICE_ERROR,
                      "this process was made by fork while another thread used Plumecast (locks that it held are never "
                      "given back here); start processes by the method 'spawn'");
    }
    ++process().calls;
}

Unlocked::Counted::~Counted() { --process().calls; }

Unlocked::Unlocked() = default;

Unlocked::~Unlocked() = default;

void bind_fork(nanobind::module_& module) {
    module.def("after_fork", after_fork, "To be called in a child made by fork, before anything else is.");
}

}  // namespace plumecast::python
