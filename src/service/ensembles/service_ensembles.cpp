#include <charconv>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

#include "io/text_file.hpp"
#include "service/problem.hpp"
#include "service/service.hpp"
#include "service/temporary_folder.hpp"

namespace plumecast::service {
namespace {

/// "id" of "/v1/ensembles/id/cases/k" is part 2, "k" part 4.
std::string part_of(const std::string& path, int part) {
    std::size_t begin = 1;
    for (; part > 0; --part) {
        begin = path.find('/', begin) + 1;
    }
    return path.substr(begin, path.find('/', begin) - begin);
}

Json progress_json(const JobProgress& progress) {
    return Json::Object{{"done", progress.done}, {"number", progress.number}, {"state", name_of(progress.state)}};
}

/// "event: progress", its data, and a line between.
std::string event_of(const JobProgress& progress) {
    return fmt::format("event: {}\ndata: {}\n\n", has_ended(progress.state) ? name_of(progress.state) : "progress",
                       progress_json(progress).dump(-1));
}

/// One of the streams that there may be at once.
class StreamPlace {
   public:
    StreamPlace(std::atomic<std::int64_t>& taken, std::int64_t most) : taken_(taken) {
        if (++taken_ > most) {
            --taken_;
            throw Problem(503, fmt::format("{} streams of events are open (this service takes no more at once); ask "
                                           "for the state of the ensemble now and then instead",
                                           most));
        }
    }
    ~StreamPlace() { --taken_; }
    StreamPlace(const StreamPlace&) = delete;
    StreamPlace& operator=(const StreamPlace&) = delete;

   private:
    std::atomic<std::int64_t>& taken_;
};

/// The events of a job from now on, for Response::next_part.
class EventStream {
   public:
    EventStream(EnsembleJobs& jobs, std::string id, std::unique_ptr<StreamPlace> place)
        : jobs_(jobs), id_(std::move(id)), place_(std::move(place)), told_(jobs.progress(id_)) {}

    std::string next() {
        if (is_first_) {
            is_first_ = false;
            return event_of(told_);
        }
        if (has_ended(told_.state)) {
            return "";
        }
        const JobProgress seen = told_;
        const std::optional<JobProgress> now = jobs_.changed(id_, seen);
        if (now) {
            told_ = *now;
        } else {
            told_.state = JobState::cancelled;  // somebody forgot it
        }
        // A comment, at which a client that has left is noticed.
        return told_ == seen ? ": still there\n\n" : event_of(told_);
    }

   private:
    EnsembleJobs& jobs_;
    std::string id_;
    std::unique_ptr<StreamPlace> place_;
    JobProgress told_;
    bool is_first_ = true;
};

/// Whether what an ensemble found may be forgotten with it: `forget` of the URL. Throws Problem (400).
bool may_forget(const Request& request) {
    for (const auto& [name, value] : request.query) {
        if (name != "forget" || (value != "true" && value != "false") || request.query.count(name) > 1) {
            throw Problem(400,
                          "the URL states '" + name.substr(0, 64) +
                              "' (to end an ensemble it takes forget=true or forget=false, once); correct it",
                          name);
        }
    }
    return request.query.empty() || request.query.begin()->second == "true";
}

}  // namespace

Response Service::begin_ensemble(const Request& request) {
    if (!request.header("content-type").starts_with("application/json")) {
        throw Problem(415, "the body is not declared as JSON; send it with Content-Type: application/json");
    }
    return in_turn(request, [&](const StopRequest&) {
        const Json body = Json::parse(request.body, body_name);
        const ServedModel& model = model_named(model_asked_for(body));
        return begun(ensembles_.begin(model.name, EnsembleRequest(body, model.axes, options_.limits)));
    });
}

/// What a client is told of an ensemble that it has begun.
Response Service::begun(const std::string& id) {
    const JobProgress progress = ensembles_.progress(id);
    const std::string url = "/v1/ensembles/" + id;
    const Json answer = Json::Object{{"id", id},
                                     {"url", url},
                                     {"state", name_of(progress.state)},
                                     {"done", progress.done},
                                     {"number", progress.number}};
    Response response{202, "application/json", answer.dump(-1) + "\n"};
    response.headers["Location"] = url;
    return response;
}

Response Service::ensemble(const Request& request) {
    return {200, "application/json", ensembles_.json(part_of(request.path, 2))};
}

Response Service::end_ensemble(const Request& request) {
    std::optional<std::string> known = ensembles_.cancel(part_of(request.path, 2), may_forget(request));
    return known ? Response{200, "application/json", std::move(*known)} : Response{204, "", ""};
}

Response Service::ensemble_events(const Request& request) {
    auto place = std::make_unique<StreamPlace>(streams_, options_.limits.streams);
    const auto stream = std::make_shared<EventStream>(ensembles_, part_of(request.path, 2), std::move(place));
    Response response{200, "text/event-stream", ""};
    response.next_part = [stream] { return stream->next(); };
    return response;
}

Response Service::ensemble_case(const Request& request) {
    const auto asked = ensembles_.request(part_of(request.path, 2));
    const std::string text = part_of(request.path, 4);
    std::int64_t which = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), which);
    if (problem != std::errc() || end != text.data() + text.size() || which < 0 || which >= asked->number()) {
        throw Problem(404, fmt::format("the ensemble has no realization '{}' (it has 0 to {}); ask for one of them",
                                       text.substr(0, 64), asked->number() - 1));
    }
    return in_turn(request, [&](const StopRequest& stop) {
        return Response{200, "application/json", asked->body(which, which + 1, stop).dump(-1) + "\n"};
    });
}

Response Service::ensemble_data(const Request& request) {
    const auto asked = ensembles_.request(part_of(request.path, 2));
    return in_turn(request, [&](const StopRequest& stop) {
        const TemporaryFolder folder;
        const std::string file = folder.file("cases.h5");
        write_dataset(file, asked->all_inputs(stop).content);
        return Response{200, "application/x-hdf5", read_text(file)};
    });
}

}  // namespace plumecast::service
