#include "service/http/tls.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <limits>

#include <plumecast/core/error.hpp>

namespace plumecast::service {
namespace {

/// What OpenSSL says of the latest failure on this thread; it is forgotten then.
std::string reason_of_openssl() {
    const char* reason = ERR_reason_error_string(ERR_peek_last_error());
    ERR_clear_error();
    return reason == nullptr ? "it cannot be read" : reason;
}

/// Nobody is asked for the password of a key: a service starts alone.
int no_password(char*, int, int, void*) { return 0; }

struct EndSession {
    void operator()(SSL* session) const { SSL_free(session); }
};
using Session = std::unique_ptr<SSL, EndSession>;

class TlsChannel final : public Channel {
   public:
    TlsChannel(Session session, int socket) : session_(std::move(session)), socket_(socket) {}

    bool shakes_hands(const Patience& patience) {
        return over_time(patience, [this] { return SSL_accept(session_.get()); }) > 0;
    }
    std::ptrdiff_t receive(char* to, std::size_t size, const Patience& patience) override {
        return over_time(patience, [&] { return SSL_read(session_.get(), to, length_of(size)); });
    }
    std::ptrdiff_t send(const char* from, std::size_t size, const Patience& patience) override {
        const int sent = over_time(patience, [&] { return SSL_write(session_.get(), from, length_of(size)); });
        return sent > 0 ? sent : -1;
    }
    bool is_abandoned() override {
        char next = 0;
        ERR_clear_error();
        const int found = SSL_peek(session_.get(), &next, 1);
        const int why = SSL_get_error(session_.get(), found);
        return found <= 0 && why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE;
    }
    void finish() override {
        ERR_clear_error();
        SSL_shutdown(session_.get());
        shutdown(socket_, SHUT_WR);
        ERR_clear_error();
    }

   private:
    static int length_of(std::size_t size) {
        return static_cast<int>(std::min(size, static_cast<std::size_t>(std::numeric_limits<int>::max())));
    }

    /// What a call gives that may have to wait for the client; 0 where it has closed, -1 where it does not go on.
    template <class Call>
    int over_time(const Patience& patience, Call call) {
        for (;;) {
            ERR_clear_error();
            const int result = call();
            if (result > 0) {
                return result;
            }
            switch (SSL_get_error(session_.get(), result)) {
                case SSL_ERROR_WANT_READ:
                    if (!is_readable(socket_, patience)) {
                        return -1;
                    }
                    break;
                case SSL_ERROR_WANT_WRITE:
                    if (!is_writable(socket_, patience)) {
                        return -1;
                    }
                    break;
                case SSL_ERROR_ZERO_RETURN:
                    return 0;
                default:
                    return -1;
            }
        }
    }

    Session session_;
    int socket_;
};

}  // namespace

struct Tls::Context {
    SSL_CTX* made = SSL_CTX_new(TLS_server_method());

    Context() = default;
    ~Context() { SSL_CTX_free(made); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

Tls::Tls(const std::string& certificate, const std::string& key) {
    auto context = std::make_unique<Context>();
    SSL_CTX* made = context->made;
    if (made == nullptr) {
        throw InvalidInput("connections cannot be encrypted (" + reason_of_openssl() + "); correct OpenSSL's setup");
    }
    SSL_CTX_set_min_proto_version(made, TLS1_2_VERSION);
    SSL_CTX_set_options(made, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_mode(made, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_default_passwd_cb(made, no_password);
    if (SSL_CTX_use_certificate_chain_file(made, certificate.c_str()) != 1) {
        throw InvalidInput(certificate + ": holds no certificate that can be used (" + reason_of_openssl() +
                           "); give a chain of certificates in PEM, that of this host first");
    }
    if (SSL_CTX_use_PrivateKey_file(made, key.c_str(), SSL_FILETYPE_PEM) != 1) {
        throw InvalidInput(key + ": holds no key that can be used, or that of another certificate (" +
                           reason_of_openssl() + "); give the key of the certificate in PEM, without a password");
    }
    context_ = std::move(context);
}

Tls::~Tls() = default;

std::unique_ptr<Channel> Tls::accept(int socket, const Patience& patience) const {
    Session session(SSL_new(context_->made));
    if (!session || SSL_set_fd(session.get(), socket) != 1) {
        ERR_clear_error();
        return nullptr;
    }
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
    auto channel = std::make_unique<TlsChannel>(std::move(session), socket);
    return channel->shakes_hands(patience) ? std::move(channel) : nullptr;
}

}  // namespace plumecast::service
