#include <plumecast/core/error.hpp>

#include "service/http/tls.hpp"

namespace plumecast::service {

struct Tls::Context {};

Tls::Tls(const std::string&, const std::string&) {
    throw NotBuilt(
        "connections cannot be encrypted (this build has no TLS); build with -DPLUMECAST_TLS=ON, which needs OpenSSL's "
        "libssl, or put a reverse proxy in front that encrypts");
}

Tls::~Tls() = default;

std::unique_ptr<Channel> Tls::accept(int, const Patience&) const { return nullptr; }

}  // namespace plumecast::service
