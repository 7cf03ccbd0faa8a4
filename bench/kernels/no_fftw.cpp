#include "kernels.hpp"

namespace plumecast::bench {

void register_fftw(Context&) {}
void register_axis_curve(Context&) {}

}  // namespace plumecast::bench
