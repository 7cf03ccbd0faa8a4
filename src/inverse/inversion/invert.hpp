#pragma once

#include <string>

#include "inverse/inversion/inversion_config.hpp"
#include "inverse/inversion/inversion_observer.hpp"
#include "inverse/inversion/inversion_report.hpp"

namespace plumecast {

class Predictor;

/// What becomes of the state that an interrupted inversion left for the same folder.
enum class FormerState {
    refuse,  ///< it stays, and nothing is done
    resume,  ///< the run goes on from it; where there is none it begins anew
    replace  ///< the run begins anew, and its own state takes the place
};

/// Finds reservoirs that explain observations: draws a posterior ensemble from a prior one and writes it as a data set
/// with misfits and convergence into `folder`, each file whole or not at all, after all is computed. `predictor` is the
/// model, nullptr for the reduced physics alone. After each step the state is kept in inversion_state_file(), which a
/// run may go on from, to the same bits; it goes with the last step. The same configuration gives the same bits for any
/// number of threads. Throws InvalidInput, InvalidData for what cannot be used (a file, a row, an entry, a state of
/// another inversion, a folder whose results would replace an input), InvalidModel for a damaged state, NotConverged
/// when fewer than half of the members can be computed or a sampler finds no end, NotBuilt for rml and map where NLopt
/// is left out, Interrupted, IoError.
InversionReport invert(const InversionConfig& config, const Predictor* predictor, int threads,
                       const std::string& folder, InversionObserver& observer,
                       FormerState former = FormerState::refuse);

/// "FOLDER.state.safetensors", beside the folder.
std::string inversion_state_file(const std::string& folder);

}  // namespace plumecast
