#include "backend/cuda/dnn/convolutions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

#include "backend/cuda/vendor/refusal.hpp"
#include "backend/cuda/workspace.hpp"

namespace plumecast::cuda {
namespace {

constexpr std::size_t most_plans = 8;  ///< to be timed of those that one heuristic proposes
constexpr std::int64_t coarse_id = 1, fine_id = 2, weight_id = 3;

/// Thrown where cuDNN cannot do what is described.
struct Refused {};

using Axes = std::array<std::int64_t, 5>;
using Lengths = std::array<std::int64_t, 3>;

/// Extents [B, a1, a2, a3, C] in cuDNN's order of axes, which says nothing about the order in memory: B, C, a1, a2, a3.
Axes extents_of(const Shape& shape) { return {shape[0], shape[4], shape[1], shape[2], shape[3]}; }

/// Steps in memory of a channels-last field, in cuDNN's order of axes.
Axes strides_of(const Shape& shape) {
    const auto step = [&](int axis) { return shape.count(axis + 1, 5); };
    return {step(0), 1, step(1), step(2), step(3)};
}

/// Cells of zeros behind the last of the fine field: as many as before the first where that gives the coarse field too.
/// Nothing where no number of them does.
std::optional<Lengths> padding_behind(const ConvPart& part) {
    Lengths behind{};
    for (std::size_t a = 0; a < 3; ++a) {
        const int axis = static_cast<int>(a) + 1;
        const ConvGeometry& g = part.geometry;
        const std::int64_t least =
            (part.coarse[axis] - 1) * g.stride[a] + g.kernel[a] - part.fine[axis] - g.padding_low[a];
        const std::int64_t low = g.padding_low[a];
        behind[a] = least <= low && low < least + g.stride[a] ? low : std::max<std::int64_t>(least, 0);
        if (behind[a] >= least + g.stride[a]) {
            return std::nullopt;
        }
    }
    return behind;
}

/// Multiple of bytes, at most 16, that an array begins at.
std::int64_t alignment_of(const void* address) {
    const auto bits = reinterpret_cast<std::uintptr_t>(address) | std::uintptr_t{16};
    return static_cast<std::int64_t>(bits & (~bits + 1));
}

int vendor_type(DType type) { return type == DType::bfloat16 ? dnn_bfloat16 : dnn_float32; }

/// The arrays of a product by the field that each is.
struct Arrays {
    void *coarse, *fine, *weight;

    /// cuDNN's interface is not const; it writes the result alone.
    explicit Arrays(const DnnProduct& p) {
        void *first = const_cast<void*>(p.first), *second = const_cast<void*>(p.second);
        coarse = p.gives == ConvProduct::coarse ? p.result : first;
        fine = p.gives == ConvProduct::fine ? p.result : p.gives == ConvProduct::coarse ? first : second;
        weight = p.gives == ConvProduct::weight ? p.result : second;
    }
};

std::vector<std::int64_t> key_of(const DnnProduct& p) {
    std::vector<std::int64_t> key = p.part.numbers();
    const Arrays arrays(p);
    for (const std::int64_t number :
         {static_cast<std::int64_t>(p.gives), std::int64_t{p.fields == DType::bfloat16},
          std::int64_t{p.weight == DType::bfloat16}, std::int64_t{p.ten_bits}, alignment_of(arrays.coarse),
          alignment_of(arrays.fine), alignment_of(arrays.weight)}) {
        key.push_back(number);
    }
    key.push_back(std::bit_cast<std::int32_t>(p.beta));
    return key;
}

/// The name of a product in the file of choices.
std::string text_of(const DnnProduct& p) {
    constexpr std::array names{"coarse field", "fine field", "weight gradient"};
    const auto list = [](const auto& numbers) {
        std::string text;
        for (const std::int64_t number : numbers) {
            text += (text.empty() ? "" : "x") + std::to_string(number);
        }
        return text;
    };
    const ConvGeometry& g = p.part.geometry;
    const Arrays arrays(p);
    return std::string("convolution, ") + names.at(static_cast<std::size_t>(p.gives)) + ", " + p.part.coarse.text() +
           " and " + p.part.fine.text() + ", kernel " + list(g.kernel) + ", stride " + list(g.stride) + ", padding " +
           list(g.padding_low) + ", " + std::string(name_of(p.fields)) + " " + std::string(name_of(p.weight)) +
           (p.ten_bits ? " of ten bits" : "") + (p.beta != 0.0f ? ", added" : "") + ", aligned " +
           list(std::array{alignment_of(arrays.coarse), alignment_of(arrays.fine), alignment_of(arrays.weight)});
}

}  // namespace

/// A descriptor of cuDNN. Every function throws Refused where cuDNN cannot.
class DnnConvolutions::Descriptor {
   public:
    Descriptor(const DnnConvolutions& owner, DnnKind kind) : owner_(&owner) {
        expect(owner.functions_->create(kind, &handle_));
    }
    Descriptor(Descriptor&& other) noexcept : owner_(other.owner_), handle_(std::exchange(other.handle_, nullptr)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(owner_, other.owner_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Descriptor() {
        if (handle_ != nullptr) {
            owner_->functions_->destroy(handle_);
        }
    }
    void* get() const { return handle_; }

    template <class T>
    Descriptor& set(DnnAttribute name, DnnType type, const T& value) {
        expect(owner_->functions_->set(handle_, name, type, 1, &value));
        return *this;
    }
    template <class T, std::size_t n>
    Descriptor& set(DnnAttribute name, DnnType type, const std::array<T, n>& values) {
        expect(owner_->functions_->set(handle_, name, type, static_cast<std::int64_t>(n), values.data()));
        return *this;
    }
    Descriptor& finalize() {
        expect(owner_->functions_->finalize(handle_));
        return *this;
    }
    /// As many values as there are, at most `wanted`.
    std::int64_t read(DnnAttribute name, DnnType type, std::int64_t wanted, void* values) const {
        std::int64_t count = 0;
        expect(owner_->functions_->get(handle_, name, type, wanted, &count, values));
        return count;
    }

   private:
    void expect(int status) const {
        if (!owner_->accepts(status)) {
            throw Refused{};
        }
    }

    const DnnConvolutions* owner_;
    void* handle_ = nullptr;
};

struct DnnConvolutions::Plan {
    Descriptor configuration, plan;
    std::int64_t bytes;  ///< of workspace
    std::string name;
};

/// A product in cuDNN's terms, and the plans not yet refused, the best first.
struct DnnConvolutions::Problem {
    std::vector<Descriptor> described;  ///< the graph last; they live as long as plans do
    std::vector<Plan> plans;
    bool is_tuned = false;
};

DnnConvolutions::DnnConvolutions(std::unique_ptr<DnnFunctions> functions, Precision precision,
                                 std::optional<DnnClock> clock)
    : functions_(std::move(functions)),
      version_{functions_->version()},
      matrix_units_(precision != Precision::fp32 && version_.convolves_tf32()),
      clock_(std::move(clock)) {}

DnnConvolutions::~DnnConvolutions() = default;

bool DnnConvolutions::accepts(int status) const {
    if (status != 0 && !is_refusal(status)) {
        throw DeviceError("a convolution failed (cuDNN: " + functions_->error_text(status) +
                          "); look at the device with nvidia-smi, or do without cuDNN: PLUMECAST_CUDA_CONV=direct");
    }
    return status == 0;
}

void DnnConvolutions::describe(Problem& problem, const DnnProduct& p) {
    constexpr std::int64_t largest = std::numeric_limits<int>::max();
    const std::optional<Lengths> behind = padding_behind(p.part);
    const bool is_narrow = p.fields == DType::bfloat16;
    if (!behind || p.part.coarse.count() > largest || p.part.fine.count() > largest ||
        (is_narrow && !version_.convolves_bfloat16())) {
        return;
    }
    const auto add = [&](DnnKind kind) -> Descriptor& { return problem.described.emplace_back(*this, kind); };
    const auto tensor = [&](std::int64_t id, const Shape& shape, DType type, const void* data) {
        Descriptor& made = add(DnnKind::tensor);
        made.set(DnnAttribute::tensor_id, DnnType::int64, id)
            .set(DnnAttribute::tensor_type, DnnType::data_type, vendor_type(type))
            .set(DnnAttribute::tensor_alignment, DnnType::int64, alignment_of(data))
            .set(DnnAttribute::tensor_extents, DnnType::int64, extents_of(shape))
            .set(DnnAttribute::tensor_strides, DnnType::int64, strides_of(shape))
            .finalize();
        return made.get();
    };
    const Arrays arrays(p);
    void* const coarse = tensor(coarse_id, p.part.coarse, p.fields, arrays.coarse);
    void* const fine = tensor(fine_id, p.part.fine, p.fields, arrays.fine);
    void* const weight = tensor(weight_id, p.part.packed(), p.weight, arrays.weight);

    const ConvGeometry& g = p.part.geometry;
    Descriptor& convolution = add(DnnKind::convolution);
    convolution.set(DnnAttribute::convolution_axes, DnnType::int64, std::int64_t{3})
        .set(DnnAttribute::convolution_type, DnnType::data_type, dnn_float32)
        .set(DnnAttribute::convolution_mode, DnnType::convolution_mode, dnn_cross_correlation)
        .set(DnnAttribute::convolution_dilations, DnnType::int64, Lengths{1, 1, 1})
        .set(DnnAttribute::convolution_strides, DnnType::int64, Lengths(g.stride))
        .set(DnnAttribute::convolution_pre_paddings, DnnType::int64, Lengths(g.padding_low))
        .set(DnnAttribute::convolution_post_paddings, DnnType::int64, *behind)
        .finalize();
    void* const geometry = convolution.get();

    constexpr std::array operations{
        std::pair(DnnKind::convolution_forward, DnnAttribute::forward_alpha),
        std::pair(DnnKind::convolution_data_gradient, DnnAttribute::data_gradient_alpha),
        std::pair(DnnKind::convolution_weight_gradient, DnnAttribute::weight_gradient_alpha)};
    const auto [kind, first] = operations.at(static_cast<std::size_t>(p.gives));
    const auto attribute = [first = first](int n) { return static_cast<DnnAttribute>(static_cast<int>(first) + n); };
    Descriptor& operation = add(kind);
    operation.set(attribute(0), DnnType::float32, 1.0f)
        .set(attribute(1), DnnType::float32, p.beta)
        .set(attribute(2), DnnType::descriptor, geometry)
        .set(attribute(3), DnnType::descriptor, weight)
        .set(attribute(4), DnnType::descriptor, fine)
        .set(attribute(5), DnnType::descriptor, coarse)
        .finalize();
    void* const operations_of_graph = operation.get();
    add(DnnKind::operation_graph)
        .set(DnnAttribute::graph_handle, DnnType::handle, functions_->handle())
        .set(DnnAttribute::graph_operations, DnnType::descriptor, operations_of_graph)
        .finalize();

    const bool matrix_units = is_narrow || matrix_units_ || (p.ten_bits && takes_ten_bits());
    for (const DnnHeuristic mode : {DnnHeuristic::a, DnnHeuristic::b, DnnHeuristic::fallback}) {
        if (problem.plans.empty()) {
            propose(problem, mode, matrix_units, conv_workspace_bound(p.part));
        }
    }
}

void DnnConvolutions::propose(Problem& problem, DnnHeuristic mode, bool matrix_units, std::size_t most_bytes) {
    try {
        Descriptor heuristic(*this, DnnKind::heuristic);
        heuristic.set(DnnAttribute::heuristic_graph, DnnType::descriptor, problem.described.back().get())
            .set(DnnAttribute::heuristic_mode, DnnType::heuristic_mode, static_cast<int>(mode))
            .finalize();
        const std::int64_t count = heuristic.read(DnnAttribute::heuristic_results, DnnType::descriptor, 0, nullptr);
        std::vector<Descriptor> configurations;
        std::vector<void*> handles;
        for (std::int64_t n = 0; n < count; ++n) {
            handles.push_back(configurations.emplace_back(*this, DnnKind::engine_configuration).get());
        }
        const std::int64_t given =
            heuristic.read(DnnAttribute::heuristic_results, DnnType::descriptor, count, handles.data());
        for (std::size_t n = 0; n < static_cast<std::size_t>(given) && problem.plans.size() < most_plans; ++n) {
            if (auto plan = planned(std::move(configurations[n]), matrix_units, most_bytes)) {
                plan->name = "mode " + std::to_string(static_cast<int>(mode)) + ", proposal " + std::to_string(n);
                problem.plans.push_back(std::move(*plan));
            }
        }
    } catch (const Refused&) {
        return;
    }
}

std::optional<DnnConvolutions::Plan> DnnConvolutions::planned(Descriptor configuration, bool matrix_units,
                                                              std::size_t most_bytes) {
    try {
        const Descriptor engine(*this, DnnKind::engine);
        void* handle = engine.get();
        configuration.read(DnnAttribute::configured_engine, DnnType::descriptor, 1, &handle);
        std::array<int, static_cast<std::size_t>(DnnNote::count)> notes{};
        const std::int64_t count = engine.read(DnnAttribute::engine_notes, DnnType::numerical_note,
                                               static_cast<std::int64_t>(notes.size()), notes.data());
        const bool is_exact = std::all_of(notes.begin(), notes.begin() + count, [&](int note) {
            return note == static_cast<int>(DnnNote::strict_nan) ||
                   (matrix_units && note == static_cast<int>(DnnNote::tensor_core));
        });
        if (!is_exact) {
            return std::nullopt;
        }
        Descriptor plan(*this, DnnKind::execution_plan);
        plan.set(DnnAttribute::plan_handle, DnnType::handle, functions_->handle())
            .set(DnnAttribute::plan_configuration, DnnType::descriptor, configuration.get())
            .finalize();
        std::int64_t bytes = 0;
        plan.read(DnnAttribute::plan_workspace_bytes, DnnType::int64, 1, &bytes);
        if (static_cast<std::size_t>(bytes) > most_bytes) {
            return std::nullopt;
        }
        return Plan{std::move(configuration), std::move(plan), bytes, {}};
    } catch (const Refused&) {
        return std::nullopt;
    }
}

bool DnnConvolutions::execute(const Plan& plan, const DnnProduct& p, MemoryResource& memory) {
    const Tensor workspace(memory, {(plan.bytes + 7) / 8}, DType::float64);
    const Arrays arrays(p);
    try {
        Descriptor pack(*this, DnnKind::variant_pack);
        pack.set(DnnAttribute::pack_ids, DnnType::int64, std::array{coarse_id, fine_id, weight_id})
            .set(DnnAttribute::pack_pointers, DnnType::pointer, std::array{arrays.coarse, arrays.fine, arrays.weight})
            .set(DnnAttribute::pack_workspace, DnnType::pointer, const_cast<void*>(workspace.view().data))
            .finalize();
        return accepts(functions_->execute(plan.plan.get(), pack.get()));
    } catch (const Refused&) {
        return false;
    }
}

void DnnConvolutions::tune(Problem& problem, const DnnProduct& product, MemoryResource& memory) {
    if (!clock_ || problem.is_tuned || problem.plans.size() < 2 || !clock_->may_time()) {
        return;
    }
    problem.is_tuned = true;
    try {
        const ConvPart& part = product.part;
        const bool gives_weight = product.gives == ConvProduct::weight;
        const Shape& shape = gives_weight                         ? part.packed()
                             : product.gives == ConvProduct::fine ? part.fine
                                                                  : part.coarse;
        Tensor scratch(memory, shape, gives_weight ? product.weight : product.fields);
        DnnProduct timed = product;
        timed.result = scratch.view().data;
        std::erase_if(problem.plans, [&](const Plan& plan) { return !execute(plan, timed, memory); });
        std::vector<TimedWay> ways;
        for (const Plan& plan : problem.plans) {
            ways.push_back({plan.name, [&] { return clock_->seconds([&] { execute(plan, timed, memory); }); }});
        }
        if (!ways.empty()) {
            std::swap(problem.plans.front(), problem.plans[clock_->ways->choose(text_of(product), ways, true)]);
        }
    } catch (const OutOfMemory&) {  // the first is taken where there is no room for a second result
        return;
    }
}

bool DnnConvolutions::run(const DnnProduct& product, MemoryResource& memory) {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = problems_.try_emplace(key_of(product));
    Problem& problem = known->second;
    if (is_new) {
        try {
            describe(problem, product);
        } catch (const Refused&) {
            problem.plans.clear();
        }
    }
    tune(problem, product, memory);
    while (!problem.plans.empty()) {
        if (execute(problem.plans.front(), product, memory)) {
            return true;
        }
        problem.plans.erase(problem.plans.begin());
    }
    return false;
}

}  // namespace plumecast::cuda
