#include <plumecast/inference/evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <plumecast/inference/loss.hpp>
#include <plumecast/reservoir/batches/batch.hpp>

#include "core/clock.hpp"
#include "inference/batch_size.hpp"
#include "inference/guided/stored_physics.hpp"
#include "inference/rank_shard.hpp"
#include "inference/stream/case_stream.hpp"
#include "inference/stream/field_pass.hpp"
#include "reservoir/batches/box_source.hpp"
#include "reservoir/batches/case_lists.hpp"
#include "reservoir/metrics/mass_balance.hpp"

namespace plumecast {
namespace {

/// Normalised fields of a batch beside the truth, on cells that this rank compares; all but cells [B, cells..., ...].
struct Comparison {
    ConstView values, truth, active;
    const Box& cells;
};

/// Pore volumes of the cells of a case that are compared, for the mass error of saturations.
std::vector<double> pore_volumes_of(const Dataset& dataset, std::int64_t which, const Box& cells, ConstView active) {
    const std::vector<double> all = pore_volumes(dataset, which);
    const Tensor own = box_of(ConstView(dataset.space(), DType::float64, all.data()), cells);
    std::vector<double> pores(own.values<double>().begin(), own.values<double>().end());
    for (std::size_t cell = 0; cell < pores.size(); ++cell) {
        pores[cell] = active.as<float>()[cell] != 0.0F ? pores[cell] : 0.0;
    }
    return pores;
}

/// Adds to the numbers of each case what the cells of field f come to; `field` as it limits the values compared.
void compare(const Dataset& dataset, const Batch& batch, const Comparison& comparison, std::int64_t f,
             const Field& field, std::vector<std::vector<double>>& results) {
    const Tensor prediction = physical_values(comparison.values, f, field, batch.scales, batch.limits);
    const Tensor truth = physical_values(comparison.truth, f, as_it_is(field), batch.scales);
    // Errors do not ask how cells lie in space: all its axes but the last go as one.
    const Shape& whole = prediction.shape();
    const Shape one{whole.count(1, whole.rank() - 2), whole[-2], whole[-1]};
    for (std::size_t b = 0; b < results.size(); ++b) {
        const auto row = static_cast<std::int64_t>(b);
        const ConstView active = comparison.active.rows(row, row + 1);
        std::vector<double> volumes;
        if (field.name == "gas_saturation" && dataset.geometry() != Geometry::generic) {
            volumes = pore_volumes_of(dataset, batch.cases[b], comparison.cells, active);
        }
        const CaseSums sums =
            CaseSums::of({prediction.view().rows(row, row + 1).reshaped(one),
                          truth.view().rows(row, row + 1).reshaped(one), active.reshaped(one.slice(0, 2)), volumes});
        const std::vector<double> numbers = sums.numbers();
        results[b].insert(results[b].end(), numbers.begin(), numbers.end());
    }
}

/// Joins what the ranks of a group found in their boxes of one case, in rank order.
void join_boxes(Communicator* space, std::size_t fields, std::vector<double>& numbers) {
    if (space == nullptr) {
        return;
    }
    const std::vector<std::byte> bytes = space->allgather(std::as_bytes(std::span(numbers)));
    std::vector<double> all(bytes.size() / sizeof(double));
    std::memcpy(all.data(), bytes.data(), bytes.size());
    const std::size_t each = (numbers.size() - 1) / fields;
    for (std::size_t f = 0; f < fields; ++f) {
        CaseSums whole;
        for (std::size_t at = 1 + f * each; at < all.size(); at += numbers.size()) {
            whole.join(CaseSums::of_numbers(std::span(all).subspan(at, each)));
        }
        std::ranges::copy(whole.numbers(), numbers.begin() + static_cast<std::ptrdiff_t>(1 + f * each));
    }
}

/// Results of all cases, in their order, from those of this group.
std::vector<double> of_all_groups(Communicator* groups, const std::map<std::int64_t, std::vector<double>>& own,
                                  std::size_t cases, std::size_t each) {
    std::vector<double> all(cases * each, 0.0);
    for (const auto& [place, numbers] : own) {
        std::ranges::copy(numbers, all.begin() + place * static_cast<std::ptrdiff_t>(each));
    }
    if (groups != nullptr) {
        groups->sum(all);
    }
    return all;
}

PhysicsOptions physics_options(const EvaluationOptions& options) {
    PhysicsOptions physics;
    physics.log = options.log;
    physics.stop_requested = options.stop_requested;
    physics.failures = options.failures;
    return physics;
}

/// The cases that are compared, with their physics in a file beside them.
CaseSet compared_cases(const FieldNetwork& network, const Dataset& dataset, const std::vector<std::int64_t>& cases,
                       const EvaluationOptions& options) {
    if (!dataset.has_outputs()) {
        throw InvalidData(dataset.path() +
                          ": no /outputs to compare with (the file holds inputs only); give a simulated data set");
    }
    const NetworkDescription& description = network.description();
    const RankShard shard(network, dataset.space().append(dataset.snapshots()));
    auto physics = options.physics ? options.physics
                                   : stored_physics(description, dataset, cases, physics_options(options), shard);
    return CaseSet(dataset, description, std::move(physics), options.failures, options.trained_on);
}

/// One evaluation on this rank.
class RankEvaluation {
   public:
    RankEvaluation(const FieldNetwork& network, const Dataset& dataset, const std::vector<std::int64_t>& cases,
                   const EvaluationOptions& options)
        : network_(network),
          dataset_(dataset),
          cases_(cases),
          options_(options),
          set_(compared_cases(network, dataset, cases, options)),
          stream_(network, set_, {.targets = Targets::read, .compared = options.loss.kind}),
          pass_(stream_),
          share_(stream_.case_shard()),
          distances_(share_.inverse_distances(inverse_distances_of(dataset, options.loss))) {
        const NetworkDescription& description = network.description();
        for (std::size_t f = 0; options.compare_physics && f < description.fields.size(); ++f) {
            if (!description.fields[f].base.empty()) {
                known_.push_back(f);
            }
        }
    }

    Evaluation run();

   private:
    void require_going_on() const;
    void add(CaseBatch& loaded, std::int64_t first);
    /// Whether a case is not compared: it failed, or nothing is injected, so that errors are relative to nothing.
    bool is_left_out(std::int64_t which) const;
    std::string reason_of(std::int64_t which) const;
    Evaluation summed_up();
    /// Places of the cases that were compared; the others are told in the result.
    std::vector<std::size_t> compared_places(const std::vector<double>& all, std::size_t each,
                                             Evaluation& result) const;

    const FieldNetwork& network_;
    const Dataset& dataset_;
    const std::vector<std::int64_t>& cases_;
    const EvaluationOptions& options_;
    const CaseSet set_;
    CaseStream stream_;
    FieldPass pass_;
    const RankShard& share_;
    const std::vector<Tensor> distances_;
    std::vector<std::size_t> known_;                       // fields of which the physics is compared too
    std::map<std::int64_t, std::vector<double>> results_;  // by place among the cases
    double compute_seconds_ = 0.0;
};

void RankEvaluation::require_going_on() const {
    if (options_.stop_requested && share_.agreed(options_.stop_requested())) {
        throw Interrupted();
    }
}

void RankEvaluation::add(CaseBatch& loaded, std::int64_t first) {
    const auto start = Clock::now();
    const Tensor prediction = pass_.on_backend(loaded);
    Tensor values = host_zeros(prediction.shape());
    Backend& backend = network_.backend();
    backend.download(prediction.view(), values);
    compute_seconds_ += seconds_since(start);
    const Batch& batch = loaded.on_case_grid();
    const LossTarget target{uploaded(backend, batch.targets), uploaded(backend, batch.active), views_of(distances_)};
    std::vector<std::vector<double>> numbers;
    for (const double value : field_losses(backend, prediction.view(), target, options_.loss, share_.space())) {
        numbers.push_back({value});
    }
    const std::vector<Field>& fields = network_.description().fields;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        compare(dataset_, batch, {values, batch.targets, batch.active, share_.targets()}, static_cast<std::int64_t>(f),
                stream_.regrid() != nullptr ? as_joined(fields[f]) : fields[f], numbers);
    }
    for (const std::size_t f : known_) {  // without the neighbours, which the base has not
        const Tensor truth = share_.local_cells(batch.targets), active = share_.local_cells(batch.active);
        compare(dataset_, batch, {batch.base, truth, active, share_.local()}, static_cast<std::int64_t>(f),
                as_it_is(fields[f]), numbers);
    }
    for (std::size_t b = 0; b < numbers.size(); ++b) {
        if (is_left_out(batch.cases[b])) {
            std::ranges::fill(numbers[b], 0.0);
            numbers[b].front() = std::numeric_limits<double>::quiet_NaN();
        }
        join_boxes(share_.space(), fields.size() + known_.size(), numbers[b]);
        results_.emplace(first++, std::move(numbers[b]));
    }
}

bool RankEvaluation::is_left_out(std::int64_t which) const {
    return options_.failures != nullptr && (options_.failures->has(which) || dataset_.injects_nothing(which));
}

std::string RankEvaluation::reason_of(std::int64_t which) const {
    const auto failed = options_.failures->all();
    const auto found = failed.find(which);
    return found != failed.end() ? found->second
           : is_left_out(which)  ? "nothing is injected, so that errors are relative to nothing"
                                 : "it could not be computed";
}

Evaluation RankEvaluation::run() {
    require_batch(options_.batch);
    stream_.start(batches_of(cases_, options_.batch > 0 ? options_.batch : usual_batch));
    std::int64_t done = 0;
    while (std::optional<CaseBatch> batch = stream_.next()) {
        require_going_on();
        if (!batch->on_model_grid.cases.empty()) {
            add(*batch, done + share_.cases(batch->count()).low);
        }
        done += batch->count();
        if (options_.progress) {
            options_.progress(done);
        }
    }
    return summed_up();
}

Evaluation RankEvaluation::summed_up() {
    Evaluation result;
    result.compute_seconds = compute_seconds_;
    const std::vector<Field>& fields = network_.description().fields;
    CaseSums none;
    none.times.resize(static_cast<std::size_t>(dataset_.snapshots()));
    const std::size_t sums = none.numbers().size();
    const std::size_t each = 1 + (fields.size() + known_.size()) * sums;
    const std::vector<double> all = of_all_groups(share_.groups(), results_, cases_.size(), each);
    const std::vector<std::size_t> compared = compared_places(all, each, result);
    const auto summary = [&](std::size_t place) {
        ErrorSummary errors;
        for (const std::size_t k : compared) {
            errors.add(CaseSums::of_numbers(std::span(all).subspan(k * each + 1 + place * sums, sums)));
        }
        return errors;
    };
    for (std::size_t f = 0; f < fields.size(); ++f) {
        result.fields.push_back({fields[f], summary(f), std::nullopt});
    }
    for (std::size_t i = 0; i < known_.size(); ++i) {
        result.fields[known_[i]].physics = summary(fields.size() + i);
        result.fields[known_[i]].physics_settings = network_.description().physics->settings;
    }
    for (const std::size_t k : compared) {
        result.loss += all[k * each] / static_cast<double>(compared.size());
    }
    return result;
}

std::vector<std::size_t> RankEvaluation::compared_places(const std::vector<double>& all, std::size_t each,
                                                         Evaluation& result) const {
    std::vector<std::size_t> compared;
    for (std::size_t k = 0; k < cases_.size(); ++k) {
        if (options_.failures != nullptr && std::isnan(all[k * each])) {
            result.left_out[cases_[k]] = reason_of(cases_[k]);
        } else {
            compared.push_back(k);
            result.cases.push_back(cases_[k]);
        }
    }
    if (compared.empty() && !cases_.empty()) {
        const auto& [which, why] = *result.left_out.begin();
        throw InvalidData(fmt::format("{}: no case can be compared (case {}: {}); give cases that can be computed",
                                      dataset_.path(), which, why));
    }
    return compared;
}

}  // namespace

Evaluation evaluate(const FieldNetwork& network, const Dataset& dataset, const std::vector<std::int64_t>& cases,
                    const EvaluationOptions& options) {
    return RankEvaluation(network, dataset, cases, options).run();
}

}  // namespace plumecast
