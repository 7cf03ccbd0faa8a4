#include "kernels.hpp"

namespace plumecast::bench {

void register_fftw(Context&) {}

}  // namespace plumecast::bench
