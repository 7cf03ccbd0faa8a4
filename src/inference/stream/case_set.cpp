#include "inference/stream/case_set.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>

namespace plumecast {

CaseSet::CaseSet(std::string channel_file) : channel_file_(std::move(channel_file)) {}

CaseSet::CaseSet(const Dataset& dataset, std::span<const NetworkDescription* const> networks, PhysicsOptions options,
                 const std::optional<GridAndTimes>& model_grid, KeptCases kept)
    : dataset_(&dataset), failures_(options.failures) {
    physics_ = BundlePhysics(dataset, networks, options, kept);
    if (model_grid) {
        regrid_to(*model_grid, networks, std::move(options), kept);
    }
}

CaseSet::CaseSet(const Dataset& dataset, const NetworkDescription& network, std::shared_ptr<CasePhysics> physics,
                 std::shared_ptr<CaseFailures> failures, const std::optional<GridAndTimes>& model_grid)
    : dataset_(&dataset), physics_(std::move(physics)), failures_(std::move(failures)) {
    if (model_grid) {
        const NetworkDescription* description = &network;
        regrid_to(*model_grid, {&description, 1}, {});
    }
}

void CaseSet::regrid_to(const GridAndTimes& model_grid, std::span<const NetworkDescription* const> networks,
                        PhysicsOptions options, KeptCases kept) {
    options.failures = failures_;
    options.log = nullptr;  // the physics of the case grid has said it
    model_.reset(new OnModelGrid{Regrid(*dataset_, model_grid, failures_), {}});
    const bool is_same_grid = GridAndTimes::of(*dataset_).has_grid_of(model_grid);
    model_->physics =
        BundlePhysics(model_->regrid.cases(), networks, std::move(options), kept, is_same_grid ? &physics_ : nullptr);
}

std::unique_ptr<BatchSource> CaseSet::for_network(const NetworkDescription& description, Targets targets,
                                                  const std::vector<std::string>& physics_fields, DType type) const {
    if (dataset_ == nullptr) {
        return channel_file_source(channel_file_);
    }
    if (model_) {
        return cases_for(description, model_->regrid.cases(), Targets::skip, model_->physics.of(description), {}, type,
                         failures_);
    }
    return cases_for(description, *dataset_, targets, physics_.of(description), physics_fields, type, failures_);
}

std::unique_ptr<BatchSource> CaseSet::on_case_grid(const NetworkDescription& description, Targets targets,
                                                   const std::vector<std::string>& physics_fields) const {
    expects(model_ != nullptr, "regridded cases");
    return model_->regrid.source(description, targets, physics_.of(description), physics_fields);
}

std::int64_t CaseSet::cases_at_once(std::int64_t all) const {
    const std::int64_t here = physics_.cases_at_once(all);
    return model_ ? std::min(here, model_->physics.cases_at_once(all)) : here;
}

void CaseSet::forget() const {
    physics_.forget();
    if (model_) {
        model_->physics.forget();
    }
}

}  // namespace plumecast
