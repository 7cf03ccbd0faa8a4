#pragma once

#include <cstddef>
#include <string>

#include "reservoir/import/case_arrays.hpp"
#include "reservoir/import/grid_shape.hpp"
#include "reservoir/import/reservoir_model.hpp"

namespace plumecast {

/// CO2 that the brine holds before injection per CO2 injected until the last snapshot. 0 where masses are not known;
/// infinite where there is some, but no pore volumes (PORV) or nothing injected. The cells of the model fill
/// `ring_share` of the ring into which is injected.
double dissolved_before_injection(ReservoirModel& model, const CaseSteps& steps, const Injection& injection,
                                  double ring_share);

/// How far the pressures before injection depart from those of brine at rest below `initial_pressure` of the inputs of
/// the case, by which a data set tells them; empty where that is no more than 2 bar.
std::string pressure_departure(ReservoirModel& model, std::size_t initial, const StoredGrid& shape,
                               const CaseArrays& inputs);

/// How far temperatures change in the course of a run, of which a data set tells those before injection; empty where
/// they change by no more than 1 degC, or the run does not tell.
std::string temperature_change(ReservoirModel& model, const CaseSteps& steps);

}  // namespace plumecast
