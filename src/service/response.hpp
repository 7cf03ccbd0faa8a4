#pragma once

#include "service/answer.hpp"
#include "service/computation.hpp"
#include "service/http/http.hpp"

namespace plumecast::service {

/// What an answer is given as.
enum class Wanted { json, hdf5, png, safetensors, eclipse };

/// Whether it is made from a result file rather than from fields in memory.
bool is_made_of_files(Wanted wanted);

/// What the header Accept of a request asks for. Throws Problem (406) for what cannot be answered.
Wanted wanted_of(const Request& request);
/// "application/json" ...
const char* type_of(Wanted wanted);

/// Who computes a scenario, and how it is told.
struct Task {
    const ServedModel* model = nullptr;  ///< nullptr for the reduced physics alone
    Wanted wanted = Wanted::json;
    int threads = 0;  ///< of the physics alone; 0 for all
};

/// Names of the fields that a task computes, with the ends of their bands where these are asked for, and of those that
/// follow from them: the trapped gas. Throws Problem (400) where there are none.
std::vector<std::string> fields_of(const Task& task, bool with_bands);

/// How cases that were computed are answered, as JSON, safetensors or a map. Throws what answer_json() throws, NotBuilt
/// for a picture without pictures.
Response response_of(Wanted wanted, ComputedCases computed, const AskedFor& asked);
/// How it is answered from a result file.
FileContent content_of(Wanted wanted, const Measure& measure, const StopRequest& stop);

/// Computes a scenario and answers with what it asks for. Throws what predicted(), estimated() and answer_json() throw,
/// NotBuilt for a picture without pictures.
Response computed_response(const Task& task, Scenario scenario, const StopRequest& stop);

}  // namespace plumecast::service
