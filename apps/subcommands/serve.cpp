#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <plumecast/core/error.hpp>

#include "arguments/model_path.hpp"
#include "arguments/number_checks.hpp"
#include "command.hpp"
#include "core/number_text.hpp"
#include "core/text/ascii.hpp"
#include "device.hpp"
#include "interrupts.hpp"
#include "io/text_file.hpp"
#include "service/http/http_server.hpp"
#include "service/http/loopback.hpp"
#include "service/service.hpp"
#include "service/uploads/upload.hpp"

namespace plumecast::app {
namespace {

constexpr std::size_t shortest_token = 16;
constexpr std::size_t longest_token = 512;
constexpr double shortest_time = 1e-3, longest_time = 1e8;  // [s]

struct ServeOptions {
    std::vector<std::string> bundles = {"radial-co2"};
    service::Endpoint endpoint;
    std::string token_file;
    service::Limits limits;
    std::int64_t body_mib = static_cast<std::int64_t>(service::Limits{}.body_bytes >> 20);
    int threads = 0;
    DeviceOptions device;
    std::string upload_folder;  // of the process that answers an upload
};

/// The one line of the file, without blanks around it.
std::string token_in(const std::string& file) {
    std::string text = read_text(file);
    while (!text.empty() && is_space(text.back())) {
        text.pop_back();
    }
    if (text.size() < shortest_token || text.size() > longest_token ||
        !std::ranges::all_of(text, [](char c) { return c > ' ' && is_printable(c); })) {
        throw InvalidInput(
            fmt::format("{}: holds no token (one line of {} to {} letters, digits and signs without "
                        "blanks); make one with 'openssl rand -hex 32'",
                        file, shortest_token, longest_token));
    }
    return text;
}

/// Until a signal asks to stop; then what runs is finished.
void serve_until_stopped(service::Service& service, service::HttpServer& server, const std::string& greeting,
                         Console& console) {
    constexpr std::chrono::milliseconds interval(50);
    const Interrupts interrupts;
    server.start();
    console.info(greeting);
    while (!interrupts.requested()) {
        if (!server.is_running()) {
            throw IoError("connections are no longer taken (the system refused one); start the service again");
        }
        std::this_thread::sleep_for(interval);
    }
    console.info(fmt::format("ending; {} to be finished", counted(service.in_flight(), "request")));
    service.drain();
    while (service.in_flight() > 0) {
        std::this_thread::sleep_for(interval);
    }
    server.stop();
}

/// The command that starts this program again to answer an upload on the same device.
service::UploadCommand upload_command(const ServeOptions& options) {
    const DeviceOptions& device = options.device;
    return {std::filesystem::read_symlink("/proc/self/exe").string(),
            "serve",
            "--device",
            device.device,
            "--precision",
            device.precision,
            "--winograd",
            device.winograd,
            "--spectral",
            device.spectral,
            "--device-memory",
            device.memory,
            "--threads",
            std::to_string(options.threads),
            "--answer-upload"};
}

/// Whether clients on other machines send their token as it is.
bool shows_token(const ServeOptions& options) {
    return !options.token_file.empty() && !options.endpoint.is_encrypted() &&
           !service::is_loopback(options.endpoint.host);
}

ExitCode serve(const ServeOptions& options, Console& console) {
    if (!options.upload_folder.empty()) {
        service::answer_upload(options.upload_folder, *make_backend(options.device, options.threads, console));
        return exit_ok;
    }
    service::ServiceOptions how{
        options.limits, {}, usable_threads(options.threads, console), upload_command(options), nullptr};
    how.limits.body_bytes = static_cast<std::size_t>(options.body_mib) << 20;
    if (!options.token_file.empty()) {
        how.token = token_in(options.token_file);
    } else if (!service::is_loopback(options.endpoint.host)) {
        throw InvalidInput(
            fmt::format("--host {} is reached from other machines (anybody there could compute and read "
                        "the models); give --token-file too, or leave --host out",
                        options.endpoint.host));
    }
    std::mutex logging;
    how.log = [&](const std::string& line) {
        const std::lock_guard lock(logging);
        console.print(line + "\n");
    };
    const auto backend = make_backend(options.device, options.threads, console);
    std::vector<service::ServedModel> models;
    std::vector<std::string> names;
    for (const std::string& bundle : options.bundles) {
        models.emplace_back(model_path(bundle), *backend);
        names.push_back(models.back().name);
    }
    service::Service service(std::move(models), std::move(how));
    service::HttpServer server(service, options.endpoint);
    if (shows_token(options)) {
        console.warn(
            fmt::format("the token travels unencrypted to --host {} (whoever is between can read it); give "
                        "--tls-certificate and --tls-key, or put a reverse proxy in front that encrypts",
                        options.endpoint.host));
    }
    const bool is_v6 = options.endpoint.host.find(':') != std::string::npos;
    const std::string greeting =
        fmt::format("serving {} at {}://{}{}{}:{}/{}", fmt::join(names, ", "),
                    options.endpoint.is_encrypted() ? "https" : "http", is_v6 ? "[" : "", options.endpoint.host,
                    is_v6 ? "]" : "", server.port(), options.token_file.empty() ? "" : ", with a token");
    serve_until_stopped(service, server, greeting, console);
    return exit_ok;
}

}  // namespace

Command make_serve(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("serve", "Answer requests over HTTP, with a page to try scenarios");
    const auto options = std::make_shared<ServeOptions>();
    app->add_option("bundles", options->bundles, std::string(model_help) + "; the first is the usual one")
        ->type_name("BUNDLE")
        ->default_str("radial-co2");
    app->add_option("--port", options->endpoint.port, "Port to listen on; 0 takes any that is free")
        ->check(between(0, 65535))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--host", options->endpoint.host,
                    "Address to listen on; any but this machine's own loopback needs a token")
        ->type_name("HOST")
        ->capture_default_str();
    app->add_option("--token-file", options->token_file, "File with the token that requests must bear")
        ->type_name("FILE");
    CLI::Option* certificate = app->add_option("--tls-certificate", options->endpoint.certificate,
                                               "Chain of certificates in PEM, with which connections are encrypted");
    CLI::Option* key = app->add_option("--tls-key", options->endpoint.key, "Key of the certificate in PEM");
    certificate->type_name("FILE")->needs(key);
    key->type_name("FILE")->needs(certificate);
    app->add_option("--max-concurrent", options->limits.concurrent, "Requests that compute at once; others wait")
        ->check(between(1, 64))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--max-waiting", options->limits.waiting, "Requests that wait at most; others get 503")
        ->check(between(0, 512))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--max-body", options->body_mib, "Largest body of a request [MiB]")
        ->check(between(1, 1024))
        ->type_name("MIB")
        ->capture_default_str();
    app->add_option("--max-cases", options->limits.cases, "Most cases in a request")
        ->check(between(1, 100000))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--max-values", options->limits.values, "Most values of a field: cases times cells times times")
        ->check(between(1, 1e12))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--max-seconds", options->limits.seconds, "Longest time that a request waits and computes [s]")
        ->check(between(shortest_time, longest_time))
        ->type_name("S")
        ->capture_default_str();
    app->add_option("--max-realizations", options->limits.realizations, "Most realizations of an ensemble")
        ->check(between(2, 100000))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--max-ensembles", options->limits.ensembles,
                    "Ensembles that are kept; the longest ended makes place, and where none has ended others get 429")
        ->check(between(1, 1000))
        ->type_name("N")
        ->capture_default_str();
    app->add_option("--ensemble-seconds", options->limits.ensemble_seconds, "How long an ended ensemble is kept [s]")
        ->check(between(shortest_time, longest_time))
        ->type_name("S")
        ->capture_default_str();
    app->add_option("--request-seconds", options->endpoint.request_seconds,
                    "Longest time that a client takes to send a request [s]")
        ->check(between(shortest_time, longest_time))
        ->type_name("S")
        ->capture_default_str();
    app->add_option("--answer-upload", options->upload_folder, "What the service starts for each upload")->group("");
    add_threads(*app, options->threads);
    add_device(*app, options->device);
    add_examples(
        *app,
        "  plumecast serve\n"
        "  plumecast serve radial-co2 radial-co2-fast --port 9000\n"
        "  plumecast serve --host 0.0.0.0 --token-file token.txt --tls-certificate chain.pem --tls-key key.pem\n\n"
        "The page is at the address that is shown; docs/serve.md has the interface. Each answer is a line of\n"
        "JSON on stdout. SIGTERM and Ctrl-C finish the requests that run, refuse new ones and end with 0.");
    return {app, [options](Console& console) { return serve(*options, console); }};
}

}  // namespace plumecast::app
