#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/case_physics/case_failures.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"

namespace plumecast {

/// Makes the dissolved CO2 of a case that of a corrected prediction, so that free and dissolved CO2 are what was
/// injected. `fields` hold the predicted saturation and build-up and, [kg per m3 of pore volume], the dissolved CO2 of
/// the physics, whose saturation [T, cells] is `known`; `times` [day].
///
/// The concentration in the brine of a cell stays that of the physics while its share of the pores becomes that of the
/// predicted saturation. What is then missing or too much is made up for by one factor on the cells without free CO2,
/// at most 2; the rest, by one on the cells that hold some, 0.5 to 2. What is left after that stays, for the ledger to
/// show. Returns the dissolved CO2 before and after, per CO2 injected.
DissolvedSeries close_balance(CaseFields& fields, std::span<const float> known, const std::vector<double>& times);

/// Fields of a batch by name, on the host, float32 [B, space..., T], in physical units: as predicted, and as the
/// physics has them.
struct FieldsByName {
    std::map<std::string, std::shared_ptr<const Tensor>> predicted;
    std::map<std::string, std::shared_ptr<const Tensor>> known;
    std::vector<std::vector<float>> injected = {};  ///< of the cases as in Batch
};

/// The same for cases of a data set in a batch; `dissolved` [B, space..., T] is changed in place. Does nothing unless
/// saturation and build-up are both predicted and the physics has the saturation. A case whose pressures or temperature
/// no CO2 is known at is added to the failures, and left as it is. Returns what was dissolved before and after, per CO2
/// injected, of the cases that were closed.
std::map<std::int64_t, DissolvedSeries> close_balance(const Dataset& dataset, const std::vector<std::int64_t>& cases,
                                                      const FieldsByName& fields, Tensor& dissolved,
                                                      CaseFailures& failures);

}  // namespace plumecast
