#include "training/guided/way_back.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "training/guided/known_grids.hpp"

namespace plumecast {
namespace {

std::vector<const NetworkDescription*> descriptions_of(const Bundle& bundle) {
    std::vector<const NetworkDescription*> descriptions;
    for (const BundleNetwork& network : bundle.networks) {
        descriptions.push_back(&network.network->description());
    }
    return descriptions;
}

/// "grid and times ".
std::string difference(const GridAndTimes& users, const GridAndTimes& own) {
    const bool grid = !users.has_grid_of(own), times = !users.has_times_of(own);
    return grid && times ? "grid and times " : grid ? "grid " : "times ";
}

void warn_of_limits(const GridAndTimes& users, const GridAndTimes& own, const LogSink& log) {
    if (users.times.back() > own.times.back() * (1.0 + 1e-6)) {
        log(Severity::warning,
            fmt::format("times up to {:.6g} days lie beyond those of the model, which end at {:.6g} days (the "
                        "correction stays what it is then); check the prediction against a simulation",
                        users.times.back(), own.times.back()));
    }
    if (users.r_edges.back() > own.r_edges.back() * (1.0 + 1e-6)) {
        log(Severity::warning,
            fmt::format("the grid reaches {:.6g} m from the well, that of the model {:.6g} m (beyond it the physics is "
                        "not corrected); check the prediction against a simulation",
                        users.r_edges.back(), own.r_edges.back()));
    }
    if (users.z_edges.back() > own.z_edges.back() * (1.0 + 1e-6)) {
        log(Severity::warning,
            fmt::format("the grid reaches {:.6g} m below the top, that of the model {:.6g} m (below it the physics is "
                        "not corrected); check the prediction against a simulation",
                        users.z_edges.back(), own.z_edges.back()));
    }
}

/// The like of needs_own_grid() for the guided or the plain networks of a bundle.
bool is_other_grid(const Dataset& dataset, const std::optional<GridAndTimes>& own, bool is_guided, const LogSink& log) {
    const auto say = [&log](Severity severity, const std::string& text) {
        if (log) {
            log(severity, text);
        }
    };
    if (!own) {
        if (is_guided) {
            say(Severity::warning,
                "the model does not say on which grid and for which times it was trained (it has no training.grid); "
                "use it on those only");
        }
        return false;
    }
    const GridAndTimes users = GridAndTimes::of(dataset);
    if (users.has_grid_of(*own) && users.has_times_of(*own)) {
        return false;
    }
    const std::string what = "the " + difference(users, *own) + users.text();
    const char* verb = users.has_times_of(*own) ? " is not that of the model (" : " are not those of the model (";
    if (!is_guided) {
        say(Severity::warning, what + verb + own->text() +
                                   "), and a plain network knows no other; check the prediction against a simulation");
        return true;
    }
    say(Severity::info, what + verb + own->text() + "): physics on yours, correction from the model's");
    if (log && users.is_radial() && own->is_radial()) {
        warn_of_limits(users, *own, log);
    }
    return true;
}

}  // namespace

std::optional<GridAndTimes> recorded_grid(const Bundle& bundle) {
    if (bundle.training.find("grid") == nullptr) {
        return std::nullopt;
    }
    JsonReader reader(bundle.training, bundle.path + "/model.json: training");
    return GridAndTimes::read(reader, "grid");
}

bool needs_own_grid(const Bundle& bundle, const Dataset& dataset, const LogSink& log) {
    if (is_among_more_grids(bundle, dataset)) {
        return false;
    }
    const std::optional<GridAndTimes> own = recorded_grid(bundle);
    const auto descriptions = descriptions_of(bundle);
    const auto guided =
        std::ranges::count_if(descriptions, [](const auto* network) { return network->physics.has_value(); });
    if (guided < std::ssize(descriptions)) {
        is_other_grid(dataset, own, false, log);
    }
    return guided > 0 && is_other_grid(dataset, own, true, log);
}

WayBack::WayBack(const OtherGrid& grid, const NetworkDescription& description, std::unique_ptr<BatchSource> source)
    : grid_(&grid), description_(&description), source_(std::move(source)) {}

void WayBack::start(const std::vector<std::vector<std::int64_t>>& batches) {
    if (source_) {
        ahead_.reset();  // a source is read by one at a time
        ahead_ = std::make_unique<Prefetcher>(*source_, batches);
    }
}

void WayBack::bring(Tensor& values, Batch& batch, std::int64_t count, const RankShare& share) {
    std::vector<Tensor> corrections;
    for (std::size_t f = 0; f < description_->fields.size(); ++f) {
        corrections.push_back(share.gathered(physical_correction(values, f, batch), count));
    }
    const Tensor active = share.gathered(share.own_cells(batch.active), count);
    values = {};
    batch = {};
    if (ahead_) {
        batch = *ahead_->next();
        values = grid_->joined(*description_, batch, corrections, active);
    }
}

namespace {

PhysicsOptions keeping(std::size_t bytes) {
    PhysicsOptions options;
    options.kept_bytes = bytes;
    return options;
}

}  // namespace

CasesOnOwnGrid::CasesOnOwnGrid(const Dataset& dataset, const Bundle& bundle, std::size_t physics_bytes)
    : grid_(dataset, *recorded_grid(bundle)),
      physics_(grid_.cases(), descriptions_of(bundle), keeping(physics_bytes)) {}

std::unique_ptr<BatchSource> CasesOnOwnGrid::source(const NetworkDescription& description) const {
    return cases_for(description, grid_.cases(), Targets::skip, physics_.of(description));
}

WayBack CasesOnOwnGrid::way_back(const NetworkDescription& description, std::shared_ptr<const CasePhysics> physics,
                                 bool is_first, std::vector<std::string> carried) const {
    return {grid_, description,
            is_first ? grid_.source(description, Targets::skip, std::move(physics), std::move(carried)) : nullptr};
}

}  // namespace plumecast
