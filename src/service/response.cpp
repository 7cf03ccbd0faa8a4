#include "service/response.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/io/safetensors.hpp>

#include "io/text_file.hpp"
#include "service/answer.hpp"
#include "service/measured_cases.hpp"
#include "service/picture.hpp"
#include "service/problem.hpp"
#include "service/temporary_folder.hpp"

namespace plumecast::service {
namespace {

const std::string trapped_gas = "trapped_gas_saturation";

std::vector<std::string> with_trapped_gas(std::vector<std::string> names) {
    if (std::ranges::find(names, "gas_saturation") != names.end()) {
        names.push_back(trapped_gas);
    }
    return names;
}

/// The fields [N, T, Z, R] with every bit, behind a header that has the answer in JSON as its text `answer`.
std::string fields_as_safetensors(const ComputedCases& computed, const AskedFor& asked) {
    const std::vector<std::string>& fields = asked.fields;
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
    write_safetensors(path, views, {{"answer", answer_json(computed, asked, {})}});
    return read_text(path);
}

}  // namespace

bool is_made_of_files(Wanted wanted) { return wanted == Wanted::hdf5 || wanted == Wanted::eclipse; }

Wanted wanted_of(const Request& request) {
    const std::string accept = request.header("accept");
    const auto names = [&](const char* type) { return accept.find(type) != std::string::npos; };
    for (const Wanted special : {Wanted::hdf5, Wanted::png, Wanted::safetensors, Wanted::eclipse}) {
        if (names(type_of(special))) {
            return special;
        }
    }
    if (accept.empty() || names("application/json") || names("application/*") || names("*/*")) {
        return Wanted::json;
    }
    throw Problem(406,
                  "none of the types in Accept can be answered (they are application/json, application/x-hdf5, "
                  "application/x-safetensors, application/zip and image/png); ask for one of them");
}

const char* type_of(Wanted wanted) {
    switch (wanted) {
        case Wanted::hdf5:
            return "application/x-hdf5";
        case Wanted::png:
            return "image/png";
        case Wanted::safetensors:
            return "application/x-safetensors";
        case Wanted::eclipse:
            return "application/zip";
        case Wanted::json:
            break;
    }
    return "application/json";
}

std::vector<std::string> fields_of(const Task& task, bool with_bands) {
    if (task.model != nullptr) {
        return with_trapped_gas(task.model->fields_of(with_bands));
    }
    if (with_bands) {
        throw Problem(400,
                      "bands of fields are those of a model (nobody has calibrated the reduced physics); leave "
                      "uncertainty out, or ask /v1/predict",
                      "uncertainty");
    }
    return with_trapped_gas(estimated_fields());
}

Response response_of(Wanted wanted, ComputedCases computed, const AskedFor& asked) {
    const bool wants_trapped = wanted == Wanted::png
                                   ? asked.picture.field == trapped_gas
                                   : std::ranges::find(asked.fields, trapped_gas) != asked.fields.end();
    const bool has_trapped = std::ranges::find(computed.fields, trapped_gas) != computed.fields.end();
    const bool has_gas = std::ranges::find(computed.fields, "gas_saturation") != computed.fields.end();
    if (wants_trapped && !has_trapped && has_gas) {
        add_trapped_gas(computed);
    }
    return {200, type_of(wanted),
            wanted == Wanted::png           ? picture_of(computed, asked.picture)
            : wanted == Wanted::safetensors ? fields_as_safetensors(computed, asked)
                                            : answer_json(computed, asked, asked.fields)};
}

FileContent content_of(Wanted wanted, const Measure& measure, const StopRequest& stop) {
    return [=](const std::string& result) {
        return wanted == Wanted::eclipse ? eclipse_archive(result, measure.top_depth, stop) : read_text(result);
    };
}

Response computed_response(const Task& task, Scenario scenario, const StopRequest& stop) {
    if (is_made_of_files(task.wanted)) {
        const FileContent content = content_of(task.wanted, scenario.measure, stop);
        return {200, type_of(task.wanted),
                task.model == nullptr ? estimated_file(scenario, task.threads, content, stop)
                                      : predicted_file(*task.model, scenario, content, stop)};
    }
    const AskedFor asked(scenario);
    return response_of(task.wanted,
                       task.model == nullptr ? estimated(std::move(scenario), task.threads, stop)
                                             : predicted(*task.model, std::move(scenario), stop),
                       asked);
}

}  // namespace plumecast::service
