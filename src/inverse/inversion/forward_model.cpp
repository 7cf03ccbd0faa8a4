#include "inverse/inversion/forward_model.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/machine/in_order.hpp"
#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/case_physics/estimate.hpp"
#include "reservoir/case_physics/physics_pass.hpp"

namespace plumecast {
namespace {

constexpr std::int64_t cases_at_once = 32;

Eigen::MatrixXd unknown_values(const ObservedPlaces& places, std::int64_t cases) {
    return Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(places.count()), static_cast<Eigen::Index>(cases),
                                     std::numeric_limits<double>::quiet_NaN());
}

std::span<double> column_of(Eigen::MatrixXd& values, std::int64_t which) {
    return {values.col(static_cast<Eigen::Index>(which)).data(), static_cast<std::size_t>(values.rows())};
}

/// Fields that nothing beyond observations reads, [N, T, space...] each.
struct FieldArrays {
    FieldArrays(const ObservedPlaces& places, const Dataset& dataset)
        : per_case(static_cast<std::size_t>(dataset.snapshots() * dataset.cells())) {
        std::vector<std::int64_t> extents{dataset.cases(), dataset.snapshots()};
        for (int axis = 0; axis < dataset.space().rank(); ++axis) {
            extents.push_back(dataset.space()[axis]);
        }
        for (const std::string& field : places.fields()) {
            std::vector<float>& of_field = values[field];
            of_field.resize(static_cast<std::size_t>(dataset.cases()) * per_case);
            outputs.arrays.emplace(field, output_to(of_field.data(), extents));
        }
    }

    std::size_t per_case;
    std::map<std::string, std::vector<float>> values;
    PredictedArrays outputs;
};

void count_verdicts(const ResultVerdicts& verdicts, PredictedObservations& result) {
    for (std::size_t i = 0; i < verdicts.cases.size(); ++i) {
        // Cases without values leave the ensemble.
        if (verdicts.cases[i].trust == Trust::good || result.failed.contains(static_cast<std::int64_t>(i))) {
            continue;
        }
        const bool is_outside = i < verdicts.evidence.size() && verdicts.evidence[i].outside > 0.0;
        result.not_good.emplace(i, is_outside ? verdicts.evidence[i].farthest_input + " lies outside the training range"
                                              : verdicts.cases[i].reasons.front());
    }
}

/// What is said of a case of a block, without the place that it has there.
std::string without_place(std::string why, std::int64_t place) {
    for (const std::string& name : {std::string("members of the ensemble: "), fmt::format("case {}: ", place)}) {
        if (const std::size_t at = why.find(name); at != std::string::npos) {
            why.erase(at, name.size());
        }
    }
    return why;
}

/// A case without a value at an observation has failed.
void note_unknown(std::int64_t which, PredictedObservations& result) {
    if (!result.values.col(static_cast<Eigen::Index>(which)).allFinite()) {
        result.failed.emplace(which,
                              "a value at an observation is not known (a bottom-hole pressure outside 0 to 1000 "
                              "bar, say)");
    }
}

void require_going_on(const ForwardModel::Listeners& listeners) {
    if (listeners.stop_requested && listeners.stop_requested()) {
        throw Interrupted();
    }
}

}  // namespace

void PredictedObservations::append(const PredictedObservations& others) {
    const Eigen::Index before = values.cols();
    for (const auto& [place, why] : others.failed) {
        failed.emplace(before + place, without_place(why, place));
    }
    for (const auto& [place, why] : others.not_good) {
        not_good.emplace(before + place, why);
    }
    Eigen::MatrixXd all(others.values.rows(), before + others.values.cols());
    if (before > 0) {
        all.leftCols(before) = values;
    }
    all.rightCols(others.values.cols()) = others.values;
    values = std::move(all);
}

std::string PredictedObservations::first_failure(std::span<const std::int64_t> numbers) const {
    const auto& [place, why] = *failed.begin();
    return fmt::format("member {}: {}", numbers[static_cast<std::size_t>(place)], why);
}

PredictedObservations ForwardModel::at(const ObservedPlaces& places, std::int64_t all,
                                       const std::function<MemoryCases(std::int64_t first, std::int64_t count)>& some,
                                       const Listeners& listeners) const {
    PredictedObservations result;
    for (std::int64_t first = 0; first < all; first += cases_at_once) {
        Listeners of_these = listeners;
        if (first > 0) {
            of_these.log = nullptr;  // what a model says of the first members it says of the others
        }
        if (listeners.progress) {
            of_these.progress = [&](std::int64_t done, std::int64_t) { listeners.progress(first + done, all); };
        }
        const std::int64_t count = std::min(cases_at_once, all - first);
        try {
            result.append(of_block(places, some(first, count), of_these));
        } catch (const InvalidInput&) {
            PredictedObservations block;  // one by one, to learn which of them cannot be computed
            for (std::int64_t member = first; member < first + count; ++member) {
                block.append(of_one(
                    places, [&] { return some(member, 1); }, of_these));
            }
            if (static_cast<std::int64_t>(block.failed.size()) == count) {
                throw;
            }
            result.append(block);
        }
    }
    return result;
}

PredictedObservations ForwardModel::of_block(const ObservedPlaces& places, const MemoryCases& cases,
                                             const Listeners& listeners) const {
    return predictor_ != nullptr ? by_network(places, cases, listeners) : by_physics(places, cases, listeners);
}

PredictedObservations ForwardModel::of_one(const ObservedPlaces& places, const std::function<MemoryCases()>& member,
                                           const Listeners& listeners) const {
    try {
        return of_block(places, member(), listeners);
    } catch (const InvalidInput& error) {
        PredictedObservations result;
        result.values = unknown_values(places, 1);
        result.failed.emplace(0, error.what());
        return result;
    }
}

PredictedObservations ForwardModel::by_network(const ObservedPlaces& places, const MemoryCases& cases,
                                               const Listeners& listeners) const {
    const Dataset dataset(cases);
    FieldArrays fields(places, dataset);
    PredictionOptions options;
    options.log = listeners.log;
    options.stop_requested = listeners.stop_requested;
    const PredictionReport report = predictor_->predict(cases, fields.outputs, options);
    PredictedObservations result;
    result.values = unknown_values(places, dataset.cases());
    result.failed = report.failed;
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        if (result.failed.contains(which)) {
            continue;
        }
        ObservedFields of_case;
        for (const auto& [field, values] : fields.values) {
            const auto offset = static_cast<std::size_t>(which) * fields.per_case;
            of_case.emplace(field, std::span(values).subspan(offset, fields.per_case));
        }
        places.sample(dataset, which, of_case, column_of(result.values, which));
        note_unknown(which, result);
    }
    count_verdicts(report.verdicts, result);
    if (listeners.progress) {
        listeners.progress(dataset.cases(), dataset.cases());
    }
    return result;
}

PredictedObservations ForwardModel::by_physics(const ObservedPlaces& places, const MemoryCases& cases,
                                               const Listeners& listeners) const {
    const PhysicsSettings settings = EstimateOptions{}.settings;
    const Dataset dataset(cases);
    require_valid_inputs(cases);
    require_physics_case(dataset);
    PhysicsPass pass(dataset, settings, {});
    PredictedObservations result;
    result.values = unknown_values(places, dataset.cases());
    const std::vector<float> still(static_cast<std::size_t>(dataset.snapshots() * dataset.cells()));
    const auto sampled = [&](std::int64_t which) {
        const PhysicsCase computed = pass.of(which);
        Eigen::VectorXd values = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(places.count()));
        ObservedFields of_case;
        for (const std::string& field : places.fields()) {
            of_case.emplace(field,
                            computed.physics != nullptr ? computed.physics->fields.at("physics_" + field) : still);
        }
        if (!pass.failures().has(which)) {
            places.sample(dataset, which, of_case, {values.data(), static_cast<std::size_t>(values.size())});
        }
        return values;
    };
    const auto taken = [&](std::int64_t which, const Eigen::VectorXd& values) {
        require_going_on(listeners);
        result.values.col(static_cast<Eigen::Index>(which)) = values;
        if (pass.failures().has(which)) {
            result.failed.emplace(which, pass.failures().all().at(which));
        }
        note_unknown(which, result);
        if (listeners.progress) {
            listeners.progress(which + 1, dataset.cases());
        }
        return true;
    };
    in_order(dataset.cases(), threads_, sampled, taken);
    return result;
}

}  // namespace plumecast
