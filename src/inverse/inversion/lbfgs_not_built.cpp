#include <plumecast/core/error.hpp>

#include "inverse/inversion/lbfgs.hpp"

namespace plumecast {

Minimum minimised(const Differentiable&, const Eigen::VectorXd&, const LbfgsSettings&) {
    require_lbfgs();
    return {};
}

void require_lbfgs() {
    throw NotBuilt(
        "rml and map are left out of this build (it has no NLopt); build with NLopt and PLUMECAST_INVERSE, or use "
        "esmda or smc");
}

}  // namespace plumecast
