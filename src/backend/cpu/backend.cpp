#include "backend/cpu/backend.hpp"

#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace plumecast::cpu {
namespace {

std::size_t physical_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

int usable_threads(int wanted) {
    if (wanted < 0) {
        throw InvalidInput("thread count " + std::to_string(wanted) +
                           " (a count is 0 for all, or positive); give --threads 0 or more");
    }
    return wanted == 0 ? omp_get_max_threads() : wanted;
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

CpuBackend::CpuBackend(int threads, Winograd winograd)
    : threads_(usable_threads(threads)),
      reservation_(physical_memory()),
      arena_(reservation_.data(), reservation_.bytes()),
      simd_(&simd_kernels(std::getenv("PLUMECAST_SIMD"))),
      conv_choice_(std::getenv("PLUMECAST_CONV"), *simd_->conv, winograd) {}

std::string CpuBackend::description() const {
    const dnnl_version_t* version = dnnl_version();
    return "cpu: " + std::to_string(threads_) + (threads_ == 1 ? " thread, " : " threads, ") + simd_->name +
           ", oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch);
}

}  // namespace plumecast::cpu

namespace plumecast {

std::unique_ptr<Backend> make_cpu_backend(const CpuOptions& options) {
    return std::make_unique<cpu::CpuBackend>(options.threads, options.winograd);
}

}  // namespace plumecast
