#include "bindings/python/callbacks.hpp"

namespace plumecast::python {
namespace nb = nanobind;

/// Calls Python; nothing is thrown through plumecast.h, and nothing more is called once something was.
template <class Call>
void Callbacks::run(const Call& call) {
    const nb::gil_scoped_acquire acquired;
    if (raised_) {
        return;
    }
    try {
        call();
    } catch (...) {
        raised_ = std::current_exception();
    }
}

void Callbacks::on_progress(std::int64_t done, std::int64_t all, void* self) {
    auto& callbacks = *static_cast<Callbacks*>(self);
    callbacks.run([&] { callbacks.progress_(done, all); });
}

void Callbacks::on_training(std::int32_t epoch, std::int32_t epochs, std::int64_t done, std::int64_t cases, double loss,
                            void* self) {
    auto& callbacks = *static_cast<Callbacks*>(self);
    callbacks.run([&] { callbacks.progress_(epoch, epochs, done, cases, loss); });
}

void Callbacks::on_inversion(const char* what, std::int64_t done, std::int64_t all, void* self) {
    auto& callbacks = *static_cast<Callbacks*>(self);
    callbacks.run([&] { callbacks.progress_(what, done, all); });
}

void Callbacks::on_epoch(const char* json, void* self) {
    auto& callbacks = *static_cast<Callbacks*>(self);
    callbacks.run([&] { callbacks.epoch_(json); });
}

std::int32_t Callbacks::on_stop(void* self) {
    auto& callbacks = *static_cast<Callbacks*>(self);
    bool is_wanted = false;
    callbacks.run([&] {
        if (PyErr_CheckSignals() != 0) {
            throw nb::python_error();
        }
        is_wanted = !callbacks.stop_.is_none() && nb::cast<bool>(nb::bool_(callbacks.stop_()));
    });
    return is_wanted || callbacks.raised_ ? 1 : 0;
}

void Callbacks::on_verdict(std::int64_t which, std::int32_t trust, const char* reasons, void* self) {
    auto& callbacks = *static_cast<Callbacks*>(self);
    callbacks.run([&] { callbacks.verdict_(which, trust, reasons); });
}

void Callbacks::on_log(std::int32_t severity, const char* message, void* self) {
    auto& callbacks = *static_cast<Callbacks*>(self);
    callbacks.run([&] { callbacks.log_(severity, message); });
}

void Callbacks::put_into(plumecast_options& options) {
    options.user = this;
    options.stop = on_stop;
    options.progress = progress_.is_none() ? nullptr : on_progress;
    options.log = log_.is_none() ? nullptr : on_log;
    options.verdict = verdict_.is_none() ? nullptr : on_verdict;
}

void Callbacks::put_into(plumecast_training_options& options) {
    options.user = this;
    options.stop = on_stop;
    options.progress = progress_.is_none() ? nullptr : on_training;
    options.epoch = epoch_.is_none() ? nullptr : on_epoch;
    options.log = log_.is_none() ? nullptr : on_log;
}

void Callbacks::put_into(plumecast_inversion_options& options) {
    options.user = this;
    options.stop = on_stop;
    options.progress = progress_.is_none() ? nullptr : on_inversion;
    options.step = epoch_.is_none() ? nullptr : on_epoch;
    options.log = log_.is_none() ? nullptr : on_log;
}

}  // namespace plumecast::python
