#pragma once

#include <nanobind/nanobind.h>

namespace plumecast::python {

/// Whether this process was made by fork while a call of plumecast.h was at work: locks of the library that its thread
/// held are never given back here, so nothing of the library may be used, or released.
bool is_cut_off();

/// While it lives, a call of plumecast.h is at work without the lock of the interpreter. Throws Failure where
/// is_cut_off().
class Unlocked {
   public:
    Unlocked();
    ~Unlocked();
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

   private:
    struct Counted {
        Counted();
        ~Counted();
    };
    Counted counted_;
    nanobind::gil_scoped_release released_;
};

/// Binds what a child made by fork calls first.
void bind_fork(nanobind::module_& module);

}  // namespace plumecast::python
