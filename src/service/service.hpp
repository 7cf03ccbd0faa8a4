#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "service/counters.hpp"
#include "service/ensembles/ensemble_jobs.hpp"
#include "service/http/http.hpp"
#include "service/joined_predictions.hpp"
#include "service/limits.hpp"
#include "service/response.hpp"
#include "service/served_model.hpp"
#include "service/turns.hpp"
#include "service/uploads/upload.hpp"

namespace plumecast::service {

/// How a service answers.
struct ServiceOptions {
    Limits limits;
    std::string token;  ///< that requests must bear; empty for none, which then must come from this machine by name
    int threads = 0;    ///< of estimates; 0 for all
    UploadCommand upload_command = {};                 ///< reads data set files; empty where none are taken
    std::function<void(const std::string& line)> log;  ///< told of each answer, as a line of JSON; may be empty
};

/// Answers requests with models and reduced physics; knows nothing of sockets. Any number of threads may ask at once.
class Service {
   public:
    /// One model or more, the first of which is taken where a request names none; names differ. Throws InvalidInput.
    Service(std::vector<ServedModel> models, ServiceOptions options);

    /// The answer that a request gets whatever its body says: wrong path, method, host, token or encoding, or a service
    /// that ends; nothing where the body counts.
    std::optional<Response> refusal(const Request& request) const;
    /// The whole answer. Never throws.
    Response answer(const Request& request);

    /// From now on requests are refused with 503; those that are being answered are finished, ensembles are cancelled.
    void drain();
    std::int64_t in_flight() const { return counters_.in_flight(); }
    const Limits& limits() const { return options_.limits; }
    /// "GET /v1/health" ...
    static std::vector<std::string> routes();

   private:
    struct Route;
    using Handler = Response (Service::*)(const Request&);
    static const std::vector<Route>& table();
    static const Route* route_of(const Request& request);

    Response respond(const Request& request);
    Response health(const Request& request);
    Response list_models(const Request& request);
    Response metrics(const Request& request);
    Response asset(const Request& request);
    Response predict(const Request& request);
    Response estimate(const Request& request);
    Response begin_ensemble(const Request& request);
    Response begun(const std::string& id);
    Response ensemble(const Request& request);
    Response end_ensemble(const Request& request);
    Response ensemble_events(const Request& request);
    Response ensemble_case(const Request& request);
    Response ensemble_data(const Request& request);
    Response compute(const Request& request, bool is_physics);
    Response compute_json(const Request& request, bool is_physics, Task task, const StopRequest& stop);
    std::optional<Json> small_body(const Request& request, const Task& task) const;
    Response joined_response(const Json& body, const Task& task, const StopRequest& stop);
    Scenario scenario_of(const Json& body, bool is_physics, Task& task) const;
    Response in_time(const Request& request, const std::function<Response(const StopRequest&)>& work) const;
    Response in_turn(const Request& request, const std::function<Response(const StopRequest&)>& work);
    Response compute_upload(const Request& request, bool is_physics, Task task, const StopRequest& stop);
    const ServedModel& model_named(const std::string& name) const;
    void log(const Request& request, const Response& response, double seconds) const;

    std::vector<ServedModel> models_;
    ServiceOptions options_;
    Turns turns_;
    JoinedPredictions joined_;
    Counters counters_;
    std::atomic<bool> is_draining_ = false;
    std::atomic<std::int64_t> streams_ = 0;
    EnsembleJobs ensembles_;  // last: it computes with the others
};

}  // namespace plumecast::service
