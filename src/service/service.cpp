#include "service/service.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/inference/bundle.hpp>

#include "core/clock.hpp"
#include "service/answer.hpp"
#include "service/assets.hpp"
#include "service/http/loopback.hpp"
#include "service/log_line.hpp"
#include "service/problem.hpp"
#include "service/uploads/upload.hpp"
#include "service/uploads/upload_query.hpp"

namespace plumecast::service {

struct Service::Route {
    std::string_view method;
    std::string_view path;
    Handler handler;
    bool is_public;  // needs no token: what tells nothing of models and computes nothing
};

const std::vector<Service::Route>& Service::table() {
    static const std::vector<Route> routes = [] {
        std::vector<Route> all = {{"GET", "/v1/health", &Service::health, true},
                                  {"GET", "/v1/models", &Service::list_models, false},
                                  {"POST", "/v1/predict", &Service::predict, false},
                                  {"POST", "/v1/estimate", &Service::estimate, false},
                                  {"POST", "/v1/ensembles", &Service::begin_ensemble, false},
                                  {"GET", "/v1/ensembles/{id}", &Service::ensemble, false},
                                  {"DELETE", "/v1/ensembles/{id}", &Service::end_ensemble, false},
                                  {"GET", "/v1/ensembles/{id}/events", &Service::ensemble_events, false},
                                  {"GET", "/v1/ensembles/{id}/cases/{k}", &Service::ensemble_case, false},
                                  {"GET", "/v1/ensembles/{id}/data", &Service::ensemble_data, false},
                                  {"GET", "/metrics", &Service::metrics, false}};
        for (const Asset& one : assets()) {
            all.push_back({"GET", one.path, &Service::asset, true});
        }
        return all;
    }();
    return routes;
}

std::vector<std::string> Service::routes() {
    std::vector<std::string> names;
    for (const Route& route : table()) {
        names.push_back(fmt::format("{} {}", route.method, route.path));
    }
    return names;
}

namespace {

/// Whether a path is one of a route, in which "{name}" stands for any part.
bool is_path_of(std::string_view route, std::string_view path) {
    while (!route.empty() && !path.empty()) {
        const std::size_t of_route = std::min(route.find('/', 1), route.size());
        const std::size_t of_path = std::min(path.find('/', 1), path.size());
        const bool is_any = route.substr(0, of_route).starts_with("/{");
        if (is_any ? path[0] != '/' || of_path < 2 : route.substr(0, of_route) != path.substr(0, of_path)) {
            return false;
        }
        route.remove_prefix(of_route);
        path.remove_prefix(of_path);
    }
    return route.empty() && path.empty();
}

/// Whether texts are equal, in a time that does not tell where they differ.
bool equal_in_constant_time(const std::string& a, const std::string& b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned>(a[i] ^ b[b.empty() ? 0 : i % b.size()]);
    }
    return difference == 0;
}

/// Whether a Host header names this machine itself: other names may be those of a page that was led here.
bool is_loopback_host(std::string host) {
    const std::size_t colon = host.rfind(':');
    if (colon != std::string::npos && host.find(']', colon) == std::string::npos) {
        host.resize(colon);
    }
    return host.empty() || host == "[::1]" || is_loopback(host);
}

/// Whether the body is a data set file; else it is JSON. Throws Problem (415) for other types.
bool is_upload(const Request& request) {
    const std::string type = request.header("content-type");
    if (!type.starts_with("application/x-hdf5") && !type.starts_with("application/json")) {
        throw Problem(415, "the body is neither declared as JSON nor as a data set (Content-Type says '" +
                               type.substr(0, 64) +
                               "'); send it with Content-Type: application/json or application/x-hdf5");
    }
    return type.starts_with("application/x-hdf5");
}

Problem no_turn() { return {503, "the service computes as many requests as it takes at once; ask again in a moment"}; }

}  // namespace

Service::Service(std::vector<ServedModel> models, ServiceOptions options)
    : models_(std::move(models)),
      options_(std::move(options)),
      turns_(options_.limits.concurrent, options_.limits.waiting),
      joined_(turns_),
      ensembles_(options_.limits,
                 [this](const std::string& model, bool is_physics, Scenario scenario, const StopRequest& stop) {
                     const Turns::Turn turn = turns_.take_last(stop);
                     if (!turn.is_taken()) {
                         throw Interrupted();
                     }
                     counters_.count_cases(static_cast<std::int64_t>(scenario.notes.size()));
                     return is_physics ? estimated(std::move(scenario), options_.threads, stop)
                                       : predicted(model_named(model), std::move(scenario), stop);
                 }) {
    if (models_.empty()) {
        throw InvalidInput("there is no model to serve (none is named); name one");
    }
    for (std::size_t i = 0; i < models_.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (models_[i].name == models_[j].name) {
                throw InvalidInput("two models are called '" + models_[i].name +
                                   "' (requests could not tell them apart); rename the folder of one");
            }
        }
    }
}

std::optional<Response> Service::refusal(const Request& request) const {
    if (is_draining_) {
        return problem_response(503, "the service is ending (it finishes what it began); ask again later");
    }
    const std::string path = request.path.substr(0, 64);
    const Route* found = route_of(request);
    if (found == nullptr) {
        std::vector<std::string_view> methods;
        std::vector<std::string> paths;
        for (const Route& route : table()) {
            paths.emplace_back(route.path);
            if (is_path_of(route.path, request.path)) {
                methods.push_back(route.method);
            }
        }
        if (!methods.empty()) {
            Response response = problem_response(
                405, fmt::format("{} answers {} alone; use that method", path, fmt::join(methods, " and ")));
            response.headers["Allow"] = fmt::format("{}", fmt::join(methods, ", "));
            return response;
        }
        const std::string meant = nearest(request.path, paths);
        return problem_response(404, fmt::format("there is nothing at {} ({}); /openapi.json lists what there is", path,
                                                 meant.empty() ? "no path is near" : "near is " + meant));
    }
    if (options_.token.empty()) {
        if (!is_loopback_host(request.header("host"))) {
            return problem_response(403,
                                    "the request names another host than this machine (a service without a token "
                                    "answers as localhost alone); address it so, or start it with a token");
        }
    } else if (!found->is_public &&
               !equal_in_constant_time(request.header("authorization"), "Bearer " + options_.token)) {
        return problem_response(401,
                                "the request bears no token that is known here; send the header Authorization: "
                                "Bearer TOKEN");
    }
    if (const std::string encoding = request.header("content-encoding"); !encoding.empty() && encoding != "identity") {
        return problem_response(415,
                                "the body is compressed (only plain ones are read); send it without "
                                "Content-Encoding");
    }
    return std::nullopt;
}

Response Service::answer(const Request& request) {
    const auto start = Clock::now();
    const Counters::Entered entered(counters_);
    Response response;
    try {
        response = respond(request);
    } catch (const std::exception& error) {
        response = problem_response(error);
    }
    response.headers.emplace("Cache-Control", "no-store");
    response.headers.emplace("X-Content-Type-Options", "nosniff");
    const double seconds = seconds_since(start);
    const auto known =
        std::ranges::find_if(table(), [&](const Route& route) { return is_path_of(route.path, request.path); });
    counters_.count(known == table().end() ? "other" : std::string(known->path), response.status, seconds);
    log(request, response, seconds);
    return response;
}

Response Service::respond(const Request& request) {
    if (std::optional<Response> refused = refusal(request)) {
        return *refused;
    }
    return (this->*route_of(request)->handler)(request);
}

const Service::Route* Service::route_of(const Request& request) {
    const std::string method = request.method == "HEAD" ? "GET" : request.method;
    const auto found = std::ranges::find_if(
        table(), [&](const Route& route) { return route.method == method && is_path_of(route.path, request.path); });
    return found == table().end() ? nullptr : &*found;
}

void Service::drain() {
    is_draining_ = true;
    ensembles_.close();
}

void Service::log(const Request& request, const Response& response, double seconds) const {
    if (!options_.log) {
        return;
    }
    try {
        options_.log(log_line(request, response, seconds));
    } catch (const std::exception& error) {  // a full disk; answers go on, without their lines
        std::fprintf(stderr, "%s\n", error.what());
    }
}

Response Service::health(const Request&) {
    const Json json = Json::Object{{"status", "ok"}, {"version", std::string(version())}};
    return {200, "application/json", json.dump(-1) + "\n"};
}

Response Service::list_models(const Request&) {
    Json::Array models;
    for (const ServedModel& model : models_) {
        models.push_back(model.description);
    }
    const Json json = Json::Object{{"models", std::move(models)}};
    return {200, "application/json", json.dump(-1) + "\n"};
}

Response Service::metrics(const Request&) {
    return {200, "text/plain; version=0.0.4", counters_.text(turns_.waiting(), joined_.joined())};
}

Response Service::asset(const Request& request) {
    const auto found = std::ranges::find(assets(), std::string_view(request.path), &Asset::path);
    Response response{200, std::string(found->type), std::string(found->body)};
    response.headers["Content-Security-Policy"] =
        "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    response.headers["Referrer-Policy"] = "no-referrer";
    return response;
}

Response Service::predict(const Request& request) { return compute(request, false); }

Response Service::estimate(const Request& request) { return compute(request, true); }

const ServedModel& Service::model_named(const std::string& name) const {
    if (name.empty()) {
        return models_.front();
    }
    const auto found = std::ranges::find(models_, name, &ServedModel::name);
    if (found != models_.end()) {
        return *found;
    }
    std::vector<std::string> names;
    std::ranges::transform(models_, std::back_inserter(names), &ServedModel::name);
    const std::string meant = nearest(name, names);
    throw Problem(400,
                  fmt::format("there is no model '{}' here (there is: {}); {}", name.substr(0, 64),
                              fmt::join(names, ", "), meant.empty() ? "name one" : "did you mean '" + meant + "'?"),
                  "model");
}

/// Something that stops where a request takes too long, or nobody waits for it any longer.
Response Service::in_time(const Request& request, const std::function<Response(const StopRequest&)>& work) const {
    const auto start = Clock::now();
    const auto is_late = [&] { return seconds_since(start) > options_.limits.seconds; };
    const StopRequest stop = [&] { return is_late() || (request.is_abandoned && request.is_abandoned()); };
    try {
        return work(stop);
    } catch (const Interrupted&) {
        throw Problem(503, fmt::format("the request was ended before it was computed (it took longer than {:g} s, or "
                                       "its client left); ask for fewer cases or times",
                                       options_.limits.seconds));
    }
}

/// The same once a turn is free.
Response Service::in_turn(const Request& request, const std::function<Response(const StopRequest&)>& work) {
    return in_time(request, [&](const StopRequest& stop) {
        const Turns::Turn turn = turns_.take(stop);
        if (!turn.is_taken()) {
            throw no_turn();
        }
        return work(stop);
    });
}

Response Service::compute(const Request& request, bool is_physics) {
    const bool has_file = is_upload(request);
    const Task task{nullptr, wanted_of(request), options_.threads};
    try {
        if (const std::optional<Json> body = has_file || is_physics ? std::nullopt : small_body(request, task)) {
            return in_time(request, [&](const StopRequest& stop) { return joined_response(*body, task, stop); });
        }
        return in_turn(request, [&](const StopRequest& stop) {
            return has_file ? compute_upload(request, is_physics, task, stop)
                            : compute_json(request, is_physics, task, stop);
        });
    } catch (const NotBuilt& error) {
        throw Problem(406, error.what());
    }
}

Scenario Service::scenario_of(const Json& body, bool is_physics, Task& task) const {
    const ServedModel& model = model_named(model_asked_for(body));
    task.model = is_physics ? nullptr : &model;
    Scenario scenario = read_scenario(body, model.axes, options_.limits);
    require_fields(scenario.fields, fields_of(task, scenario.uncertainty));
    if (task.wanted == Wanted::eclipse) {
        require_exportable(scenario, options_.limits);
    }
    return scenario;
}

/// The body of a request that may wait, read, for others; of larger ones the bytes alone wait.
std::optional<Json> Service::small_body(const Request& request, const Task& task) const {
    constexpr std::size_t small_body = std::size_t{1} << 16;
    if (request.body.size() > small_body || is_made_of_files(task.wanted)) {
        return std::nullopt;
    }
    Json body = Json::parse(request.body, body_name);
    const bool is_small = is_joinable(size_asked_for(body, model_named(model_asked_for(body)).axes));
    return is_small ? std::optional(std::move(body)) : std::nullopt;
}

Response Service::joined_response(const Json& body, const Task& task, const StopRequest& stop) {
    Task own = task;
    Scenario scenario = scenario_of(body, false, own);
    const AskedFor asked(scenario);
    const auto cases = static_cast<std::int64_t>(scenario.notes.size());
    std::optional<ComputedCases> computed = joined_.predicted(*own.model, std::move(scenario), stop);
    if (!computed) {
        throw no_turn();
    }
    counters_.count_cases(cases);
    return response_of(task.wanted, std::move(*computed), asked);
}

Response Service::compute_json(const Request& request, bool is_physics, Task task, const StopRequest& stop) {
    Scenario scenario = scenario_of(Json::parse(request.body, body_name), is_physics, task);
    counters_.count_cases(static_cast<std::int64_t>(scenario.notes.size()));
    return computed_response(task, std::move(scenario), stop);
}

Response Service::compute_upload(const Request& request, bool is_physics, Task task, const StopRequest& stop) {
    if (options_.upload_command.empty()) {
        throw Problem(415, "this service reads no data set files (it was not told by which program); send JSON");
    }
    const auto named = request.query.find("model");
    const ServedModel& model = model_named(named == request.query.end() ? "" : named->second);
    task.model = is_physics ? nullptr : &model;
    UploadQuestion question = upload_question(request);
    question.bundle = is_physics ? "" : std::filesystem::absolute(model.predictor.bundle().path).string();
    question.wanted = task.wanted;
    question.threads = task.threads;
    question.limits = options_.limits;
    require_fields(question.fields, fields_of(task, question.uncertainty));
    return answered_upload(options_.upload_command, question, request.body, stop);
}

}  // namespace plumecast::service
