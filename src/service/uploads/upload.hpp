#pragma once

#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/json.hpp>

#include "service/limits.hpp"
#include "service/response.hpp"

namespace plumecast::service {

/// The command that answers an upload in a process of its own: program and arguments, to which a folder is added. It
/// calls answer_upload() and ends with 0.
using UploadCommand = std::vector<std::string>;

/// What is asked about an uploaded data set, beside its bytes.
struct UploadQuestion {
    std::string bundle;  ///< path of a model; empty for the reduced physics alone
    Wanted wanted = Wanted::json;
    int threads = 0;
    std::vector<std::string> fields;
    std::optional<double> buildup_limit;  ///< [bar]
    std::vector<std::int64_t> cases;      ///< numbers from 0, increasing; empty for all
    std::optional<Json> measure;          ///< as read_measure() takes it
    std::optional<Json> picture;          ///< as read_picture() takes it
    Limits limits;
    bool uncertainty = false;  ///< whether fields get the ends of their bands too
};

/// What `measure` of a question says. Throws InvalidInput naming the entry.
Measure measure_of(const UploadQuestion& question);

/// What `picture` of a question says where so many cases are answered. Throws InvalidInput naming the entry.
WantedPicture picture_of(const UploadQuestion& question, std::size_t cases);

/// Has a data set file read and answered by another process, which a file that is made to harm can end, but not this
/// one. Throws Interrupted where `stop` says so, in which case the process is killed; Problem (400) where it died;
/// IoError where it cannot be started.
Response answered_upload(const UploadCommand& command, const UploadQuestion& question, const std::string& body,
                         const StopRequest& stop);

/// What that process does in its folder: limits itself in memory, time and files, reads question and data set, and
/// leaves the answer there, a problem where one is thrown. Throws IoError where that cannot be written.
void answer_upload(const std::string& folder, Backend& backend);

}  // namespace plumecast::service
