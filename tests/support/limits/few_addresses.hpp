#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace plumecast::testing {

/// Leaves the process so many bytes of addresses beside those it has mapped, for as long as it lives.
class FewAddresses {
   public:
    explicit FewAddresses(std::size_t bytes) {
        getrlimit(RLIMIT_AS, &before_);
        const rlimit lower{mapped() + bytes, before_.rlim_max};
        is_set_ = setrlimit(RLIMIT_AS, &lower) == 0;
    }
    FewAddresses(const FewAddresses&) = delete;
    FewAddresses& operator=(const FewAddresses&) = delete;
    ~FewAddresses() { setrlimit(RLIMIT_AS, &before_); }

    bool is_set() const { return is_set_; }

    /// False under a sanitizer, which maps most addresses for itself.
    static bool are_possible() { return mapped() < (std::size_t{1} << 40); }

   private:
    static std::size_t mapped() {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    }

    rlimit before_{};
    bool is_set_ = false;
};

}  // namespace plumecast::testing
