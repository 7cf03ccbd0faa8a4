#pragma once

#include <omp.h>

#include <cstdint>
#include <exception>

#include "backend/cpu/processor/denormals.hpp"

namespace plumecast::cpu {

/// Makes oneDNN and OpenMP use a number of threads, all of which flush denormals, for the calls of one op, and puts
/// number and state back.
class ThreadScope {
   public:
    explicit ThreadScope(int threads) : before_(omp_get_max_threads()), state_(flush_denormals()) {
        omp_set_num_threads(threads);
#pragma omp parallel
        flush_denormals();
        flush_denormals();  // LLVM's OpenMP gives the caller the state back that it had before the region
    }
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;
    ~ThreadScope() {
#pragma omp parallel
        restore_denormals(state_);
        restore_denormals(state_);
        omp_set_num_threads(before_);
    }

   private:
    int before_;
    unsigned state_;
};

/// Calls work(begin, end) on even pieces of [0, count), one per thread, with denormals flushed; small counts
/// stay on the caller. Throws what a piece throws, once all are done.
template <class Work>
void parallel_ranges(int threads, std::int64_t count, std::int64_t grain, const Work& work) {
    const std::int64_t useful = count / (grain > 0 ? grain : 1);
    const int team = useful < threads ? static_cast<int>(useful > 1 ? useful : 1) : threads;
    std::exception_ptr failure;  // none may leave the region
#pragma omp parallel num_threads(team) if (team > 1)
    {
        const DenormalScope flushing;
        const std::int64_t rank = omp_get_thread_num();
        const std::int64_t size = omp_get_num_threads();
        try {
            work(count * rank / size, count * (rank + 1) / size);
        } catch (...) {
#pragma omp critical
            failure = std::current_exception();
        }
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace plumecast::cpu
