#include "inference/packed_results.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <span>
#include <thread>
#include <utility>

namespace plumecast {
namespace {

using PackedCases = std::vector<std::vector<std::byte>>;

int all_processors() { return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1); }

std::span<const float> of_case(const Tensor& values, std::size_t which, std::size_t cases) {
    const std::span<const float> all = values.values<float>();
    return all.subspan(which * (all.size() / cases), all.size() / cases);
}

/// What the file will hold of each of some cases, by `team` threads.
PackedCases packed(const FieldsWriter& writer, const Tensor& values, const Tensor& active, std::size_t cases,
                   int team) {
    PackedCases packed(cases);
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
    for (std::size_t i = 0; i < cases; ++i) {
        try {
            packed[i] = writer.pack(of_case(values, i, cases), of_case(active, i, cases));
        } catch (...) {
#pragma omp critical
            failure = std::current_exception();
        }
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
    return packed;
}

void store(FieldsWriter& writer, const std::string& field, const std::vector<std::int64_t>& cases,
           const PackedCases& packed) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
        writer.store(field, cases[i], packed[i]);
    }
}

}  // namespace

PackedResults::PackedResults(FieldsWriter& writer, int busy, int processors) : writer_(&writer) {
    const int idle = (processors > 0 ? processors : all_processors()) - busy;
    in_background_ = idle > 0;
    team_ = in_background_ ? idle : std::max(busy, 1);
}

void PackedResults::add(const std::string& field, const std::vector<std::int64_t>& cases,
                        std::shared_ptr<const Tensor> values, std::shared_ptr<const Tensor> active) {
    if (in_background_) {
        behind_.add([=, this, values = std::move(values), active = std::move(active)] {
            store(*writer_, field, cases, packed(*writer_, *values, *active, cases.size(), team_));
        });
        return;
    }
    behind_.add([=, this, chunks = packed(*writer_, *values, *active, cases.size(), team_)] {
        store(*writer_, field, cases, chunks);
    });
}

}  // namespace plumecast
