#include "service/response.hpp"

#include <utility>

#include <plumecast/io/safetensors.hpp>

#include "io/text_file.hpp"
#include "service/answer.hpp"
#include "service/picture.hpp"
#include "service/problem.hpp"
#include "service/temporary_folder.hpp"

namespace plumecast::service {
namespace {

/// The fields [N, T, Z, R] with every bit, behind a header that has the answer in JSON as its text `answer`.
std::string fields_as_safetensors(const ComputedCases& computed, const std::vector<std::vector<std::string>>& notes,
                                  const Measure& measure, const std::vector<std::string>& fields) {
    require_fields(fields, computed.fields);
    const DatasetContent& content = computed.content;
    const Shape shape{
        static_cast<std::int64_t>(computed.verdicts.cases.size()), static_cast<std::int64_t>(content.times.size()),
        static_cast<std::int64_t>(content.z_edges.size()) - 1, static_cast<std::int64_t>(content.r_edges.size()) - 1};
    std::vector<NamedView> views;
    for (const std::string& name : fields.empty() ? computed.fields : fields) {
        views.push_back({name, {shape, DType::float32, content.arrays.at(name).data()}});
    }
    const TemporaryFolder folder;
    const std::string path = folder.file("fields.safetensors");
    write_safetensors(path, views, {{"answer", answer_json(computed, notes, measure, {})}});
    return read_text(path);
}

}  // namespace

Wanted wanted_of(const Request& request) {
    const std::string accept = request.header("accept");
    const auto names = [&](const char* type) { return accept.find(type) != std::string::npos; };
    for (const Wanted special : {Wanted::hdf5, Wanted::png, Wanted::safetensors}) {
        if (names(type_of(special))) {
            return special;
        }
    }
    if (accept.empty() || names("application/json") || names("application/*") || names("*/*")) {
        return Wanted::json;
    }
    throw Problem(406,
                  "none of the types in Accept can be answered (they are application/json, application/x-hdf5, "
                  "application/x-safetensors and image/png); ask for one of them");
}

const char* type_of(Wanted wanted) {
    switch (wanted) {
        case Wanted::hdf5:
            return "application/x-hdf5";
        case Wanted::png:
            return "image/png";
        case Wanted::safetensors:
            return "application/x-safetensors";
        case Wanted::json:
            break;
    }
    return "application/json";
}

std::vector<std::string> fields_of(const Task& task, bool with_bands) {
    if (task.model != nullptr) {
        return task.model->fields_of(with_bands);
    }
    if (with_bands) {
        throw Problem(400,
                      "bands of fields are those of a model (nobody has calibrated the reduced physics); leave "
                      "uncertainty out, or ask /v1/predict",
                      "uncertainty");
    }
    return estimated_fields();
}

Response response_of(Wanted wanted, const ComputedCases& computed, const AskedFor& asked) {
    return {200, type_of(wanted),
            wanted == Wanted::png           ? picture_of(computed, asked.picture)
            : wanted == Wanted::safetensors ? fields_as_safetensors(computed, asked.notes, asked.measure, asked.fields)
                                            : answer_json(computed, asked.notes, asked.measure, asked.fields)};
}

Response computed_response(const Task& task, Scenario scenario, const StopRequest& stop) {
    if (task.wanted == Wanted::hdf5) {
        return {200, type_of(task.wanted),
                task.model == nullptr ? estimated_file(scenario, task.threads, stop)
                                      : predicted_file(*task.model, scenario, stop)};
    }
    const AskedFor asked(scenario);
    return response_of(task.wanted,
                       task.model == nullptr ? estimated(std::move(scenario), task.threads, stop)
                                             : predicted(*task.model, std::move(scenario), stop),
                       asked);
}

}  // namespace plumecast::service
