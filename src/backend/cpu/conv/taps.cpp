#include "backend/cpu/conv/taps.hpp"

#include <algorithm>

namespace plumecast::cpu {

std::vector<Tap> AxisRule::taps_at(std::int64_t output, std::int64_t input_extent) const {
    std::vector<Tap> taps;
    for (std::int64_t k = 0; k < kernel; ++k) {
        const std::int64_t distance = output + padding - k;
        const bool whole = !scatters || distance % stride == 0;
        const std::int64_t position = scatters ? distance / stride : output * stride + k - padding;
        if (whole && position >= 0 && position < input_extent) {
            taps.push_back({k, position});
        }
    }
    return taps;
}

std::vector<RowRun> AxisRule::runs(std::int64_t output_extent, std::int64_t input_extent) const {
    std::vector<RowRun> runs;
    const std::int64_t classes = scatters ? std::min(stride, output_extent) : 1;
    for (std::int64_t first = 0; first < classes; ++first) {
        RowRun run;
        run.first = first;
        run.step = scatters ? stride : 1;
        run.rows = (output_extent - first + run.step - 1) / run.step;
        run.input_step = scatters ? 1 : stride;
        for (std::int64_t index = 0; index < kernel; ++index) {
            const std::int64_t k = scatters ? kernel - 1 - index : index;  // in order of position
            const std::int64_t distance = scatters ? first + padding - k : k - padding;
            const std::int64_t position = scatters ? distance / stride : distance;
            const bool whole = !scatters || distance % stride == 0;
            if (whole && position + (run.rows - 1) * run.input_step >= 0 && position < input_extent) {
                run.position = run.weights.empty() ? position : run.position;
                run.weights.push_back(k);
            }
        }
        runs.push_back(run);
    }
    return runs;
}

std::vector<PhasedRun> AxisRule::phased_runs(std::int64_t output_extent) const {
    std::vector<PhasedRun> runs;
    std::size_t longest = 1;
    for (std::int64_t first = 0; first < (scatters ? std::min(stride, output_extent) : 1); ++first) {
        PhasedRun run;
        run.first = first;
        run.step = scatters ? stride : 1;
        run.rows = (output_extent - first + run.step - 1) / run.step;
        run.input_step = scatters ? 1 : stride;
        for (std::int64_t remainder = 0; remainder < (scatters ? 1 : stride); ++remainder) {
            PhasedRun::Phase phase{0, {}};
            for (std::int64_t index = 0; index < kernel; ++index) {
                const std::int64_t k = scatters ? kernel - 1 - index : index;  // in order of position
                const std::int64_t distance = scatters ? first + padding - k : k - padding;
                if ((distance % stride + stride) % stride == remainder) {
                    phase.origin = !phase.weights.empty() ? phase.origin : scatters ? distance / stride : distance;
                    phase.weights.push_back(k);
                }
            }
            longest = std::max(longest, phase.weights.size());
            if (!phase.weights.empty() || scatters) {
                run.phases.push_back(phase);
            }
        }
        runs.push_back(run);
    }
    for (PhasedRun& run : runs) {
        for (PhasedRun::Phase& phase : run.phases) {
            phase.weights.resize(longest, -1);
        }
    }
    return runs;
}

std::array<AxisRule, 3> axis_rules(const ConvGeometry& geometry, bool data_gradient) {
    std::array<AxisRule, 3> rules{};
    for (std::size_t axis = 0; axis < rules.size(); ++axis) {
        rules[axis] = {geometry.transposed != data_gradient, geometry.kernel[axis], geometry.stride[axis],
                       geometry.padding_low[axis]};
    }
    return rules;
}

}  // namespace plumecast::cpu
