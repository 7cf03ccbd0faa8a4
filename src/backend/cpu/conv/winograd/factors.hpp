#pragma once

// Numbers only: also read by files that are compiled once per instruction set.

namespace plumecast::cpu {

/// Factors of Winograd's F(tile, kernel), see WinogradTransform. Points of interpolation are 0 and pairs +p, -p, whose
/// rows or columns are neighbours that differ in signs only, so that a kernel forms their common sums once.

/// F(2, 2), interpolated at 1, -1 and infinity.
struct Factors22 {
    static constexpr float inputs[3][3] = {{1, 1, 0}, {-1, 1, 0}, {-1, 0, 1}};
    static constexpr float weights[3][2] = {{0.5f, 0.5f}, {-0.5f, 0.5f}, {0, 1}};
    static constexpr float outputs[2][3] = {{1, 1, 0}, {1, -1, 1}};
};

/// F(2, 3), interpolated at 0, 1, -1 and infinity.
struct Factors23 {
    static constexpr float inputs[4][4] = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
    static constexpr float weights[4][3] = {{1, 0, 0}, {0.5f, 0.5f, 0.5f}, {0.5f, -0.5f, 0.5f}, {0, 0, 1}};
    static constexpr float outputs[2][4] = {{1, 1, 1, 0}, {0, 1, -1, -1}};
};

/// F(4, 2), interpolated at 1/2, -1/2, 5/4, -5/4 and infinity. Of several choices this one had the smallest rounding
/// errors, half of those at 0, 1, -1, 1/2.
struct Factors42 {
    static constexpr float inputs[5][5] = {{-25.0f / 32, -25.0f / 16, 0.5f, 1, 0},
                                           {25.0f / 32, -25.0f / 16, -0.5f, 1, 0},
                                           {-5.0f / 16, -0.25f, 1.25f, 1, 0},
                                           {5.0f / 16, -0.25f, -1.25f, 1, 0},
                                           {25.0f / 64, 0, -29.0f / 16, 0, 1}};
    static constexpr float weights[5][2] = {{-16.0f / 21, -8.0f / 21},
                                            {16.0f / 21, -8.0f / 21},
                                            {32.0f / 105, 8.0f / 21},
                                            {-32.0f / 105, 8.0f / 21},
                                            {0, 1}};
    static constexpr float outputs[4][5] = {{1, 1, 1, 1, 0},
                                            {0.5f, -0.5f, 1.25f, -1.25f, 0},
                                            {0.25f, 0.25f, 25.0f / 16, 25.0f / 16, 0},
                                            {0.125f, -0.125f, 125.0f / 64, -125.0f / 64, 1}};
};

/// F(4, 3), interpolated at 0, 3/4, -3/4, 3/2, -3/2 and infinity. The usual points 0, 1, -1, 2, -2 double the rounding
/// errors (on the choice of points: Barabasz et al. 2020).
struct Factors43 {
    static constexpr float inputs[6][6] = {
        {81.0f / 64, 0, -45.0f / 16, 0, 1, 0},    {0, -27.0f / 16, -9.0f / 4, 0.75f, 1, 0},
        {0, 27.0f / 16, -9.0f / 4, -0.75f, 1, 0}, {0, -27.0f / 32, -9.0f / 16, 1.5f, 1, 0},
        {0, 27.0f / 32, -9.0f / 16, -1.5f, 1, 0}, {0, 81.0f / 64, 0, -45.0f / 16, 0, 1}};
    static constexpr float weights[6][3] = {{64.0f / 81, 0, 0},
                                            {-128.0f / 243, -32.0f / 81, -8.0f / 27},
                                            {-128.0f / 243, 32.0f / 81, -8.0f / 27},
                                            {32.0f / 243, 16.0f / 81, 8.0f / 27},
                                            {32.0f / 243, -16.0f / 81, 8.0f / 27},
                                            {0, 0, 1}};
    static constexpr float outputs[4][6] = {{1, 1, 1, 1, 1, 0},
                                            {0, 0.75f, -0.75f, 1.5f, -1.5f, 0},
                                            {0, 9.0f / 16, 9.0f / 16, 9.0f / 4, 9.0f / 4, 0},
                                            {0, 27.0f / 64, -27.0f / 64, 27.0f / 8, -27.0f / 8, 1}};
};

}  // namespace plumecast::cpu
