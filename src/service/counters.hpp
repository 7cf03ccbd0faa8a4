#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace plumecast::service {

/// What has been answered since the start, for Prometheus. Any number of threads may count.
class Counters {
   public:
    /// An answer to a known route, or to "other", that took so long [s].
    void count(const std::string& route, int status, double seconds);
    void count_cases(std::int64_t cases);
    /// A request that is being answered, until its end.
    class Entered {
       public:
        explicit Entered(Counters& counters) : counters_(counters) { counters_.enter(); }
        ~Entered() { counters_.leave(); }
        Entered(const Entered&) = delete;
        Entered& operator=(const Entered&) = delete;

       private:
        Counters& counters_;
    };
    std::int64_t in_flight() const;

    /// Text exposition format, version 0.0.4.
    std::string text(std::int64_t waiting, std::int64_t joined) const;

   private:
    void enter();
    void leave();

    mutable std::mutex mutex_;
    std::map<std::pair<std::string, int>, std::int64_t> answers_;
    std::map<std::string, double> seconds_;
    std::int64_t cases_ = 0;
    std::int64_t in_flight_ = 0;
};

}  // namespace plumecast::service
