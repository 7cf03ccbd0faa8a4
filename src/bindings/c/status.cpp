#include "bindings/c/status.hpp"

#include <array>
#include <cstring>
#include <new>
#include <string_view>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/evaluation.hpp>

#include "core/text/replaced.hpp"

namespace plumecast::c {
namespace {

/// The message of the thread; of a fixed size, so that keeping it cannot fail.
std::array<char, 2048>& message_of_thread() {
    thread_local std::array<char, 2048> message{};
    return message;
}

plumecast_status keep(plumecast_status status, std::string_view message) {
    auto& kept = message_of_thread();
    const std::size_t length = std::min(message.size(), kept.size() - 1);
    std::memcpy(kept.data(), message.data(), length);
    kept[length] = '\0';
    return status;
}

/// What the library calls options, and what plumecast.h does.
constexpr std::array<Replacement, 5> c_words = {
    {{"CpuOptions::threads", "threads"},
     {"PredictionOptions::batch = ", "batch "},
     {"PredictionOptions::beyond = Beyond::leave_nan", "extrapolate: nan"},
     {"CpuOptions::memory_limit", "memory_limit"},
     {"CudaOptions::memory_bytes or memory_share", "memory_limit or memory_share"}}};

/// The status of an error of the library.
plumecast_status status_of(const Error& error) {
    const auto is = [&]<class Class>(const Class*) { return dynamic_cast<const Class*>(&error) != nullptr; };
    struct Known {
        bool matches;
        plumecast_status status;
    };
    const Known all[] = {{is(static_cast<InvalidData*>(nullptr)), PLUMECAST_INVALID_DATA},
                         {is(static_cast<InvalidModel*>(nullptr)), PLUMECAST_INVALID_MODEL},
                         {is(static_cast<InvalidInput*>(nullptr)), PLUMECAST_INVALID_INPUT},
                         {is(static_cast<OutOfMemory*>(nullptr)), PLUMECAST_OUT_OF_MEMORY},
                         {is(static_cast<DeviceError*>(nullptr)), PLUMECAST_DEVICE_ERROR},
                         {is(static_cast<CommError*>(nullptr)), PLUMECAST_COMM_ERROR},
                         {is(static_cast<IoError*>(nullptr)), PLUMECAST_IO_ERROR},
                         {is(static_cast<NotConverged*>(nullptr)), PLUMECAST_NOT_CONVERGED},
                         {is(static_cast<NotBuilt*>(nullptr)), PLUMECAST_NOT_BUILT},
                         {is(static_cast<Interrupted*>(nullptr)), PLUMECAST_INTERRUPTED}};
    for (const Known& one : all) {
        if (one.matches) {
            return one.status;
        }
    }
    return PLUMECAST_INTERNAL;
}

/// Keeps what an error says, in words of the C library where there is memory for that.
plumecast_status keep_said(const Error& error) {
    try {
        return keep(status_of(error), replaced(error.what(), c_words));
    } catch (const std::bad_alloc&) {
        return keep(status_of(error), error.what());
    }
}

}  // namespace

const char* last_error() noexcept { return message_of_thread().data(); }

plumecast_status failed() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        return keep_said(error);
    } catch (const std::bad_alloc&) {
        return keep(PLUMECAST_OUT_OF_MEMORY,
                    "no memory (the system gave none); predict fewer cases at once, or release what is not needed");
    } catch (const std::exception& error) {
        return keep(PLUMECAST_INTERNAL, error.what());
    } catch (...) {
        return keep(PLUMECAST_INTERNAL, "internal: an error without a message; please report it");
    }
}

void require_pointer(const void* pointer, const char* argument) {
    if (pointer == nullptr) {
        throw InvalidInput(std::string(argument) + " is NULL (the call needs it); give one");
    }
}

std::string text_of(const char* text, const char* argument) { return &required(text, argument); }

}  // namespace plumecast::c
