#include "inference/gradients/tape.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/machine/in_parallel.hpp"
#include "inference/batch_size.hpp"
#include "inference/gradients/gradient_arrays.hpp"
#include "inference/gradients/regridded_cotangents.hpp"
#include "reservoir/batches/case_lists.hpp"
#include "reservoir/dataset/store/memory_store.hpp"
#include "reservoir/metrics/case_series.hpp"

namespace plumecast {
Recording::Tape::Tape(OpenInput input, const std::vector<const FieldNetwork*>& networks,
                      const PredictionOptions& options, const std::optional<GridAndTimes>& model_grid)
    : networks_(networks), limits_(options.limits) {
    if (input.memory != nullptr) {
        memory_ = *input.memory;
    }
    dataset_ = std::make_unique<const Dataset>(std::move(*input.dataset));
    const Backend& backend = networks.front()->backend();
    PhysicsOptions kept;
    kept.kept_bytes = options.physics_bytes;
    kept.log = options.log;
    kept.threads = backend.shares_host_memory() ? backend.host_threads() : 0;
    std::vector<const NetworkDescription*> descriptions;
    for (const FieldNetwork* network : networks) {
        descriptions.push_back(&network->description());
    }
    set_.emplace(*dataset_, descriptions, std::move(kept), model_grid, KeptCases::all);
    for (const FieldNetwork* network : networks) {
        streams_.emplace_back(*network, *set_, StreamOptions{.type = backend.compute_type()});
    }
}

std::vector<std::string> Recording::Tape::fields() const {
    std::vector<std::string> names;
    for (const FieldNetwork* network : networks_) {
        for (const Field& field : network->description().fields) {
            names.push_back(field.name);
        }
    }
    return names;
}

/// Runs a network over some cases, and hands its fields on where they are wanted.
void Recording::Tape::record(std::size_t network, const std::vector<std::int64_t>& cases, Passes& passes,
                             PackedResults* results) {
    Pass& pass = passes.emplace_back(networks_[network], streams_[network].load({0, cases}), nullptr);
    pass.recorded = std::make_unique<RecordedBatch>(*pass.network, pass.batch.on_model_grid, plans_);
    if (results != nullptr) {
        BatchFields fields = fields_of_pass(network, pass);
        for (auto& [name, values] : fields.named.predicted) {
            results->add(name, fields.cases, std::move(values), fields.active);
        }
    }
}

BatchFields Recording::Tape::fields_of_pass(std::size_t network, Pass& pass) {
    // Joining fields to the physics of other times takes a batch apart.
    CaseBatch again = pass.batch.regridded ? streams_[network].load({0, pass.batch.whole.cases}) : CaseBatch{};
    return fields_of(streams_[network], pass.batch.regridded ? again : pass.batch, pass.recorded->values(), limits_);
}

std::vector<std::string> Recording::Tape::series() const {
    const std::vector<std::string> known = fields();
    const auto has = [&](const char* name) { return std::ranges::find(known, name) != known.end(); };
    const bool is_measured =
        dataset_->geometry() == Geometry::radial && has("pressure_buildup") && has("gas_saturation");
    return is_measured ? differentiable_series() : std::vector<std::string>();
}

std::vector<CaseFields> Recording::Tape::measured(Passes& passes) {
    std::vector<CaseFields> all;
    for (const std::int64_t which : passes.front().batch.whole.cases) {
        all.push_back(case_with_wells(*dataset_, which));
    }
    const auto times = static_cast<std::size_t>(dataset_->snapshots());
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const BatchFields fields = fields_of_pass(i, passes[i]);
        for (const auto& [name, field] : {std::pair("pressure_buildup", &CaseFields::pressure_buildup),
                                          std::pair("gas_saturation", &CaseFields::gas_saturation)}) {
            const auto found = fields.named.predicted.find(name);
            for (std::size_t n = 0; found != fields.named.predicted.end() && n < all.size(); ++n) {
                const std::size_t cells = all[n].active.size();
                const auto from = std::as_const(*found->second).values<float>().subspan(n * cells * times);
                std::vector<float>& to = all[n].*field;
                to.resize(times * cells);
                for (std::size_t value = 0; value < to.size(); ++value) {
                    to[value] = from[value % cells * times + value / cells];
                }
            }
        }
    }
    return all;
}

std::vector<double> Recording::Tape::series(const std::string& name) {
    std::vector<double> values;
    for (Passes& passes : batches_) {
        for (const CaseFields& one : measured(passes)) {
            const std::vector<double> of_case = series_of(name, one, dataset_->times());
            values.insert(values.end(), of_case.begin(), of_case.end());
        }
    }
    return values;
}

std::vector<SeriesGradient> Recording::Tape::pull_back_series(Passes& passes, const FieldCotangents& cotangents) {
    std::vector<std::string> given;
    std::ranges::copy_if(series(), std::back_inserter(given),
                         [&](const std::string& name) { return cotangents.contains(name); });
    std::vector<SeriesGradient> gradients;
    if (given.empty()) {
        return gradients;
    }
    const std::vector<CaseFields> cases = measured(passes);
    gradients.resize(cases.size());
    const auto threads = static_cast<std::size_t>(networks_.front()->backend().host_threads());
    in_parallel(cases.size(), threads, [&](std::size_t n) {
        std::vector<float> stored(static_cast<std::size_t>(dataset_->snapshots()));
        NamedCotangents of_case;
        for (const std::string& name : given) {
            read_view(cotangents.at(name), cases[n].number, 1, stored);
            of_case[name].assign(stored.begin(), stored.end());
        }
        gradients[n] = series_gradient(*dataset_, cases[n], of_case);
        return true;
    });
    return gradients;
}

void Recording::Tape::record(const PredictionOptions& options, ResultStore* store) {
    const std::int64_t all = dataset_->cases() * static_cast<std::int64_t>(networks_.size());
    std::int64_t done = 0;
    std::optional<PackedResults> results;
    if (store != nullptr) {
        results.emplace(*store, networks_.front()->backend().host_threads());
    }
    try {
        for (const auto& cases :
             batches_of(all_cases(dataset_->cases()), options.batch > 0 ? options.batch : usual_batch)) {
            Passes& passes = batches_.emplace_back();
            passes.reserve(networks_.size());  // a recorded batch knows where its batch is
            for (std::size_t i = 0; i < networks_.size(); ++i) {
                if (options.stop_requested && options.stop_requested()) {
                    throw Interrupted();
                }
                record(i, cases, passes, results ? &*results : nullptr);
                done += static_cast<std::int64_t>(cases.size());
                if (options.progress) {
                    options.progress(done, all);
                }
            }
        }
        if (results) {
            results->finish();
        }
    } catch (const OutOfMemory& why) {
        throw OutOfMemory(fmt::format("the tape of {} cases does not fit ({}); record fewer cases at once",
                                      dataset_->cases(), why.what()));
    }
}

/// [B, space..., T, F]; empty where no field of the network has cotangents.
Tensor Recording::Tape::cotangents_of(const Pass& pass, const OutputCotangents& cotangents) const {
    const std::vector<Field>& fields = pass.network->description().fields;
    const auto cells = static_cast<std::size_t>(dataset_->cells()),
               times = static_cast<std::size_t>(dataset_->snapshots());
    std::vector<float> stored(cells * times);
    Tensor all;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const std::string& name = fields[f].name;
        const auto found = cotangents.given.find(name);
        const bool is_given = found != cotangents.given.end();
        const auto has_series = !cotangents.of_series.empty() && cotangents.of_series.front().fields.contains(name);
        if (!is_given && !has_series) {
            continue;
        }
        if (all.empty()) {
            const Batch& batch = pass.batch.regridded ? *pass.batch.regridded : pass.batch.on_model_grid;
            all = host_zeros(
                batch.active.shape().append(dataset_->snapshots()).append(static_cast<std::int64_t>(fields.size())));
        }
        const std::span<float> out = all.values<float>();
        for (std::size_t n = 0; n < pass.batch.whole.cases.size(); ++n) {
            std::ranges::fill(stored, 0.0F);
            if (is_given) {
                read_view(found->second, pass.batch.whole.cases[n], 1, stored);
            }
            if (has_series) {
                std::ranges::transform(cotangents.of_series[n].fields.at(name), stored, stored.begin(),
                                       [](double more, float sum) { return static_cast<float>(more) + sum; });
            }
            for (std::size_t i = 0; i < stored.size(); ++i) {
                const std::size_t cell = i % cells, t = i / cells;
                out[((n * cells + cell) * times + t) * fields.size() + f] = stored[i];
            }
        }
    }
    return all;
}

Recording::Tape::Gradients Recording::Tape::pull_back_network(Pass& pass, const Tensor& cotangents) const {
    const NetworkDescription& description = pass.network->description();
    const auto physics = set_->physics().of(description);
    if (!pass.batch.regridded) {
        return {pass.recorded->pull_back(*dataset_, physics.get(), cotangents, limits_), {}};
    }
    const Batch& regridded = *pass.batch.regridded;
    const RegriddedCotangents of =
        regridded_cotangents(*set_->regrid(), description, pass.batch.on_model_grid, regridded, pass.recorded->values(),
                             active_cotangents(regridded, cotangents), limits_);
    return {input_gradients(*dataset_, {}, description.fields, physics.get(), regridded, of.on_case_grid),
            pass.recorded->pull_back(set_->regrid()->cases(), set_->model_physics().of(description).get(),
                                     of.on_model_grid, limits_, CotangentsOf::parts)};
}

Recording::Tape::Gradients Recording::Tape::pull_back_networks(Passes& passes, const OutputCotangents& cotangents,
                                                               const std::shared_ptr<CasePhysics>& physics) const {
    Gradients sum;
    for (Pass& pass : passes) {
        if (set_->physics().of(pass.network->description()) != physics) {
            continue;
        }
        if (const Tensor of_pass = cotangents_of(pass, cotangents); !of_pass.empty()) {
            const Gradients of_network = pull_back_network(pass, of_pass);
            add(of_network.on_case_grid, sum.on_case_grid);
            add(of_network.on_model_grid, sum.on_model_grid);
        }
        pass.recorded.reset();
    }
    return sum;
}

void Recording::Tape::pull_back(const FieldCotangents& cotangents, const GradientArrays& gradients) {
    std::vector<std::vector<SeriesGradient>> of_series;
    for (Passes& passes : batches_) {
        of_series.push_back(pull_back_series(passes, cotangents));  // which may be refused
    }
    is_spent_ = true;
    retaken_steps_.assign(static_cast<std::size_t>(dataset_->cases()), 0);
    for (std::size_t which = 0; which < batches_.size(); ++which) {
        Passes& passes = batches_[which];
        const OutputCotangents of_outputs{cotangents, std::move(of_series[which])};
        Gradients plain = pull_back_networks(passes, of_outputs, nullptr);
        InputGradients sum = std::move(plain.on_case_grid);
        add(plain.on_model_grid, sum);
        for (std::size_t i = 0; i < set_->physics().all().size(); ++i) {
            const auto& physics = set_->physics().all()[i];
            Gradients of_networks = pull_back_networks(passes, of_outputs, physics);
            add_physics_gradients(*dataset_, *physics, of_networks.on_case_grid);
            add(of_networks.on_case_grid, sum);
            if (set_->regrid() != nullptr) {
                add_physics_gradients(set_->regrid()->cases(), *set_->model_physics().all()[i],
                                      of_networks.on_model_grid);
                add(of_networks.on_model_grid, sum);
            }
        }
        for (std::size_t n = 0; n < of_outputs.of_series.size(); ++n) {
            add(*dataset_, n, of_outputs.of_series[n].inputs, sum);
        }
        for (std::size_t n = 0; n < sum.retaken_steps.size(); ++n) {
            retaken_steps_.at(static_cast<std::size_t>(sum.cases[n])) = sum.retaken_steps[n];
        }
        for (const auto& [name, array] : gradients) {
            write_entries(array, passes.front().batch.whole.cases.front(), sum.inputs.at(name));
        }
        passes.clear();
    }
}

Recording::Recording(std::unique_ptr<Tape> tape) : tape_(std::move(tape)) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

std::vector<std::string> Recording::fields() const { return tape_->fields(); }

std::vector<std::string> Recording::series() const { return tape_->series(); }

std::vector<double> Recording::series(const std::string& name) {
    if (tape_->is_spent()) {
        throw InvalidInput("the recording was pulled back before (its tape goes with that); ask for series before");
    }
    require_series(name, tape_->series(), tape_->dataset());
    return tape_->series(name);
}

std::vector<std::string> Recording::inputs() const { return differentiable_inputs(tape_->dataset()); }

std::vector<std::int64_t> Recording::retaken_steps() const {
    if (!tape_->is_spent()) {
        throw InvalidInput(
            "the recording was not pulled back yet (its steps are counted on the way back); pull it back");
    }
    return tape_->retaken_steps();
}

void Recording::pull_back(const FieldCotangents& cotangents, const GradientArrays& gradients) {
    if (tape_->is_spent()) {
        throw InvalidInput("the recording was pulled back before (its tape goes with that); record the cases again");
    }
    require_cotangents(cotangents, tape_->fields(), tape_->series(), tape_->dataset());
    require_gradients(gradients, tape_->dataset(), tape_->memory(), cotangents);
    tape_->pull_back(cotangents, gradients);
}

}  // namespace plumecast
