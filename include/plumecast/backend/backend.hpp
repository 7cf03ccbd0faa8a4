#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include <plumecast/backend/ops.hpp>

namespace plumecast {

/// A computation that is done again and again on the same memory. See Backend::make_replay().
class Replay {
   public:
    virtual ~Replay() = default;
    /// Calls body(), or starts again at once what it started when it was called before. Each call of body() must run
    /// the same ops on the same memory, give back all memory it takes, and neither upload nor download.
    virtual void run(const std::function<void()>& body) = 0;
};

/// A copy from the device that is under way. Waits for itself when it is destroyed.
class PendingDownload {
   public:
    virtual ~PendingDownload() = default;
    /// Returns when the host has the values.
    virtual void wait() = 0;
};

/// How CUDA devices take spectral transforms: by cuFFT, by products with the truncated matrices of the transform along
/// each axis (dft), or for each shape by what is faster: measured on a device, without one by a rule (docs/design.md).
enum class SpectralWay { automatic, cufft, dft };

/// How the errors of fields become a loss. With |.| the roots of sums over active cells: `relative_l2` |e| / |y| +
/// derivative_weight |De| / |Dy|, D along one axis; `h1` the root of (|e|^2 + sum |D_a e|^2) / (|y|^2 + sum |D_a y|^2)
/// over the axes of space; `mse` the mean of e^2. A norm of zero divides as 1, and a mean over nothing is 0.
enum class LossKind { relative_l2, h1, mse };

/// A kind of loss with what it depends on.
struct LossMeasure {
    LossKind kind = LossKind::relative_l2;
    double derivative_weight = 0.0;  ///< of relative_l2

    friend bool operator==(const LossMeasure&, const LossMeasure&) = default;
};

/// The arithmetic of one device. Fields are channels-last [B, axes..., C]; C is the last axis of every view unless a
/// op says otherwise. All views of one call live in memory().
/// Element types: a field (the inputs x, outputs y and their gradients, of activations) has field_type() or
/// compute_type(), as its view says, and fields of one call may differ where the op says "mixed"; everything else
/// (weights, biases, their gradients, moments of Adam, spectra, factors, predictions and losses) has compute_type().
/// Sums are taken in compute_type() or wider, whatever the fields are, and rounded once, when stored.
/// Activations pass NaN on, those that are part of a product, convolution or norm too.
/// Ops may run asynchronously; download() waits for what it reads. Ops throw DeviceError when the device fails.
class Backend {
   public:
    virtual ~Backend() = default;

    /// "cpu: 2 threads, avx512, oneDNN 2.6.3"
    virtual std::string description() const = 0;
    /// Element type of weights, spectra and sums on this backend.
    virtual DType compute_type() const = 0;
    /// Element type of the fields between layers: narrower than compute_type() under Precision::bf16.
    virtual DType field_type() const { return compute_type(); }
    /// Memory of the device; tensors from it must not outlive the backend.
    virtual MemoryResource& memory() = 0;
    /// Threads of the host that ops keep busy.
    virtual int host_threads() const { return 1; }
    /// How spectral transforms are to be taken, as plans without the device are to count them.
    virtual SpectralWay spectral_way() const { return SpectralWay::dft; }
    /// Rows of so many bytes, at least one, that an op should make at a time where the next op is their only reader: on
    /// a processor few enough to stay in its caches.
    virtual std::int64_t rows_at_once(std::size_t row_bytes) const;
    /// True when the host may read and write memory(): messages then need no copy.
    virtual bool shares_host_memory() const { return true; }
    /// Waits for every op that was started, so that others than ops may read memory().
    virtual void wait() {}
    /// Bytes in use at most since the last reset_peak_bytes().
    virtual std::size_t peak_bytes() const = 0;
    virtual void reset_peak_bytes() = 0;
    /// Bytes that memory() can hold at most.
    virtual std::size_t capacity_bytes() const = 0;
    /// Gives memory that no tensor uses back to the system, where the backend keeps any, and returns the bytes given
    /// back; what takes it again is slower at first. Tensors, recorded passes and ops under way are left alone.
    virtual std::size_t trim() { return 0; }

    /// Host elements, converted to the element type of the destination. Mixed.
    virtual void upload(ConstView host, View device) = 0;
    virtual void download(ConstView device, View host) = 0;
    /// As upload(), to memory that no op under way touches: may run beside these. Later ops find the values.
    virtual void start_upload(ConstView host, View device) { upload(host, device); }
    /// As download(), but later ops run beside it; they must not change what it reads.
    virtual std::unique_ptr<PendingDownload> start_download(ConstView device, View host);
    /// For a computation that will be repeated; devices that can record it then spare the host its part. The backend
    /// and the memory that the computation uses must outlive the replay.
    virtual std::unique_ptr<Replay> make_replay();

    // elementwise
    virtual void fill(View y, double value) = 0;
    /// y = alpha x + beta y. Mixed.
    virtual void add(double alpha, ConstView x, OutputRef y) = 0;
    /// y = a x + beta y, element by element; all have compute_type().
    virtual void add_product(ConstView a, ConstView x, OutputRef y) = 0;
    /// y = f(x); x and y may be the same memory.
    virtual void activate(Activation f, ConstView x, View y) = 0;
    /// g *= f'(...), given the output of f when f.known_from_output(), else its input.
    virtual void activation_gradient(Activation f, ConstView kept, View g) = 0;
    /// Moves all targets by one step.
    virtual void adam(const AdamStep& step, std::span<const AdamParameter> targets) = 0;

    // reductions, in an order that does not depend on the number of threads
    /// sum [1] float64 = sum of squares of all elements of all arrays.
    virtual void squared_norm(std::span<const ConstView> arrays, View sum) = 0;
    /// The same of one array, on the host.
    double squared_norm(ConstView x);
    /// y[c] = beta y[c] + sum over rows of x [..., C]; y has compute_type().
    virtual void column_sums(ConstView x, OutputRef y) = 0;

    // matrices
    /// c = f(op(a) op(b) + beta c + bias); a [M, K], b [K, N], c [M, N] row-major, op transposes on demand; bias [N] or
    /// empty. a, b and c mixed.
    virtual void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
                      Activation f) = 0;

    // one-dimensional transforms
    /// y[o, m, n] = f(sum_k matrix[m, k] x[o, k, n] + beta y[o, m, n]) for x [outer, K, inner], y [outer, M, inner].
    /// Mixed: the first transform of a field and the last one back change the type.
    virtual void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) = 0;
    /// Turns cosine and sine sums along an axis into signed frequencies of planar complex numbers:
    /// x [outer, 2 (cos, sin), n+1, mid, 2 (re, im), inner] -> y [outer, 2n, mid, 2, inner],
    /// y[k] = x[cos, k] - i x[sin, k] for 0 <= k < n, y[2n-k] = x[cos, k] + i x[sin, k] for 1 <= k <= n.
    /// Rows k of y in [dropped_from, n) are zero. With `adjoint`, reads y and overwrites x with the transpose.
    virtual void combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) = 0;
    /// y[b,k,:,t,o] = sum_i x[b,k,:,t,i] w[k,t,:,i,o], complex planar: x [B, K, 2, T, I], w [K, T, 2, I, O].
    virtual void complex_product(ConstView x, ConstView w, View y) = 0;
    /// Gradient of complex_product with respect to x and to w, real and imaginary parts as independent reals.
    virtual void complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) = 0;
    virtual void complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) = 0;

    // Fourier transforms over several axes at once, for backends that have a library for them
    /// Whether spectral transforms of such fields [outer, cells..., C] are to go through the two ops below; else they
    /// are products along one axis after the other, as always where a backend lacks these ops. May time both ways.
    virtual bool transforms_by_fft(const FourierGeometry& /*geometry*/, const Shape& /*field*/, DType /*type*/) {
        return false;
    }
    /// spectrum [outer, 2 m..., 2 mt, C] = the kept modes of x [outer, cells..., C], the first cells of a field that is
    /// zero beyond them. x may be a bfloat16 field.
    virtual void forward_fft(const FourierGeometry& geometry, ConstView x, View spectrum);
    /// y [outer, cells..., C] = f(the first cells of the real part of the sum of the modes + beta y): the transpose of
    /// forward_fft() of the same geometry. y may be a bfloat16 field.
    virtual void inverse_fft(const FourierGeometry& geometry, ConstView spectrum, OutputRef y, Activation f);

    // boxes
    /// y [B, padded axes..., C] = bias [C] + the sum of the terms, continued as `padding` says. A term has extent 1 on
    /// axes it does not vary along; a zero edge silences the terms, not the bias. Mixed.
    virtual void padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) = 0;
    /// Gradient of padded_sum with respect to one term. Mixed.
    virtual void padded_sum_gradient(ConstView gradient_y, const Padding& padding, OutputRef gradient_term) = 0;
    /// y[y_low + i] = x[x_low + i] + beta y[y_low + i] for 0 <= i < extents on every axis; the rest of y stays. Both
    /// boxes lie inside their arrays, which have the same number of axes.
    virtual void copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low, const Shape& extents) = 0;

    // convolutions, on the channel-wise concatenation of the inputs
    /// y = f(conv(inputs) + bias + beta y). Weight [O, k1, k2, k3, I]; transposed: [I, k1, k2, k3, O]. bias may be
    /// empty.
    virtual void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
                      OutputRef y, Activation f) = 0;
    virtual void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                    std::span<const OutputRef> gradient_inputs) = 0;
    virtual void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                      ConstView gradient_y, OutputRef gradient_weight) = 0;

    // forms in which ops read arrays that stay as they are, for plans to make once; views without data say what else
    // the op will be given. Nothing where ops read them as they are.
    /// Of the second factor of gemm(), or its bias, beside bfloat16 fields.
    virtual PackedForms pack_factor(ConstView /*factor*/) { return {}; }
    /// Of the matrix of transform_axis(), from or to a bfloat16 field or between arrays in float32.
    virtual PackedForms pack_axis_matrix(ConstView /*matrix*/, bool /*narrow*/) { return {}; }
    /// Of the weight of conv() or conv_data_gradient(), both between inputs and y.
    virtual PackedForms pack_conv_weight(const ConvGeometry& /*geometry*/, std::span<const ConstView> /*inputs*/,
                                         ConstView /*weight*/, View /*y*/, WeightReader /*reader*/) {
        return {};
    }

    // batch norm over all axes but the last (Ioffe and Szegedy 2015)
    /// moments [2, C] float64 of x: mean and sum of squared deviations.
    virtual void moments(ConstView x, View moments) = 0;
    /// y = f(weight * (x - mean) / sqrt(M2 / count + epsilon) + bias); x and y may be the same memory.
    virtual void normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight, ConstView bias,
                           Activation f, View y) = 0;
    /// sums [2, C] float64: sum of g f' and of g f' (x - mean) / sqrt(...), the gradients of bias and weight.
    virtual void normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                ConstView weight, ConstView bias, Activation f, View sums) = 0;
    /// Gradient with respect to x, through the statistics too.
    virtual void normalise_gradient(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                    ConstView weight, ConstView bias, Activation f, ConstView sums,
                                    OutputRef gradient_x) = 0;

    // errors over active cells
    /// Per case and field, sums [B, F, 5] float64 of |e|^2, |y|^2, |De|^2, |Dy|^2 with e = prediction - target, and how
    /// many values there are, over cells with active != 0; D is the centred derivative along the third axis, (u[i+1] -
    /// u[i-1]) * inverse_distance[i], taken where cell i is active, for 1 <= i < R-1. prediction, target [B, S, R, L T,
    /// F]; active [B, S, R, L], or [B, S, R] where L is 1; inverse_distance [R].
    virtual void error_norms(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                             View sums) = 0;
    /// What such sums by the A axes of the derivatives, [A, B, F, 5], come to: values [B] float64, the measure's sum
    /// over the fields, and coefficients [B, F, 2] float64 of the gradient of `share` times that, which is the sum of
    /// error_gradient() over the axes.
    virtual void error_ratios(ConstView sums, const LossMeasure& measure, double share, View values, View coefficients);
    /// gradient = a e + D^T(b D e) on active cells; coefficients [B, F, 2] float64 hold a and b.
    virtual void error_gradient(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                                ConstView coefficients, View gradient) = 0;
};

/// How numbers are stored and multiplied. fp32: as they are. tf32 (CUDA): factors of matrix products and convolutions
/// rounded to ten bits for the matrix units. bf16: fields stored as bfloat16, products of such, sums and weights in
/// float32 (Micikevicius et al. 2018).
enum class Precision { fp32, tf32, bf16 };

/// Tiles of the CPU's Winograd convolutions (Winograd 1980; Lavin and Gray 2016): f2, of two results, is as
/// exact as a direct sum; f4, of four, is faster, with rounding errors about four times as large (docs/numerics.md).
enum class Winograd { f2, f4 };

/// What make_cpu_backend() takes.
struct CpuOptions {
    /// 0 takes all the process may use.
    int threads = 0;
    Winograd winograd = Winograd::f4;
    /// fp32 or bf16. bf16 works on every processor, and pays where cpu_bfloat16_obstacle() is empty.
    Precision precision = Precision::fp32;
    /// Convolutions by direct sums, whose last bits do not depend on where a rank's cells begin, as those of Winograd's
    /// tiles do. PLUMECAST_CONV in the environment goes before this.
    bool direct_convolutions = false;
    /// Bytes that memory() holds at most; 0 for what machine, container and process may use, beyond which no backend
    /// goes (memory_limit()).
    std::size_t memory_limit = 0;
};

/// The CPU backend: oneDNN and OpenMP. Throws InvalidInput for a negative count of threads and for Precision::tf32.
std::unique_ptr<Backend> make_cpu_backend(const CpuOptions& options = {});

/// Why this machine gains no speed from Precision::bf16: it lacks units for bfloat16 (AVX512_BF16 or AMX), or
/// PLUMECAST_SIMD names a lower instruction set. Empty where it has them.
std::string cpu_bfloat16_obstacle();

/// Whose memory a planning backend counts. Ops hold some for a while: on the CPU transformed weights, lines of each
/// thread and what bfloat16 fields are widened to; on a CUDA device partial results, copies in another type, and
/// workspaces of cuDNN, counted as the most that these may ask for.
enum class PlannedDevice { cpu, cuda };

/// A backend that only counts memory: allocations get addresses, ops do nothing. Tells what a step will need; it needs
/// no device. The CPU is this one with so many threads, 0 for all that the process may use.
std::unique_ptr<Backend> make_planning_backend(Precision precision = Precision::fp32,
                                               PlannedDevice device = PlannedDevice::cpu, int threads = 0,
                                               SpectralWay spectral = SpectralWay::automatic);
/// One that counts what make_cpu_backend() would hold with the same options; nothing is reserved. Throws as that does.
std::unique_ptr<Backend> make_cpu_planner(const CpuOptions& options);

}  // namespace plumecast
