#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <plumecast.h>
#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/inference/predictor.hpp>

#include "bindings/c/handles.hpp"
#include "bindings/c/options.hpp"
#include "bindings/c/sized.hpp"
#include "bindings/c/status.hpp"
#include "inverse/inversion/inversion_files.hpp"
#include "inverse/inversion/invert.hpp"
#include "io/output_folder.hpp"

namespace plumecast::c {
namespace {

bool is_result(const std::filesystem::path& file) {
    constexpr std::array names = {posterior_file, misfit_file, convergence_file, record_file};
    return std::ranges::any_of(names, [&](const char* name) { return file == name; });
}

/// Passes on what it hears, and makes the folder when there is something to write.
class CallingInversion : public InversionObserver {
   public:
    CallingInversion(const plumecast_inversion_options& to, OutputFolder& folder)
        : to_(to), log_(sink_of(to.log, to.user)), folder_(folder) {}

    void message(Severity severity, std::string_view text) override {
        if (log_) {
            log_(severity, text);
        }
    }
    void progress(const std::string& what, std::int64_t done, std::int64_t all) override {
        if (to_.progress != nullptr) {
            to_.progress(what.c_str(), done, all, to_.user);
        }
    }
    void step(const InversionStep& step) override {
        if (to_.step != nullptr) {
            to_.step(json_of_step(step).dump().c_str(), to_.user);
        }
    }
    bool stop_requested() override { return to_.stop != nullptr && to_.stop(to_.user) != 0; }
    void before_writing() override { folder_.begin(); }

   private:
    plumecast_inversion_options to_;
    LogSink log_;
    OutputFolder& folder_;
};

void invert_as(Backend& backend, const std::string& text, const plumecast_inversion_options& options) {
    const std::string origin = "configuration";
    const InversionConfig config = InversionConfig::from_json(Json::parse(text, origin), origin, "");
    config.check();
    OutputFolder folder(config.output, config.case_file, is_result, options.replace != 0);
    std::optional<Predictor> predictor;
    if (config.model != "estimate") {
        predictor.emplace(config.model, backend);
    }
    CallingInversion observer(options, folder);
    const FormerState former = options.resume != 0    ? FormerState::resume
                               : options.replace != 0 ? FormerState::replace
                                                      : FormerState::refuse;
    invert(config, predictor ? &*predictor : nullptr, options.threads, config.output, observer, former);
    folder.finish(OutputFolder::Former::remove);
}

}  // namespace
}  // namespace plumecast::c

using namespace plumecast;

plumecast_status plumecast_invert(const plumecast_device* device, const char* configuration,
                                  const plumecast_inversion_options* options) {
    return c::guarded([&] {
        Backend& backend = *c::required(device, "device").backend;
        const plumecast_inversion_options defaults{sizeof defaults, 0,       0,       0,       0,
                                                   nullptr,         nullptr, nullptr, nullptr, nullptr};
        c::invert_as(backend, c::text_of(configuration, "configuration"), c::read_sized(options, defaults, "options"));
    });
}
