#include "inference/prediction/packed_results.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <thread>
#include <utility>

namespace plumecast {
namespace {

/// What is left to do of each of some cases.
using LeftWork = std::vector<std::function<void()>>;

int all_processors() { return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1); }

std::span<const float> packed_values_of(const Tensor& values, std::size_t which, std::size_t cases) {
    const std::span<const float> all = values.values<float>();
    return all.subspan(which * (all.size() / cases), all.size() / cases);
}

/// Puts some cases of a field into the store, by `team` threads.
LeftWork put_all(ResultStore& store, const std::string& field, const std::vector<std::int64_t>& cases,
                 const Tensor& values, const Tensor& active, int team) {
    LeftWork left(cases.size());
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
    for (std::size_t i = 0; i < cases.size(); ++i) {
        try {
            left[i] = store.put(field, cases[i], packed_values_of(values, i, cases.size()),
                                packed_values_of(active, i, cases.size()));
        } catch (...) {
#pragma omp critical
            failure = std::current_exception();
        }
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
    return left;
}

void finish_all(const LeftWork& left) {
    for (const std::function<void()>& work : left) {
        if (work) {
            work();
        }
    }
}

}  // namespace

PackedResults::PackedResults(ResultStore& store, int busy, int processors) : store_(&store) {
    const int idle = (processors > 0 ? processors : all_processors()) - busy;
    in_background_ = idle > 0;
    team_ = in_background_ ? idle : std::max(busy, 1);
}

void PackedResults::add(const std::string& field, const std::vector<std::int64_t>& cases,
                        std::shared_ptr<const Tensor> values, std::shared_ptr<const Tensor> active) {
    if (!store_->takes(field)) {
        return;
    }
    if (in_background_) {
        behind_.add([=, this, values = std::move(values), active = std::move(active)] {
            finish_all(put_all(*store_, field, cases, *values, *active, team_));
        });
        return;
    }
    behind_.add([left = put_all(*store_, field, cases, *values, *active, team_)] { finish_all(left); });
}

}  // namespace plumecast
