#include "backend/cpu/conv/direct.hpp"

#include <algorithm>

#include "backend/cpu/conv/line_store.hpp"
#include "backend/cpu/conv/taps.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Some output channels of a convolution and where they go.
struct Result {
    OutputRef target;
    std::int64_t channel;  ///< of the weight's outputs, that of the target's channel 0
    ConstView bias;
    float slope;
};

/// A panel of a result with its weights [taps, inputs, panel width].
struct Job {
    ConvRows run;
    float* y;
    std::int64_t channels;
    const float* weights;
    std::int64_t tap_size;
};

/// The weight [C, taps, A] as a matrix per tap from input to output channels.
struct TapMatrices {
    const float* data;
    std::int64_t outputs_stride, inputs_stride, tap_stride;
};

TapMatrices tap_matrices(ConstView weight, bool scatters) {
    const std::int64_t taps = weight.shape[1] * weight.shape[2] * weight.shape[3], a = weight.shape[4];
    return {weight.as<float>(), scatters ? 1 : taps * a, scatters ? taps * a : 1, a};
}

/// Panel by panel the matrices of the taps named, [taps, inputs, panel width], zero beyond the last channel.
void rearrange(const TapMatrices& from, std::span<const std::int64_t> taps, std::int64_t inputs, std::int64_t channel,
               std::span<const Panel> panels, std::int64_t lanes, int threads, float* to) {
    const auto count = static_cast<std::int64_t>(taps.size());
    for (const Panel& panel : panels) {
        const std::int64_t width = panel.vectors * lanes;
        float* block = to + panel.offset * lanes * count * inputs;
        parallel_ranges(threads, count, 1 + 65536 / (inputs * width), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin * inputs; row < end * inputs; ++row) {
                const float* source = from.data + taps[static_cast<std::size_t>(row / inputs)] * from.tap_stride +
                                      row % inputs * from.inputs_stride + (channel + panel.first) * from.outputs_stride;
                for (std::int64_t n = 0; n < width; ++n) {
                    block[row * width + n] = n < panel.columns ? source[n * from.outputs_stride] : 0.0f;
                }
            }
        });
    }
}

std::int64_t padded(std::span<const Panel> panels, std::int64_t lanes) {
    return (panels.back().offset + panels.back().vectors) * lanes;
}

/// What a thread hands to the kernels, one entry per pair of taps along axes 1 and 2. Kept from line to line, because
/// allocating it anew costs a tenth of a narrow line.
struct Pointers {
    std::vector<const float*> rows, x, w;
    std::vector<std::int64_t> taps;

    void resize(std::size_t pairs) {
        rows.resize(pairs), x.resize(pairs), w.resize(pairs);
        taps.resize(pairs);
    }
};

/// One convolution, ready to run line by line.
class Lines {
   public:
    Lines(const ConvKernels& kernels, int threads, ScratchMemory scratch, const std::array<AxisRule, 3>& rules,
          std::span<const ConstView> inputs, ConstView weight, const Shape& output);

    void add(const Result& result);
    void run();

   private:
    void lay_out();
    void run_lines(std::int64_t begin, std::int64_t end, float* scratch) const;
    void run_line(std::int64_t line, LineStore& store, Pointers& use) const;

    const ConvKernels* kernels_;
    int threads_;
    ScratchMemory scratch_;
    std::array<AxisRule, 3> rules_;
    std::span<const ConstView> inputs_;
    ConstView weight_;
    Shape output_;
    LineStore::Layout layout_;
    std::vector<std::vector<Tap>> taps_1_, taps_2_;  ///< by output position
    std::vector<RowRun> runs_;
    std::int64_t line_taps_ = 0;
    std::vector<std::int64_t> taps_;  ///< in the order of the kernels
    std::vector<Job> jobs_;
    std::vector<Tensor> held_;
};

Lines::Lines(const ConvKernels& kernels, int threads, ScratchMemory scratch, const std::array<AxisRule, 3>& rules,
             std::span<const ConstView> inputs, ConstView weight, const Shape& output)
    : kernels_(&kernels),
      threads_(threads),
      scratch_(scratch),
      rules_(rules),
      inputs_(inputs),
      weight_(weight),
      output_(output) {
    for (const ConstView& input : inputs) {
        layout_.depth += input.shape[4];
    }
    for (std::int64_t position = 0; position < output[1]; ++position) {
        taps_1_.push_back(rules_[0].taps_at(position, inputs.front().shape[1]));
    }
    for (std::int64_t position = 0; position < output[2]; ++position) {
        taps_2_.push_back(rules_[1].taps_at(position, inputs.front().shape[2]));
    }
    lay_out();
    for (std::int64_t pair = 0; pair < rules_[0].kernel * rules_[1].kernel; ++pair) {
        for (const RowRun& run : runs_) {
            for (const std::int64_t weight_3 : run.weights) {
                taps_.push_back(pair * rules_[2].kernel + weight_3);
            }
        }
    }
}

void Lines::lay_out() {
    runs_ = rules_[2].runs(output_[3], inputs_.front().shape[3]);
    std::int64_t end = 1;
    for (const RowRun& run : runs_) {
        const auto weights = static_cast<std::int64_t>(run.weights.size());
        layout_.before = std::max(layout_.before, -run.position);
        end = std::max(end, run.position + (run.rows - 1) * run.input_step + weights);
        line_taps_ += weights;
    }
    layout_.rows = layout_.before + end;
    layout_.slots_1 = rules_[0].kernel;
    layout_.slots_2 = rules_[1].kernel;
}

void Lines::add(const Result& result) {
    const std::int64_t channels = result.target.view.shape[4], lanes = kernels_->lanes;
    const auto taps = static_cast<std::int64_t>(taps_.size());
    const std::vector<Panel> cut = panels(*kernels_, channels);
    const std::int64_t width = padded(cut, lanes);
    Tensor& memory = held_.emplace_back(*scratch_.from, Shape{width * (taps * layout_.depth + 1)}, DType::float32);
    if (scratch_.is_planned) {
        return;
    }
    float* weights = memory.view().as<float>();
    rearrange(tap_matrices(weight_, rules_[0].scatters), taps_, layout_.depth, result.channel, cut, lanes, threads_,
              weights);
    float* bias = weights + width * taps * layout_.depth;
    std::fill_n(bias, width, 0.0f);
    if (result.bias.data != nullptr) {
        std::copy_n(result.bias.as<float>(), channels, bias);
    }
    for (const Panel& panel : cut) {
        Job job{};
        job.run.columns = panel.columns;
        job.run.vectors = panel.vectors;
        job.run.bias = result.bias.data != nullptr ? bias + panel.offset * lanes : nullptr;
        job.run.beta = static_cast<float>(result.target.beta);
        job.run.slope = result.slope;
        job.y = result.target.view.as<float>() + panel.first;
        job.channels = channels;
        job.tap_size = layout_.depth * panel.vectors * lanes;
        job.weights = weights + panel.offset * lanes * taps * layout_.depth;
        jobs_.push_back(job);
    }
}

void Lines::run() {
    const std::int64_t lines = output_[0] * output_[1] * output_[2];
    Tensor scratch(*scratch_.from, Shape{threads_ * layout_.floats()}, DType::float32);
    if (scratch_.is_planned) {
        return;
    }
    float* base = scratch.view().as<float>();
    parallel_ranges(threads_, lines, 1, [&](std::int64_t begin, std::int64_t end) {
        run_lines(begin, end, base + omp_get_thread_num() * layout_.floats());
    });
}

void Lines::run_lines(std::int64_t begin, std::int64_t end, float* scratch) const {
    LineStore store(layout_, inputs_, scratch);
    Pointers use;
    std::int64_t plane = -1;
    for (std::int64_t line = begin; line < end; ++line) {
        if (line / output_[2] != plane) {
            plane = line / output_[2];
            store.clear();
        }
        run_line(line, store, use);
    }
}

void Lines::run_line(std::int64_t line, LineStore& store, Pointers& use) const {
    const std::int64_t plane = line / output_[2], batch = plane / output_[1];
    const auto& taps_1 = taps_1_[static_cast<std::size_t>(plane % output_[1])];
    const auto& taps_2 = taps_2_[static_cast<std::size_t>(line % output_[2])];
    const std::size_t pairs = taps_1.size() * taps_2.size();
    use.resize(pairs);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const Tap &one = taps_1[pair / taps_2.size()], &two = taps_2[pair % taps_2.size()];
        use.rows[pair] = store.line(batch, one.position, two.position, one.weight);
        use.taps[pair] = (one.weight * rules_[1].kernel + two.weight) * line_taps_;
    }
    std::int64_t before = 0;
    for (const RowRun& run : runs_) {
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            use.x[pair] = use.rows[pair] + (run.position + layout_.before) * layout_.depth;
        }
        for (const Job& job : jobs_) {
            for (std::size_t pair = 0; pair < pairs; ++pair) {
                use.w[pair] = job.weights + (use.taps[pair] + before) * job.tap_size;
            }
            ConvRows call = job.run;
            call.x = use.x.data();
            call.w = use.w.data();
            call.taps = static_cast<std::int64_t>(pairs);
            call.depth = static_cast<std::int64_t>(run.weights.size()) * layout_.depth;
            call.x_stride = run.input_step * layout_.depth;
            call.y = job.y + (line * output_[3] + run.first) * job.channels;
            call.y_stride = run.step * job.channels;
            call.rows = run.rows;
            kernels_->rows(call);
        }
        before += static_cast<std::int64_t>(run.weights.size());
    }
}

}  // namespace

std::vector<Panel> panels(const ConvKernels& kernels, std::int64_t channels) {
    std::vector<Panel> cut;
    const std::int64_t vectors = (channels + kernels.lanes - 1) / kernels.lanes;
    for (std::int64_t offset = 0; offset < vectors;) {
        const std::int64_t left = vectors - offset;
        const std::int64_t taken = left <= kernels.most_vectors ? left : 2;
        const std::int64_t first = offset * kernels.lanes;
        cut.push_back({first, std::min(channels - first, taken * kernels.lanes), taken, offset});
        offset += taken;
    }
    return cut;
}

void DirectConv::forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                         ConstView bias, OutputRef y, float slope) const {
    Lines lines(*kernels_, threads_, scratch_, axis_rules(geometry, false), inputs, weight, y.view.shape);
    lines.add({y, 0, bias, slope});
    lines.run();
}

void DirectConv::data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                               std::span<const OutputRef> gradient_inputs) const {
    const std::array<ConstView, 1> source{gradient_y};
    Lines lines(*kernels_, threads_, scratch_, axis_rules(geometry, true), source, weight,
                gradient_inputs.front().view.shape);
    std::int64_t channel = 0;
    for (const OutputRef& target : gradient_inputs) {
        lines.add({target, channel, ConstView(), 1.0});
        channel += target.view.shape[4];
    }
    lines.run();
}

}  // namespace plumecast::cpu
