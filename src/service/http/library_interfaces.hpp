#pragma once

#include <ctime>
#include <functional>
#include <string>
#include <utility>

#include <httplib.h>

/// What releases of cpp-httplib declare differently, from 0.11 (Debian 12) to 0.41.
namespace plumecast::service {

/// What TaskQueue::enqueue() returns: nothing, or whether the task was taken.
using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue(std::function<void()>()));

/// A stream that is always ready; of the functions that say so each release knows some. A template, since which of them
/// override is known with its base only.
template <class Stream>
class ReadyStream : public Stream {
   public:
    virtual bool is_readable() const { return true; }
    virtual bool is_writable() const { return true; }
    virtual bool wait_readable() const { return true; }
    virtual bool wait_writable() const { return true; }
    virtual std::time_t duration() const { return 0; }
};

/// The member of a request that tells how a transfer goes on, which servers do not use.
template <class Request>
auto& progress_of(Request& request) {
    if constexpr (requires { request.progress; }) {
        return request.progress;
    } else {
        return request.download_progress;
    }
}

/// Calls Server::process_request() through `call`, a function that hands its arguments on to it, for the only request
/// of a connection.
template <class Call>
bool answer_only_request(httplib::Stream& stream, const std::function<void(httplib::Request&)>& set_up, Call call) {
    bool is_closed = false;
    if constexpr (requires { call(stream, true, is_closed, set_up); }) {
        return call(stream, true, is_closed, set_up);
    } else {
        std::string remote, local;
        int remote_port = 0, local_port = 0;
        stream.get_remote_ip_and_port(remote, remote_port);
        stream.get_local_ip_and_port(local, local_port);
        return call(stream, remote, remote_port, local, local_port, true, is_closed, set_up);
    }
}

}  // namespace plumecast::service
