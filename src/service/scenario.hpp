#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>

#include "service/limits.hpp"
#include "service/measure.hpp"

namespace plumecast::service {

/// Asked now and then whether to stop; may be empty.
using StopRequest = std::function<bool()>;

/// Which map a picture shows.
struct WantedPicture {
    std::int64_t which = 0;                ///< the case
    std::string field = "gas_saturation";  ///< an output of the data set format
    std::optional<double> time;            ///< [day]; the last one without
};

/// Where cases are in the file that they come from.
struct CasesOfFile {
    std::int64_t cases = 0;             ///< that it has; 0 without a file
    std::vector<std::int64_t> numbers;  ///< of those that are computed
};

/// What a request asks to be computed.
struct Scenario {
    DatasetContent content;                       ///< inputs of all cases
    std::vector<std::vector<std::string>> notes;  ///< of each case: what was understood otherwise than written
    std::vector<std::string> fields;              ///< to be answered as numbers
    std::optional<double> buildup_limit;          ///< [bar]
    WantedPicture picture;
    Measure measure;
    bool uncertainty = false;  ///< whether fields get the ends of their bands too
    CasesOfFile file;
};

/// Edges and times by the names of the data set format, taken where a request states none, and `times_at_one_rate`,
/// where they are others when no case has a schedule.
using Axes = std::map<std::string, std::vector<double>>;
inline constexpr const char* times_at_one_rate = "times_at_one_rate";

/// Name of the model that a body asks for; empty where it leaves that open. Throws InvalidInput.
std::string model_asked_for(const Json& body);

/// How much a request asks for.
struct AskedSize {
    std::int64_t cases = 0;
    std::int64_t values = 0;  ///< of a field: cases times cells times times
};

/// Reads the axes and counts the cases of a body alone. Throws as read_scenario() does.
AskedSize size_asked_for(const Json& body, const Axes& usual);

/// Reads the body of a request strictly. Throws InvalidInput naming the entry, Problem (413) beyond a limit.
Scenario read_scenario(const Json& body, const Axes& usual, const Limits& limits);

/// Reads the entry `picture` of a request of so many cases. Throws InvalidInput naming the entry.
WantedPicture read_picture(JsonReader picture, std::size_t cases);

/// Adds the cases of a scenario of the same grid, times and schedule behind those of another.
void append_cases(Scenario& to, const Scenario& from);

}  // namespace plumecast::service
