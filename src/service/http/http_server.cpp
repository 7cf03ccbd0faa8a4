#include "service/http/http_server.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <functional>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include <httplib.h>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"
#include "service/http/channel.hpp"
#include "service/http/library_interfaces.hpp"
#include "service/http/packed_body.hpp"
#include "service/http/tls.hpp"
#include "service/problem.hpp"

namespace plumecast::service {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t spare_connections = 16;  // beside those that compute or wait
constexpr std::size_t longest_target = 4096;   // bytes of a URL

/// Where the encodings stand that a client reads. Under its own name the library would find the header, and pack bodies
/// itself: by Brotli where it can, which takes seconds for some megabytes.
constexpr const char* read_encodings = "Plumecast-Accept-Encoding";

constexpr std::size_t most_of_head = std::size_t{64} << 10;  // bytes of a request before its body
constexpr std::size_t least_rate = std::size_t{64} << 10;    // at which a client reads [byte/s]
constexpr std::chrono::seconds longest_end(3);               // that clients have to read once the service ends

/// Tells where the lines before a body end.
class Head {
   public:
    /// Whether so many bytes more are too many.
    bool is_too_long(const char* bytes, std::size_t count) {
        for (std::size_t i = 0; i < count && !has_ended_; ++i) {
            has_ended_ = bytes[i] == '\n' && is_empty_line_;
            is_empty_line_ = bytes[i] == '\n' || (is_empty_line_ && bytes[i] == '\r');
            ++size_;
        }
        return size_ > most_of_head;
    }

   private:
    std::size_t size_ = 0;
    bool is_empty_line_ = false;
    bool has_ended_ = false;
};

/// A connection whose request must be there by a time, however slowly it trickles in, and which must take its answer by
/// a time.
class DatedStream : public ReadyStream<httplib::Stream> {
   public:
    DatedStream(Channel& channel, int socket, SteadyClock::duration longest, const Patience& patience,
                const Hurry& hurry)
        : channel_(channel), socket_(socket), longest_(longest), patience_(patience), hurry_(hurry) {}

    ssize_t read(char* to, size_t size) override {
        if (begin_ == filled_) {
            if (patience_.is_over()) {  // however steadily something comes
                return -1;
            }
            const std::ptrdiff_t got = channel_.receive(buffer_.data(), buffer_.size(), patience_);
            if (got <= 0) {
                return got;
            }
            patience_.count(static_cast<std::size_t>(got));
            if (head_.is_too_long(buffer_.data(), static_cast<std::size_t>(got))) {
                has_long_head_ = true;
                return -1;
            }
            begin_ = 0;
            filled_ = static_cast<std::size_t>(got);
        }
        const std::size_t count = std::min(size, filled_ - begin_);
        std::copy_n(buffer_.data() + begin_, count, to);
        begin_ += count;
        return static_cast<ssize_t>(count);
    }

    /// All of it: a client that reads nothing is waited for as long as one that sends no request, one that reads as
    /// long as the bytes take at the least rate besides.
    ssize_t write(const char* from, size_t size) override {
        return has_long_head_ ? static_cast<ssize_t>(size) : send_all(from, size);  // refuse_long_head() answers
    }

    /// Answers a request whose lines before the body were not read to their end, which the library says less well of.
    void refuse_long_head() {
        if (!has_long_head_) {
            return;
        }
        const Response response = problem_response(
            431, fmt::format("the lines before the body have more than {} bytes (this service reads no more); send "
                             "fewer or shorter header fields",
                             most_of_head));
        const std::string text = fmt::format(
            "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: "
            "no-store\r\nConnection: close\r\n\r\n{}",
            response.type, response.body.size(), response.body);
        send_all(text.data(), text.size());
    }

    void get_remote_ip_and_port(std::string& ip, int& port) const override { name_of(&getpeername, ip, port); }
    void get_local_ip_and_port(std::string& ip, int& port) const override { name_of(&getsockname, ip, port); }
    socket_t socket() const override { return socket_; }

    /// Lets the client read the answer before the connection ends: what it still sends is thrown away for a moment.
    void linger() {
        channel_.finish();
        const Patience patience(std::chrono::seconds(1), &hurry_);
        while (service::is_readable(socket_, patience) && recv(socket_, buffer_.data(), buffer_.size(), 0) > 0) {
        }
    }

   private:
    ssize_t send_all(const char* from, size_t size) {
        Patience patience(longest_ + std::chrono::seconds(size / least_rate), &hurry_);
        for (size_t done = 0; done < size;) {
            const std::ptrdiff_t sent =
                done > 0 && patience.is_over() ? -1 : channel_.send(from + done, size - done, patience);
            if (sent <= 0) {
                return -1;
            }
            patience.count(static_cast<std::size_t>(sent));
            done += static_cast<size_t>(sent);
        }
        return static_cast<ssize_t>(size);
    }

    void name_of(int (*ask)(int, sockaddr*, socklen_t*), std::string& ip, int& port) const {
        sockaddr_storage address{};
        socklen_t size = sizeof address;
        std::array<char, NI_MAXHOST> host{};
        std::array<char, NI_MAXSERV> service{};
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        if (ask(socket_, generic, &size) == 0 && getnameinfo(generic, size, host.data(), host.size(), service.data(),
                                                             service.size(), NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
            ip = host.data();
            port = std::atoi(service.data());
        }
    }

    Channel& channel_;
    int socket_;
    SteadyClock::duration longest_;
    Patience patience_;
    const Hurry& hurry_;
    Head head_;
    bool has_long_head_ = false;
    std::array<char, 16384> buffer_{};
    std::size_t begin_ = 0;
    std::size_t filled_ = 0;
};

/// Threads that count what waits for them.
class CountedPool : public httplib::TaskQueue {
   public:
    CountedPool(std::size_t threads, Hurry& hurry) : pool_(threads), hurry_(hurry) {}

    Enqueued enqueue(std::function<void()> work) override {
        ++hurry_.others;
        return pool_.enqueue([this, work = std::move(work)] {
            --hurry_.others;
            work();
        });
    }
    void shutdown() override { pool_.shutdown(); }

   private:
    httplib::ThreadPool pool_;
    Hurry& hurry_;
};

Request request_of(const httplib::Request& from) {
    Request request{
        from.method, from.path, {}, from.body, from.remote_addr, nullptr, {from.params.begin(), from.params.end()}};
    for (const auto& [name, value] : from.headers) {
        request.headers.emplace(lower(name), value);
    }
    if (const auto& progress = progress_of(from)) {
        request.is_abandoned = [progress] { return !progress(0, 0); };
    }
    return request;
}

Response too_long_target() {
    return problem_response(414, fmt::format("the URL is longer than the {} bytes that this service reads of one; name "
                                             "fewer cases, or send them as JSON",
                                             longest_target));
}

Response too_large_body() {
    return problem_response(413,
                            "the body is larger than this service takes; ask for fewer cases, or start it with a "
                            "higher limit");
}

/// What the request says of its body [byte]; 0 where it is no number, the most there is where it is a larger one.
std::size_t announced_length(const httplib::Request& request) {
    const std::string text = request.get_header_value("Content-Length");
    std::size_t length = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
    return read.ec == std::errc::result_out_of_range ? std::numeric_limits<std::size_t>::max() : length;
}

void hide_encodings(httplib::Request& request) {
    std::string accepted;  // of all lines of the header, as one list
    for (std::size_t i = 0; i < request.get_header_value_count("Accept-Encoding"); ++i) {
        accepted += request.get_header_value("Accept-Encoding", i) + ",";
    }
    request.headers.erase("Accept-Encoding");
    request.headers.erase(read_encodings);
    request.set_header(read_encodings, accepted);
}

void give(Response from, httplib::Response& to) {
    to.status = from.status;
    to.body = std::move(from.body);
    if (from.next_part) {
        to.set_content_provider(from.type, [next = std::move(from.next_part)](std::size_t, httplib::DataSink& sink) {
            const std::string part = next();
            if (part.empty()) {
                sink.done();
                return true;
            }
            return sink.write(part.data(), part.size());
        });
    } else if (!from.type.empty()) {
        to.set_header("Content-Type", from.type);
    }
    for (const auto& [name, value] : from.headers) {
        to.set_header(name, value);
    }
}

}  // namespace

class HttpServer::Listener : public httplib::Server {
   public:
    Listener(Service& service, const Endpoint& endpoint) : service_(service), endpoint_(endpoint) {
        if (endpoint.is_encrypted()) {
            tls_ = std::make_unique<const Tls>(endpoint.certificate, endpoint.key);
        }
        set_payload_max_length(service.limits().body_bytes);
        const Limits& limits = service.limits();
        const auto threads =
            static_cast<std::size_t>(limits.concurrent + limits.waiting + limits.streams) + spare_connections;
        new_task_queue = [threads, this] { return new CountedPool(threads, hurry_); };
        set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
            if (from.target.size() > longest_target) {
                give(too_long_target(), to);
                return HandlerResponse::Handled;
            }
            // Without a length the library would read without end.
            if (from.method == "POST" && (from.has_header("Transfer-Encoding") || !from.has_header("Content-Length"))) {
                give(problem_response(411, "the body has no Content-Length; send it whole, with its length"), to);
                return HandlerResponse::Handled;
            }
            if (announced_length(from) > service_.limits().body_bytes) {
                give(too_large_body(), to);
                return HandlerResponse::Handled;
            }
            Request request = request_of(from);
            // A DELETE has no body that counts, and the library would read one without end.
            if (!service_.refusal(request) && from.method != "DELETE") {
                return HandlerResponse::Unhandled;
            }
            give(as_read(service_.answer(request), from.get_header_value(read_encodings)), to);
            return HandlerResponse::Handled;
        });
        const auto answer = [this](const httplib::Request& from, httplib::Response& to) {
            give(as_read(service_.answer(request_of(from)), from.get_header_value(read_encodings)), to);
        };
        Get("/.*", answer);
        Post("/.*", answer);
        set_error_handler(HandlerWithResponse([](const httplib::Request&, httplib::Response& to) {
            if (!to.body.empty()) {
                return HandlerResponse::Unhandled;
            }
            if (to.status == 413) {
                give(too_large_body(), to);
                return HandlerResponse::Handled;
            }
            if (to.status == 414) {  // beyond what the library reads
                give(too_long_target(), to);
                return HandlerResponse::Handled;
            }
            if (to.status >= 500) {
                give(problem_response(503, "the service has no room for the request now; ask again in a moment"), to);
                return HandlerResponse::Handled;
            }
            give(problem_response(to.status >= 400 ? to.status : 400,
                                  "the request is no complete HTTP/1.1 request; correct the client"),
                 to);
            return HandlerResponse::Handled;
        }));
        // Not the library's own options: they let several processes share a port.
        set_socket_options([](socket_t socket) {
            const int yes = 1;
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        });
        if (endpoint.port == 0) {
            port_ = bind_to_any_port(endpoint.host);
        } else {
            port_ = bind_to_port(endpoint.host, endpoint.port) ? endpoint.port : -1;
        }
        if (port_ < 0) {
            throw IoError(
                fmt::format("{}:{} cannot be listened on (the port may be in use, or the host not of this "
                            "machine); choose another port or host",
                            endpoint.host, endpoint.port));
        }
        // The library keeps five that it has not taken yet; the next would have to ask again after a second.
        ::listen(svr_sock_, static_cast<int>(threads));
    }

    ~Listener() override { end(); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    int port() const { return port_; }
    void start() {
        thread_ = std::thread([this] { listen_after_bind(); });
        while (!is_running()) {
            std::this_thread::yield();
        }
    }
    void end() {
        if (thread_.joinable()) {
            hurry_.end = SteadyClock::now() + longest_end;
            stop();
            thread_.join();
        }
    }

   private:
    bool process_and_close_socket(socket_t socket) override {
        bool is_answered = false;
        try {
            const auto longest = std::chrono::duration_cast<SteadyClock::duration>(
                std::chrono::duration<double>(endpoint_.request_seconds));
            const Patience patience(longest, &hurry_);
            const std::unique_ptr<Channel> channel = tls_ ? tls_->accept(socket, patience) : plain_channel(socket);
            if (channel) {
                DatedStream stream(*channel, socket, longest, patience, hurry_);
                const auto set_up = [&channel](httplib::Request& request) {
                    request.ranges.clear();  // answers are whole
                    hide_encodings(request);
                    progress_of(request) = [&channel](auto, auto) { return !channel->is_abandoned(); };
                };
                is_answered = answer_only_request(
                    stream, set_up, [this](auto&&... arguments) -> decltype(process_request(arguments...)) {
                        return process_request(arguments...);
                    });
                stream.refuse_long_head();
                stream.linger();
            }
        } catch (const std::exception&) {
            is_answered = false;  // no memory for the connection; the others go on
        }
        close(socket);
        return is_answered;
    }

    Service& service_;
    Endpoint endpoint_;
    Hurry hurry_;
    std::unique_ptr<const Tls> tls_;  // nullptr where nothing is encrypted
    int port_ = -1;
    std::thread thread_;
};

HttpServer::HttpServer(Service& service, const Endpoint& endpoint)
    : listener_(std::make_unique<Listener>(service, endpoint)) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return listener_->port(); }

void HttpServer::start() { listener_->start(); }

bool HttpServer::is_running() const { return listener_->is_running(); }

void HttpServer::stop() { listener_->end(); }

}  // namespace plumecast::service
