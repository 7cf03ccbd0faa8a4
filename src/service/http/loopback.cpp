#include "service/http/loopback.hpp"

#include <arpa/inet.h>

namespace plumecast::service {

bool is_loopback(const std::string& host) {
    in_addr address{};
    return host == "localhost" || host == "::1" ||
           (inet_pton(AF_INET, host.c_str(), &address) == 1 && ntohl(address.s_addr) >> 24 == 127);
}

}  // namespace plumecast::service
