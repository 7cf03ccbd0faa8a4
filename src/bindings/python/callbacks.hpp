#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include <nanobind/nanobind.h>

#include <plumecast.h>

#include "bindings/python/failure.hpp"
#include "bindings/python/unlocked.hpp"

namespace plumecast::python {

/// What Python wants to be told and asked while plumecast.h works without the lock of the interpreter. What a callback
/// raises, and a signal such as Ctrl-C, ends the work after the batch in progress. Any function may be None.
class Callbacks {
   public:
    Callbacks(nanobind::object progress, nanobind::object stop, nanobind::object log, nanobind::object epoch,
              nanobind::object verdict = nanobind::none())
        : progress_(std::move(progress)),
          stop_(std::move(stop)),
          log_(std::move(log)),
          epoch_(std::move(epoch)),
          verdict_(std::move(verdict)) {}

    /// Has them called by the options of plumecast.h; this object must outlive the call.
    void put_into(plumecast_options& options);
    void put_into(plumecast_training_options& options);
    void put_into(plumecast_inversion_options& options);

    /// Calls plumecast.h without the lock of the interpreter; raises what a callback raised, else what failed.
    template <class Call>
    void work(const Call& call) {
        plumecast_status status = PLUMECAST_OK;
        std::string message;
        {
            const Unlocked unlocked;
            status = call();
            message = plumecast_last_error();
        }
        if (raised_) {
            std::rethrow_exception(raised_);
        }
        if (status != PLUMECAST_OK) {
            throw Failure(status, message);
        }
    }

   private:
    static void on_progress(std::int64_t done, std::int64_t all, void* self);
    static void on_training(std::int32_t epoch, std::int32_t epochs, std::int64_t done, std::int64_t cases, double loss,
                            void* self);
    static void on_inversion(const char* what, std::int64_t done, std::int64_t all, void* self);
    static void on_epoch(const char* json, void* self);
    static std::int32_t on_stop(void* self);
    static void on_verdict(std::int64_t which, std::int32_t trust, const char* reasons, void* self);
    static void on_log(std::int32_t severity, const char* message, void* self);
    template <class Call>
    void run(const Call& call);

    nanobind::object progress_;
    nanobind::object stop_;
    nanobind::object log_;
    nanobind::object epoch_;
    nanobind::object verdict_;
    std::exception_ptr raised_;
};

}  // namespace plumecast::python
