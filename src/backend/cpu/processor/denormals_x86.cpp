#include <xmmintrin.h>

#include "backend/cpu/processor/denormals.hpp"

namespace plumecast::cpu {
namespace {

// Bits of MXCSR: results below the smallest normal number become zero, and so do operands.
constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;

}  // namespace

unsigned flush_denormals() {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | flush_to_zero | denormals_are_zero);
    return before;
}

void restore_denormals(unsigned state) { _mm_setcsr(state); }

}  // namespace plumecast::cpu
