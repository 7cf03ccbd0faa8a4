#pragma once

#include <memory>
#include <vector>

#include "support/backends.hpp"

namespace plumecast::testing {

/// The kernels of the CUDA backend on the host, going through transforms over all points where a device would go
/// through cuFFT. Adds up the cases in `transforms`, which must outlive the backend. Like cuFFT's, the transform back
/// leaves nothing of the half spectrum; and it throws where that is not one of a real field, of which cuFFT makes
/// anything.
std::unique_ptr<Backend> make_kernels_with_fft(Precision precision = Precision::fp32, int* transforms = nullptr);

/// backends_and_oracle() and make_kernels_with_fft(), and a device with each of its two ways.
std::vector<BackendChoice> spectral_backends();

}  // namespace plumecast::testing
