#pragma once

#include <functional>
#include <map>
#include <string>

namespace plumecast::service {

/// What a client asks, without a socket.
struct Request {
    std::string method = "GET";
    std::string path = "/";
    std::map<std::string, std::string> headers = {};  ///< names in small letters
    std::string body = {};
    std::string remote = {};                             ///< address of the client
    std::function<bool()> is_abandoned = nullptr;        ///< the client no longer waits; may be empty
    std::multimap<std::string, std::string> query = {};  ///< what stands behind the '?' of the URL, decoded

    /// Value of a header by its name in small letters; empty where it is not there.
    std::string header(const std::string& name) const {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string() : found->second;
    }
};

/// What it is answered.
struct Response {
    int status = 200;
    std::string type = "application/json";
    std::string body = {};
    std::map<std::string, std::string> headers = {};
    /// Where the body is told part by part: waits for the next, an empty one is the last. Then `body` is empty.
    std::function<std::string()> next_part = nullptr;
};

}  // namespace plumecast::service
