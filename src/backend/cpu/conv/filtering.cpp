#include "backend/cpu/conv/filtering.hpp"

#include <array>

namespace plumecast::cpu {
namespace {

// F(2, 2), interpolated at 0, 1 and infinity.
constexpr std::array<float, 9> inputs_2_2{1, -1, 0,  //
                                          0, 1,  0,  //
                                          0, -1, 1};
constexpr std::array<float, 6> weights_2_2{1, 0,  //
                                           1, 1,  //
                                           0, 1};
constexpr std::array<float, 6> outputs_2_2{1, 1, 0,  //
                                           0, 1, 1};

// F(2, 3), interpolated at 0, 1, -1 and infinity.
constexpr std::array<float, 16> inputs_2_3{1, 0,  -1, 0,  //
                                           0, 1,  1,  0,  //
                                           0, -1, 1,  0,  //
                                           0, 1,  0,  -1};
constexpr std::array<float, 12> weights_2_3{1,    0,     0,     //
                                            0.5f, 0.5f,  0.5f,  //
                                            0.5f, -0.5f, 0.5f,  //
                                            0,    0,     1};
constexpr std::array<float, 8> outputs_2_3{1, 1, 1,  0,  //
                                           0, 1, -1, -1};

// F(4, 3), interpolated at 0, 3/4, -3/4, 3/2, -3/2 and infinity. The usual points 0, 1, -1, 2, -2 double the rounding
// errors (on the choice of points: Barabasz et al. 2020).
constexpr std::array<float, 36> inputs_4_3{81.0f / 64, 0,           -45.0f / 16, 0,           1, 0,  //
                                           0,          -27.0f / 16, -9.0f / 4,   3.0f / 4,    1, 0,  //
                                           0,          27.0f / 16,  -9.0f / 4,   -3.0f / 4,   1, 0,  //
                                           0,          -27.0f / 32, -9.0f / 16,  3.0f / 2,    1, 0,  //
                                           0,          27.0f / 32,  -9.0f / 16,  -3.0f / 2,   1, 0,  //
                                           0,          81.0f / 64,  0,           -45.0f / 16, 0, 1};
constexpr std::array<float, 18> weights_4_3{64.0f / 81,
                                            0,
                                            0,  //
                                            -128.0f / 243,
                                            -32.0f / 81,
                                            -8.0f / 27,  //
                                            -128.0f / 243,
                                            32.0f / 81,
                                            -8.0f / 27,  //
                                            32.0f / 243,
                                            16.0f / 81,
                                            8.0f / 27,  //
                                            32.0f / 243,
                                            -16.0f / 81,
                                            8.0f / 27,  //
                                            0,
                                            0,
                                            1};
constexpr std::array<float, 24> outputs_4_3{1, 1,          1,           1,         1,          0,  //
                                            0, 3.0f / 4,   -3.0f / 4,   3.0f / 2,  -3.0f / 2,  0,  //
                                            0, 9.0f / 16,  9.0f / 16,   9.0f / 4,  9.0f / 4,   0,  //
                                            0, 27.0f / 64, -27.0f / 64, 27.0f / 8, -27.0f / 8, 1};

}  // namespace

const Filtering& filtering_2_2() {
    static constexpr Filtering f{2, 2, 3, inputs_2_2, weights_2_2, outputs_2_2};
    return f;
}

const Filtering& filtering_2_3() {
    static constexpr Filtering f{2, 3, 4, inputs_2_3, weights_2_3, outputs_2_3};
    return f;
}

const Filtering& filtering_4_3() {
    static constexpr Filtering f{4, 3, 6, inputs_4_3, weights_4_3, outputs_4_3};
    return f;
}

}  // namespace plumecast::cpu
