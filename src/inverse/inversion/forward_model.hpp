#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <plumecast/core/log.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "inverse/inversion/observed_places.hpp"

namespace plumecast {

class Predictor;

/// What a model says of cases at observations.
struct PredictedObservations {
    Eigen::MatrixXd values;                      ///< [D, N]; NaN of cases that could not be computed
    std::map<std::int64_t, std::string> failed;  ///< by place, and why, without the place
    /// Cases whose verdict is doubtful or bad, by place, and why: the input farthest outside the training, or
    /// the first reason of the verdict.
    std::map<std::int64_t, std::string> not_good;

    /// Takes over the answers about further cases.
    void append(const PredictedObservations& others);
    /// The first case that could not be computed and why, by the numbers [N] of the members.
    std::string first_failure(std::span<const std::int64_t> numbers) const;
};

/// Cases to observations by the one way through a network, or by the reduced physics alone.
class ForwardModel {
   public:
    /// `predictor` may be nullptr: then it is the physics; otherwise it must outlive this. `threads` compute physics.
    ForwardModel(const Predictor* predictor, int threads) : predictor_(predictor), threads_(threads) {}

    /// Who is told, and who may stop it by Interrupted; either may be empty.
    struct Listeners {
        LogSink log;
        std::function<void(std::int64_t done, std::int64_t all)> progress;
        std::function<bool()> stop_requested;
    };

    /// `some(first, count)` gives cases first to first + count - 1 of `all`; so many are computed at once that the
    /// fields of few are in memory, always the same ones together. A case that is not admissible has failed, unless all
    /// that are computed with it are not. Throws InvalidData, InvalidInput, Interrupted.
    PredictedObservations at(const ObservedPlaces& places, std::int64_t all,
                             const std::function<MemoryCases(std::int64_t first, std::int64_t count)>& some,
                             const Listeners& listeners) const;

   private:
    PredictedObservations of_block(const ObservedPlaces& places, const MemoryCases& cases,
                                   const Listeners& listeners) const;
    PredictedObservations of_one(const ObservedPlaces& places, const std::function<MemoryCases()>& member,
                                 const Listeners& listeners) const;
    PredictedObservations by_network(const ObservedPlaces& places, const MemoryCases& cases,
                                     const Listeners& listeners) const;
    PredictedObservations by_physics(const ObservedPlaces& places, const MemoryCases& cases,
                                     const Listeners& listeners) const;

    const Predictor* predictor_;
    int threads_;
};

}  // namespace plumecast
