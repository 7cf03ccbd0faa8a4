#pragma once

#include <cstddef>
#include <vector>

#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast::two_phase {

/// A pressure that was solved for, with all that its equations were made of.
struct PressureStage {
    PressureStage(std::size_t columns, std::size_t rows) : system(columns, rows), values(columns * rows) {}

    ColumnSystem system;
    State state;                      ///< but for the build-up before it
    StepValues values;                ///< at the build-up before the solution
    std::vector<double> buildup;      ///< before the solution [bar]
    std::size_t updated_columns = 0;  ///< those whose storage is that at `buildup`, not at the start of the step
};

/// A transport of CO2, at the fluids of the pressure before it.
struct TransportStage {
    explicit TransportStage(std::size_t cells) : values_before(cells), values(cells) {}

    std::size_t columns = 0;  ///< that were gone through; further out nothing changed
    State before, after;
    StepValues values_before, values;  ///< before, without CO2 in columns that it entered, and after
};

/// What a time step went through: a round or two of pressure and transport, and the pressure at its end.
struct StepStages {
    StepStages(std::size_t columns, std::size_t rows)
        : pressures(3, PressureStage(columns, rows)), transports(2, TransportStage(columns * rows)) {}

    double days = 0.0;
    double released = 1.0;  ///< share of the volume beyond the pores that was made up for
    std::size_t reached = 0;
    std::size_t rounds = 0;
    State before;
    std::vector<PressureStage> pressures;    ///< those of the rounds, then the last
    std::vector<TransportStage> transports;  ///< of the rounds
};

}  // namespace plumecast::two_phase
