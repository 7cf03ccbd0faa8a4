#pragma once

#include <memory>
#include <string>

#include "service/service.hpp"

namespace plumecast::service {

/// Where a service listens, and how long it waits for clients.
struct Endpoint {
    std::string host = "127.0.0.1";
    int port = 8080;                ///< 0 for any that is free
    double request_seconds = 10.0;  ///< that a client takes to send a request at most
    /// Files of a chain of certificates and of its key, in PEM; empty where nothing is encrypted.
    std::string certificate = {}, key = {};

    bool is_encrypted() const { return !certificate.empty(); }
};

/// Brings requests from sockets to a service, and its answers back: HTTP/1.1, one request per connection, in the open
/// or through TLS.
class HttpServer {
   public:
    /// Listens from now on; answers once started. The service must outlive it. Throws IoError when the address cannot
    /// be taken, and what Tls throws.
    HttpServer(Service& service, const Endpoint& endpoint);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    int port() const;
    /// Answers on threads of its own.
    void start();
    /// False after stop(), or once the system takes the port away.
    bool is_running() const;
    /// Ends; waits for the requests that are being answered, and a few seconds for clients to read their answers.
    void stop();

   private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

}  // namespace plumecast::service
