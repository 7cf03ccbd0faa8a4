#include "backend/cpu/backend.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "backend/cpu/processor/simd_levels.hpp"

namespace plumecast::cpu {
namespace {

/// What the arena may hold. Of addresses that are limited, others need some as well: threads for their stacks, oneDNN,
/// and whoever loads cases.
MemoryLimit arena_limit(std::size_t wanted) {
    MemoryLimit limit = memory_limit();
    if (const auto left = addresses_left(); left && *left / 4 * 3 < limit.bytes) {
        limit = {*left / 4 * 3, "three quarters of the addresses that ulimit -v and -d leave to the process"};
    }
    if (wanted > 0 && wanted < limit.bytes) {
        limit = {wanted, "CpuOptions::memory_limit"};
    }
    return limit;
}

}  // namespace

Reservation::Reservation(std::size_t bytes) : bytes_(bytes) {
    data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) {
        throw DeviceError("cannot reserve " + std::to_string(bytes >> 20) +
                          " MiB of addresses (the system refused it); lift the limit on virtual memory (ulimit -v)");
    }
    // Page faults on 4 KiB pages cost a third of a forward pass; without huge pages it still works, so no check.
    madvise(data_, bytes, MADV_HUGEPAGE);
}

Reservation::~Reservation() { munmap(data_, bytes_); }

std::size_t Reservation::give_back(void* begin, std::size_t bytes) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / page * page;
    std::size_t granted = 0;
    std::array<unsigned char, 4096> is_there{};
    for (std::uintptr_t low = first; low < end; low += is_there.size() * page) {
        const std::size_t pages = std::min<std::size_t>((end - low) / page, is_there.size());
        void* part = reinterpret_cast<void*>(low);  // NOLINT(performance-no-int-to-ptr)
        const bool is_known = mincore(part, pages * page, is_there.data()) == 0;
        // Pages that someone has locked stay where they are.
        if (madvise(part, pages * page, MADV_DONTNEED) == 0 && is_known) {
            granted += static_cast<std::size_t>(std::count_if(is_there.begin(),
                                                              is_there.begin() + static_cast<std::ptrdiff_t>(pages),
                                                              [](unsigned char one) { return (one & 1U) != 0; }));
        }
    }
    return granted * page;
}

// In braces, which go from left to right: addresses are counted after the threads, whose stacks the system keeps.
CpuBackend::CpuBackend(const CpuOptions& options) : CpuBackend(options, Settings(options)) {}

CpuBackend::CpuBackend(const CpuOptions& options, const Settings& settings)
    : CpuBackend{options, settings, sleep_beside(settings.threads), arena_limit(options.memory_limit)} {}

CpuBackend::CpuBackend(const CpuOptions& options, const Settings& settings, std::unique_ptr<SleepingTeam> quiet,
                       const MemoryLimit& limit)
    : threads_(settings.threads),
      quiet_(std::move(quiet)),
      field_type_(options.precision == Precision::bf16 ? DType::bfloat16 : DType::float32),
      reservation_(limit.bytes),
      arena_(reservation_.data(), reservation_.bytes(), limit.source),
      simd_(settings.simd),
      conv_choice_(settings.conv_choice) {}

std::string CpuBackend::description() const {
    const dnnl_version_t* version = dnnl_version();
    return "cpu: " + std::to_string(threads_) + (threads_ == 1 ? " thread, " : " threads, ") + simd_->name +
           (field_type_ == DType::bfloat16 ? ", bf16 fields" : "") + ", oneDNN " + std::to_string(version->major) +
           "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
}

}  // namespace plumecast::cpu

namespace plumecast {

std::unique_ptr<Backend> make_cpu_backend(const CpuOptions& options) {
    return std::make_unique<cpu::CpuBackend>(options);
}

std::string cpu_bfloat16_obstacle() {
    const char* forced = std::getenv("PLUMECAST_SIMD");
    if (cpu::simd_kernels(forced).bf16->has_units) {
        return "";
    }
    return forced != nullptr ? std::string("PLUMECAST_SIMD is ") + forced
                             : "the processor has no units for bfloat16, AVX512_BF16 or AMX";
}

}  // namespace plumecast
