#pragma once

#include <cstdint>
#include <exception>

#include <nanobind/nanobind.h>

#include <plumecast.h>

namespace plumecast::python {

/// What Python wants to be told and asked while plumecast.h works without the lock of the interpreter. What a callback
/// raises, and a signal such as Ctrl-C, ends the work after the batch in progress.
class Callbacks {
   public:
    /// Any of them may be None: progress(done, all), stop() -> bool, log(severity, message).
    Callbacks(nanobind::object progress, nanobind::object stop, nanobind::object log)
        : progress_(std::move(progress)), stop_(std::move(stop)), log_(std::move(log)) {}

    /// Sets the callbacks of options of plumecast.h; this object must outlive the call.
    void put_into(plumecast_options& options);
    /// Raises again what a callback raised, if one did.
    void rethrow() const;

   private:
    static void on_progress(std::int64_t done, std::int64_t all, void* self);
    static std::int32_t on_stop(void* self);
    static void on_log(std::int32_t severity, const char* message, void* self);
    template <class Call>
    void run(const Call& call);

    nanobind::object progress_;
    nanobind::object stop_;
    nanobind::object log_;
    std::exception_ptr raised_;
};

}  // namespace plumecast::python
