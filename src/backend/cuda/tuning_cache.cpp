#include "backend/cuda/tuning_cache.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

namespace plumecast::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* format_name = "plumecast fastest ways, version 1";

Json empty_document() { return Json::Object{{"format", format_name}, {"machines", Json(Json::Object{})}}; }

/// What a file holds; a document without machines where there is none. Throws InvalidInput for anything else.
Json read(const fs::path& path) {
    if (!fs::exists(path)) {
        return empty_document();
    }
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        throw InvalidInput("it cannot be read");
    }
    Json document = Json::parse(text, path.string());
    const Json* format = document.find("format");
    const Json* machines = document.find("machines");
    if (format == nullptr || *format != Json(format_name) || machines == nullptr || !machines->is_object()) {
        throw InvalidInput("it is not one of this version's");
    }
    return document;
}

/// The choices of one machine in a document.
std::map<std::string, std::string> choices_of(const Json& document, const std::string& machine) {
    std::map<std::string, std::string> choices;
    const Json* own = document.find("machines")->find(machine);
    const auto* entries = own != nullptr ? own->get_if<Json::Object>() : nullptr;
    if (own != nullptr && entries == nullptr) {
        throw InvalidInput("the entry of this machine is " + std::string(own->kind()));
    }
    for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
        const auto& [kind, way] = (*entries)[i];
        if (way.get_if<std::string>() == nullptr) {
            throw InvalidInput("the way for " + kind + " is " + std::string(way.kind()));
        }
        choices[kind] = *way.get_if<std::string>();
    }
    return choices;
}

/// Writes a file beside its place and moves it there.
void replace(const fs::path& path, const std::string& text) {
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path());
    }
    fs::path fresh = path;
    fresh += "." + std::to_string(::getpid()) + ".part";
    std::error_code ignored;
    {
        std::ofstream out(fresh, std::ios::binary);
        out << text;
        out.close();
        if (!out) {
            fs::remove(fresh, ignored);
            throw InvalidInput("it cannot be written");
        }
    }
    fs::rename(fresh, path);
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

TuningCache::TuningCache(fs::path path, std::string machine, LogSink log)
    : path_(std::move(path)), machine_(std::move(machine)), log_(std::move(log)), is_kept_(!path_.empty()) {
    try {
        if (is_kept_) {
            choices_ = choices_of(read(path_), machine_);
        }
    } catch (const std::exception& problem) {
        warn(problem.what());
    }
}

std::optional<std::string> TuningCache::find(const std::string& kind) const {
    const auto found = choices_.find(kind);
    return found != choices_.end() ? std::optional(found->second) : std::nullopt;
}

void TuningCache::keep(const std::string& kind, const std::string& way) {
    choices_[kind] = way;
    if (!is_kept_) {
        return;
    }
    try {
        Json document = read(path_);
        auto all = choices_of(document, machine_);
        all[kind] = way;
        Json::Object entries;
        for (const auto& [own_kind, own_way] : all) {
            entries.emplace_back(own_kind, own_way);
        }
        document["machines"][machine_] = Json(std::move(entries));
        replace(path_, document.dump() + "\n");
    } catch (const std::exception& problem) {
        warn(problem.what());
    }
}

void TuningCache::warn(const std::string& problem) {
    is_kept_ = false;
    if (log_) {
        log_(Severity::warning, "the fastest convolutions are measured anew in each run, since " + path_.string() +
                                    " cannot keep them (" + problem +
                                    "); delete the file, or name another by PLUMECAST_CUDA_TUNING");
    }
}

fs::path TuningCache::default_path() {
    const std::string named = variable("PLUMECAST_CUDA_TUNING"), cache = variable("XDG_CACHE_HOME"),
                      home = variable("HOME");
    if (!named.empty()) {
        return named == "off" ? fs::path() : fs::path(named);
    }
    const fs::path folder = !cache.empty() ? fs::path(cache) : !home.empty() ? fs::path(home) / ".cache" : fs::path();
    return folder.empty() ? folder : folder / "plumecast" / "cuda_tuning.json";
}

std::size_t FastestWay::choose(const std::string& kind, std::span<const TimedWay> ways, bool may_time) {
    const std::lock_guard lock(mutex_);
    if (!tuner_.knows(kind)) {
        const std::optional<std::string> kept = cache_.find(kind);
        for (std::size_t way = 0; kept && way < ways.size(); ++way) {
            if (ways[way].name == *kept) {
                tuner_.settle(kind, way);
            }
        }
    }
    const bool is_new = !tuner_.knows(kind);
    if (is_new && !may_time) {
        return 0;
    }
    const std::size_t way = tuner_.choose(kind, ways.size(), [&](std::size_t i) { return ways[i].seconds(); });
    if (is_new) {
        cache_.keep(kind, ways[way].name);
    }
    return way;
}

}  // namespace plumecast::cuda
