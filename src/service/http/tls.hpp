#pragma once

#include <memory>
#include <string>

#include "service/http/channel.hpp"

namespace plumecast::service {

/// A certificate and its key, with which connections are encrypted: TLS 1.2 and 1.3.
class Tls {
   public:
    /// Reads a chain of certificates and a key in PEM. Throws InvalidInput naming the file that cannot be used or does
    /// not fit, NotBuilt where the build has no OpenSSL.
    Tls(const std::string& certificate, const std::string& key);
    ~Tls();
    Tls(const Tls&) = delete;
    Tls& operator=(const Tls&) = delete;

    /// What a client encrypts; nullptr where it does not within the patience. The socket must outlive it, and no longer
    /// blocks.
    std::unique_ptr<Channel> accept(int socket, const Patience& patience) const;

   private:
    struct Context;
    std::unique_ptr<const Context> context_;
};

}  // namespace plumecast::service
