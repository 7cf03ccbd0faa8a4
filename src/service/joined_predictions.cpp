#include "service/joined_predictions.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace plumecast::service {
namespace {

constexpr std::int64_t most_values = 400000;  // of a field of a scenario that waits, as of all that are joined
constexpr std::int64_t most_cases = 16;

std::int64_t cases_in(const Scenario& scenario) { return static_cast<std::int64_t>(scenario.notes.size()); }

std::int64_t values_in(const Scenario& scenario) {
    const DatasetContent& content = scenario.content;
    return cases_in(scenario) * static_cast<std::int64_t>((content.r_edges.size() - 1) * (content.z_edges.size() - 1) *
                                                          content.times.size());
}

/// Whether cases can be those of one data set, and are predicted alike.
bool are_alike(const Scenario& a, const Scenario& b) {
    const auto have_same_name = [](const auto& of_a, const auto& of_b) { return of_a.first == of_b.first; };
    return std::ranges::equal(a.content.arrays, b.content.arrays, have_same_name) &&
           a.content.r_edges == b.content.r_edges && a.content.z_edges == b.content.z_edges &&
           a.content.times == b.content.times && a.content.schedule_ends == b.content.schedule_ends &&
           a.buildup_limit == b.buildup_limit && a.uncertainty == b.uncertainty;
}

/// Entries of the cases begin to begin + count - 1, of which a vector has `of_case` each; an empty one stays so.
template <class Vector>
Vector part_of_cases(const Vector& all, std::int64_t begin, std::int64_t count, std::size_t of_all) {
    const auto of_case = static_cast<std::ptrdiff_t>(all.size() / of_all);
    const auto first = all.begin() + begin * of_case;
    return {first, first + count * of_case};
}

ComputedCases part_of_cases(const ComputedCases& all, std::int64_t begin, std::int64_t count) {
    const std::size_t of_all = all.verdicts.cases.size();
    const auto part = [&](const auto& values) { return part_of_cases(values, begin, count, of_all); };
    ComputedCases part_of_all{{}, all.fields, {}, all.trust, all.origin, all.seconds};
    part_of_all.content.r_edges = all.content.r_edges;
    part_of_all.content.z_edges = all.content.z_edges;
    part_of_all.content.times = all.content.times;
    part_of_all.content.schedule_ends = all.content.schedule_ends;
    part_of_all.content.attributes = all.content.attributes;
    for (const auto& [name, values] : all.content.arrays) {
        part_of_all.content.arrays.emplace(name, part(values));
    }
    part_of_all.verdicts = {part(all.verdicts.cases),   part(all.verdicts.evidence), part(all.verdicts.features),
                            part(all.verdicts.balance), part(all.verdicts.figures),  part(all.verdicts.band_notes),
                            part(all.verdicts.injected)};
    return part_of_all;
}

}  // namespace

struct JoinedPredictions::Waiting {
    const ServedModel* model;
    Scenario scenario;
    bool is_taken = false;
    bool is_answered = false;
    std::optional<ComputedCases> computed = {};
    std::exception_ptr failure = nullptr;
};

bool is_joinable(const AskedSize& size) { return size.cases <= most_cases && size.values <= most_values; }

std::int64_t JoinedPredictions::joined() const {
    const std::lock_guard lock(mutex_);
    return joined_;
}

std::optional<ComputedCases> JoinedPredictions::predicted(const ServedModel& model, Scenario scenario,
                                                          const StopRequest& stop) {
    const auto request = std::make_shared<Waiting>(Waiting{&model, std::move(scenario)});
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(request);
    }
    const auto is_taken = [&] {
        const std::lock_guard lock(mutex_);
        return request->is_taken;
    };
    {
        const Turns::Turn turn = turns_.take([&] { return is_taken() || stop(); });
        const Batch batch = taken_by(request, turn.is_taken());
        if (!batch.empty()) {
            if (!turn.is_taken()) {
                return std::nullopt;
            }
            compute(batch, stop);
        }
    }
    std::unique_lock lock(mutex_);
    answered_.wait(lock, [&] { return request->is_answered; });
    if (request->failure) {
        std::rethrow_exception(request->failure);
    }
    return std::move(request->computed);
}

JoinedPredictions::Batch JoinedPredictions::taken_by(const std::shared_ptr<Waiting>& first, bool with_others) {
    const std::lock_guard lock(mutex_);
    Batch batch;
    if (first->is_taken) {
        return batch;
    }
    std::int64_t cases = 0, values = 0;
    const auto take = [&](Batch::iterator place) {
        cases += cases_in((*place)->scenario);
        values += values_in((*place)->scenario);
        (*place)->is_taken = true;
        batch.splice(batch.end(), waiting_, place);
    };
    take(std::ranges::find(waiting_, first));
    for (auto place = waiting_.begin(); with_others && place != waiting_.end();) {
        const auto next = std::next(place);
        const Waiting& other = **place;
        const bool fits =
            cases + cases_in(other.scenario) <= most_cases && values + values_in(other.scenario) <= most_values;
        if (fits && other.model == first->model && are_alike(other.scenario, first->scenario)) {
            take(place);
        }
        place = next;
    }
    joined_ += static_cast<std::int64_t>(batch.size()) - 1;
    return batch;
}

void JoinedPredictions::answer(Waiting& one, std::optional<ComputedCases> computed, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    one.computed = std::move(computed);
    one.failure = std::move(failure);
    one.is_answered = true;
    answered_.notify_all();
}

void JoinedPredictions::compute_alone(Waiting& one, const StopRequest& stop) {
    try {
        answer(one, service::predicted(*one.model, std::move(one.scenario), stop), nullptr);
    } catch (...) {
        answer(one, std::nullopt, std::current_exception());
    }
}

void JoinedPredictions::compute(const Batch& batch, const StopRequest& stop) {
    if (batch.size() == 1) {
        compute_alone(*batch.front(), stop);
        return;
    }
    std::vector<ComputedCases> parts;
    try {
        Scenario all = batch.front()->scenario;
        for (auto other = std::next(batch.begin()); other != batch.end(); ++other) {
            append_cases(all, (*other)->scenario);
        }
        const ServedModel& model = *batch.front()->model;
        const ComputedCases computed = service::predicted(model, std::move(all), nullptr, 1);
        std::int64_t begin = 0;
        for (const auto& one : batch) {
            parts.push_back(part_of_cases(computed, begin, cases_in(one->scenario)));
            begin += cases_in(one->scenario);
        }
    } catch (const std::exception&) {  // of one of them, or for want of memory: each hears of its own
        for (const auto& one : batch) {
            compute_alone(*one, nullptr);
        }
        return;
    }
    auto part = parts.begin();
    for (const auto& one : batch) {
        answer(*one, std::move(*part++), nullptr);
    }
}

}  // namespace plumecast::service
