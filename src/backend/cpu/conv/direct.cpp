#include "backend/cpu/conv/direct.hpp"

#include <algorithm>
#include <string>

#include <plumecast/core/error.hpp>

#include "backend/cpu/conv/line_store.hpp"
#include "backend/cpu/conv/taps.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Some output channels of a convolution and where they go.
struct Result {
    Target target;
    std::int64_t channel;  ///< of the weight's outputs, that of the target's channel 0
    ConstView bias;
    double slope;
};

/// A panel of a result with its weights [taps, depth, panel width].
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
    std::int64_t taps, outputs_stride, inputs_stride, tap_stride;
};

TapMatrices tap_matrices(ConstView weight, bool scatters) {
    const std::int64_t taps = weight.shape[1] * weight.shape[2] * weight.shape[3], a = weight.shape[4];
    return {weight.as<float>(), taps, scatters ? 1 : taps * a, scatters ? taps * a : 1, a};
}

/// Panel by panel [taps, inputs, panel width], zero beyond the last channel.
void rearrange(const TapMatrices& from, std::int64_t inputs, std::int64_t channel, std::span<const Panel> panels,
               std::int64_t lanes, int threads, float* to) {
    for (const Panel& panel : panels) {
        const std::int64_t width = panel.vectors * lanes;
        float* block = to + panel.offset * lanes * from.taps * inputs;
        parallel_ranges(threads, from.taps, 1 + 65536 / (inputs * width), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin * inputs; row < end * inputs; ++row) {
                const float* source = from.data + row / inputs * from.tap_stride + row % inputs * from.inputs_stride +
                                      (channel + panel.first) * from.outputs_stride;
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

/// One convolution, ready to run line by line.
class Lines {
   public:
    Lines(const ConvKernels& kernels, int threads, MemoryResource& memory, const std::array<AxisRule, 3>& rules,
          std::span<const ConstView> inputs, ConstView weight)
        : kernels_(&kernels), threads_(threads), memory_(&memory), rules_(rules), inputs_(inputs), weight_(weight) {
        for (const ConstView& input : inputs) {
            layout_.depth += input.shape[4];
        }
    }

    void add(const Result& result);
    void run();

   private:
    void lay_out(std::int64_t output_points);
    void run_lines(std::int64_t begin, std::int64_t end, float* scratch) const;
    void run_line(std::int64_t line, LineStore& store, std::span<const Tap> taps_1) const;

    const ConvKernels* kernels_;
    int threads_;
    MemoryResource* memory_;
    std::array<AxisRule, 3> rules_;
    std::span<const ConstView> inputs_;
    ConstView weight_;
    Shape output_;
    LineStore::Layout layout_;
    std::vector<RowRun> runs_;
    std::vector<Job> jobs_;
    std::vector<Tensor> held_;
};

void Lines::add(const Result& result) {
    const Shape& shape = result.target.view.shape;
    const std::int64_t lanes = kernels_->lanes;
    const std::vector<Panel> cut = panels(*kernels_, shape[4]);
    const TapMatrices matrices = tap_matrices(weight_, rules_[0].scatters);
    const std::int64_t width = padded(cut, lanes);
    Tensor& weights = held_.emplace_back(*memory_, Shape{width * (matrices.taps * layout_.depth + 1)}, DType::float32);
    float* arranged = weights.view().as<float>();
    rearrange(matrices, layout_.depth, result.channel, cut, lanes, threads_, arranged);
    float* bias = arranged + width * matrices.taps * layout_.depth;
    std::fill_n(bias, width, 0.0f);
    if (result.bias.data != nullptr) {
        std::copy_n(result.bias.as<float>(), shape[4], bias);
    }
    for (const Panel& panel : cut) {
        Job job{};
        job.run.depth = layout_.depth;
        job.run.columns = panel.columns;
        job.run.vectors = panel.vectors;
        job.run.bias = result.bias.data != nullptr ? bias + panel.offset * lanes : nullptr;
        job.run.beta = static_cast<float>(result.target.beta);
        job.run.slope = static_cast<float>(result.slope);
        job.y = result.target.view.as<float>() + panel.first;
        job.channels = shape[4];
        job.tap_size = layout_.depth * panel.vectors * lanes;
        job.weights = arranged + panel.offset * lanes * matrices.taps * layout_.depth;
        jobs_.push_back(job);
    }
    output_ = shape;
}

void Lines::lay_out(std::int64_t output_points) {
    runs_ = rules_[2].runs(output_points);
    std::int64_t last = 0;
    for (const RowRun& run : runs_) {
        for (const Tap& tap : run.taps) {
            layout_.before = std::max(layout_.before, -tap.position);
            last = std::max(last, tap.position + (run.rows - 1) * run.input_step);
        }
    }
    layout_.rows = layout_.before + last + 1;
    layout_.slots_1 = rules_[0].kernel;
    layout_.slots_2 = rules_[1].kernel;
}

void Lines::run() {
    lay_out(output_[3]);
    const std::int64_t lines = output_[0] * output_[1] * output_[2];
    Tensor scratch(*memory_, Shape{threads_ * layout_.floats()}, DType::float32);
    float* base = scratch.view().as<float>();
    parallel_ranges(threads_, lines, 1, [&](std::int64_t begin, std::int64_t end) {
        run_lines(begin, end, base + omp_get_thread_num() * layout_.floats());
    });
}

void Lines::run_lines(std::int64_t begin, std::int64_t end, float* scratch) const {
    LineStore store(layout_, inputs_, scratch);
    std::vector<Tap> taps_1;
    std::int64_t plane = -1;
    for (std::int64_t line = begin; line < end; ++line) {
        if (line / output_[2] != plane) {
            plane = line / output_[2];
            taps_1 = rules_[0].taps_at(plane % output_[1], inputs_.front().shape[1]);
            store.clear();
        }
        run_line(line, store, taps_1);
    }
}

void Lines::run_line(std::int64_t line, LineStore& store, std::span<const Tap> taps_1) const {
    const std::int64_t batch = line / (output_[1] * output_[2]);
    const std::vector<Tap> taps_2 = rules_[1].taps_at(line % output_[2], inputs_.front().shape[2]);
    std::vector<const float*> x, w;
    std::vector<std::int64_t> numbers;
    for (const RowRun& rows : runs_) {
        x.clear(), numbers.clear();
        for (const Tap& one : taps_1) {
            for (const Tap& two : taps_2) {
                const float* row = store.line(batch, one.position, two.position, one.weight);
                for (const Tap& three : rows.taps) {
                    x.push_back(row + (three.position + layout_.before) * layout_.depth);
                    numbers.push_back((one.weight * rules_[1].kernel + two.weight) * rules_[2].kernel + three.weight);
                }
            }
        }
        for (const Job& job : jobs_) {
            w.clear();
            for (const std::int64_t number : numbers) {
                w.push_back(job.weights + number * job.tap_size);
            }
            ConvRows call = job.run;
            call.x = x.data();
            call.w = w.data();
            call.taps = static_cast<std::int64_t>(x.size());
            call.x_stride = rows.input_step * layout_.depth;
            call.y = job.y + (line * output_[3] + rows.first) * job.channels;
            call.y_stride = rows.step * job.channels;
            call.rows = rows.rows;
            kernels_->rows(call);
        }
    }
}

}  // namespace

ConvChoice::ConvChoice(const char* forced, const ConvKernels& kernels) {
    const std::string word = forced == nullptr ? "" : forced;
    if (!word.empty() && word != "direct" && word != "onednn") {
        throw InvalidInput("PLUMECAST_CONV is '" + word +
                           "' (no such implementation of the convolutions); use direct or onednn, or leave it unset");
    }
    // Without AVX2 the portable kernels lack fused multiply-add, and oneDNN has nothing to lose against them.
    direct_ = word.empty() ? kernels.lanes > 4 : word == "direct";
}

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
                         ConstView bias, Target y, double slope) const {
    Lines lines(*kernels_, threads_, *memory_, axis_rules(geometry, false), inputs, weight);
    lines.add({y, 0, bias, slope});
    lines.run();
}

void DirectConv::data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                               std::span<const Target> gradient_inputs) const {
    const std::array<ConstView, 1> source{gradient_y};
    Lines lines(*kernels_, threads_, *memory_, axis_rules(geometry, true), source, weight);
    std::int64_t channel = 0;
    for (const Target& target : gradient_inputs) {
        lines.add({target, channel, ConstView(), 1.0});
        channel += target.view.shape[4];
    }
    lines.run();
}

}  // namespace plumecast::cpu
