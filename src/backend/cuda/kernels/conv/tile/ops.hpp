#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <plumecast/backend/backend.hpp>

#include "backend/cuda/kernels/conv/tile/gather_tiles.hpp"
#include "backend/cuda/kernels/conv/tile/pack.hpp"
#include "backend/cuda/kernels/conv/tile/weight_tiles.hpp"

/// Convolutions by tiles on tensor cores. An executor also has run_blocks(blocks, shared_bytes, kernel),
/// most_shared_bytes(blocks), what each of so many blocks can have on a multiprocessor, and multiprocessors(). Each
/// returns false, with nothing done, where tiles cannot: for fields of mixed types, more than four of them, more
/// numbers than 32 bits count, or a halo that no shared memory holds.
namespace plumecast::cuda::tile {

template <class Product>
using ElementOf = typename Product::Element;

inline bool is_countable(const Shape& shape) { return shape.count() < std::numeric_limits<std::int32_t>::max(); }

/// Calls use(column tiles as a type, schedule) where blocks of so many column tiles fit.
template <class Product, int column_tiles, class Executor, class Use>
bool with_columns(Executor& executor, const Gather& gather, const Use& use) {
    const auto schedule = make_schedule<Product, column_tiles>(
        gather, executor.most_shared_bytes(GatherTiles<Product, column_tiles>::blocks_at_once));
    if (schedule) {
        use(std::integral_constant<int, column_tiles>(), *schedule);
    }
    return schedule.has_value();
}

/// The same with as many column tiles as suit the channels.
template <class Product, class Executor, class Use>
bool with_schedule(Executor& executor, const Gather& gather, const Use& use) {
    const int tiles = (gather.out_channels() + 7) / 8;
    if constexpr (std::is_same_v<Product, BFloat16Product>) {  // in float32, 9 tiles need more registers than there are
        if (tiles > 5 && with_columns<Product, 9>(executor, gather, use)) {
            return true;
        }
    }
    return tiles <= 2 ? with_columns<Product, 2>(executor, gather, use)
                      : with_columns<Product, 5>(executor, gather, use);
}

/// Under which a weight is kept in the order of such tiles.
inline std::string form_name(int column_tiles, const Schedule& s) {
    return "tiles of " + std::to_string(column_tiles) + " columns, " + std::to_string(s.steps) +
           " steps of windows of " + std::to_string(s.window) + " chunks of " + std::to_string(s.chunks);
}

/// A weight in the order in which the lanes of such tiles take it.
template <class Product, int column_tiles, class Executor>
Tensor packed_columns(Executor& executor, const Gather& gather, const Schedule& schedule, ConstView weight) {
    PackColumns<Product, column_tiles> pack{gather, schedule, weight.as<float>(), nullptr};
    constexpr auto words = static_cast<std::int64_t>(sizeof(typename Product::Columns) / sizeof(float));
    Tensor packed(executor.memory(), {pack.count() * words}, DType::float32);
    pack.packed = reinterpret_cast<typename Product::Columns*>(packed.view().template as<float>());
    executor.run(pack.count(), pack);
    return packed;
}

/// One direction of a convolution.
template <class Product, class Executor>
bool gather_by_tiles(Executor& executor, const Gather& gather, const Fields<ElementOf<Product>>& inputs,
                     ConstView weight, const Targets<ElementOf<Product>>& outputs,
                     const Finish<ElementOf<Product>>& finish) {
    return with_schedule<Product>(executor, gather, [&](auto column_tiles, const Schedule& schedule) {
        constexpr int columns = decltype(column_tiles)::value;
        Tensor scratch;
        const ConstView packed = form_of(weight, form_name(columns, schedule), scratch, [&] {
            return packed_columns<Product, columns>(executor, gather, schedule, weight);
        });
        const auto* words = reinterpret_cast<const typename Product::Columns*>(packed.as<float>());
        const GatherTiles<Product, columns> kernel{gather, schedule, inputs, words, outputs, finish};
        executor.run_blocks(schedule.blocks(gather.batch, gather.classes()), schedule.shared_bytes, kernel);
    });
}

/// The gradient of a weight; `gather` leads from fine to coarse.
template <class Product, int column_tiles, class Executor>
bool weight_by_tiles(Executor& executor, const Gather& gather, const Fields<ElementOf<Product>>& fine,
                     const Fields<ElementOf<Product>>& coarse, OutputRef gradient) {
    using Kernel = WeightTiles<Product, column_tiles>;
    const int at_once = executor.multiprocessors() * Kernel::blocks_at_once;
    const auto schedule = make_weight_schedule<Product, column_tiles>(
        gather, executor.most_shared_bytes(Kernel::blocks_at_once), at_once);
    if (!schedule) {
        return false;
    }
    const std::int64_t weights = gradient.view.shape.count();
    Tensor pieces(executor.memory(), {schedule->pieces, weights}, DType::float32);
    float* sums = pieces.view().template as<float>();
    executor.run_blocks(std::int64_t{schedule->pieces} * schedule->parts(), schedule->tiles.shared_bytes,
                        Kernel{gather, *schedule, fine, coarse, sums});
    executor.run(weights, AddPieces{sums, gradient.view.as<float>(), schedule->pieces, weights,
                                    static_cast<float>(gradient.beta)});
    return true;
}

/// Calls use(product) with what multiplies fields of a type under a precision.
template <class Use>
bool with_product(DType fields, Precision precision, const Use& use) {
    if (fields == DType::bfloat16) {
        return use(BFloat16Product());
    }
    return precision == Precision::fp32 ? use(TenBitProduct<true>()) : use(TenBitProduct<false>());
}

/// Whether tiles can take fields: as many as there may be, of equal type, none empty.
template <class FieldViews>
bool takes(const FieldViews& views, DType type) {
    bool all = !views.empty() && views.size() <= static_cast<std::size_t>(most_fields);
    for (const auto& view : views) {
        all = all && view.type == type && view.shape.count() > 0 && is_countable(view.shape);
    }
    return all;
}

inline Shape joined(std::span<const ConstView> fields) {
    std::int64_t channels = 0;
    for (const ConstView& field : fields) {
        channels += field.shape[-1];
    }
    return fields.front().shape.with(-1, channels);
}

template <class T>
Fields<T> fields_of(std::span<const ConstView> views) {
    Fields<T> fields;
    for (const ConstView& view : views) {
        fields.add(view.as<T>(), static_cast<int>(view.shape[-1]));
    }
    return fields;
}

/// y = f(the convolution + bias + beta y), as Backend::conv().
template <class Executor>
bool conv(Executor& executor, Precision precision, const ConvGeometry& geometry, std::span<const ConstView> inputs,
          ConstView weight, ConstView bias, OutputRef y, Activation f) {
    if (!takes(inputs, y.view.type) || !takes(std::array{y.view}, y.view.type) || !is_countable(weight.shape)) {
        return false;
    }
    const ConvPart whole(geometry, joined(inputs), y.view.shape, weight.shape, 0);
    return with_product(y.view.type, precision, [&](auto product) {
        using T = ElementOf<decltype(product)>;
        Targets<T> targets;
        targets.add(y.view.as<T>(), static_cast<int>(y.view.shape[-1]), static_cast<float>(y.beta));
        const float* constant = bias.data != nullptr ? bias.as<float>() : nullptr;
        return gather_by_tiles<decltype(product)>(executor, Gather(whole, geometry.transposed), fields_of<T>(inputs),
                                                  weight, targets, {nullptr, constant, nullptr, Pointwise(f)});
    });
}

/// The form in which conv() or conv_data_gradient() reads a weight; nothing where tiles cannot convolve. The other
/// views need no data.
template <class Executor>
void pack_conv_weight(Executor& executor, Precision precision, const ConvGeometry& geometry,
                      std::span<const ConstView> inputs, ConstView weight, View y, WeightReader reader,
                      PackedForms& forms) {
    if (!takes(inputs, y.type) || !takes(std::array{y}, y.type) || !is_countable(weight.shape)) {
        return;
    }
    const ConvPart whole(geometry, joined(inputs), y.shape, weight.shape, 0);
    const Gather gather(whole, geometry.transposed == (reader == WeightReader::conv));
    with_product(y.type, precision, [&](auto product) {
        using Product = decltype(product);
        return with_schedule<Product>(executor, gather, [&](auto column_tiles, const Schedule& schedule) {
            constexpr int columns = decltype(column_tiles)::value;
            forms.add(form_name(columns, schedule),
                      packed_columns<Product, columns>(executor, gather, schedule, weight));
        });
    });
}

/// As Backend::conv_data_gradient().
template <class Executor>
bool conv_data_gradient(Executor& executor, Precision precision, const ConvGeometry& geometry, ConstView gradient_y,
                        ConstView weight, std::span<const OutputRef> gradient_inputs) {
    std::vector<ConstView> views;
    for (const OutputRef& target : gradient_inputs) {
        views.emplace_back(target.view);
    }
    const std::array upstream{gradient_y};
    if (!takes(views, gradient_y.type) || !takes(upstream, gradient_y.type) || !is_countable(weight.shape)) {
        return false;
    }
    const ConvPart whole(geometry, joined(views), gradient_y.shape, weight.shape, 0);
    return with_product(gradient_y.type, precision, [&](auto product) {
        using T = ElementOf<decltype(product)>;
        Targets<T> targets;
        for (const OutputRef& target : gradient_inputs) {
            targets.add(target.view.as<T>(), static_cast<int>(target.view.shape[-1]), static_cast<float>(target.beta));
        }
        return gather_by_tiles<decltype(product)>(executor, Gather(whole, !geometry.transposed), fields_of<T>(upstream),
                                                  weight, targets, {});
    });
}

/// As Backend::conv_weight_gradient().
template <class Executor>
bool conv_weight_gradient(Executor& executor, Precision precision, const ConvGeometry& geometry,
                          std::span<const ConstView> inputs, ConstView gradient_y, OutputRef gradient_weight) {
    const std::array upstream{gradient_y};
    const Shape& weight = gradient_weight.view.shape;
    if (!takes(inputs, gradient_y.type) || !takes(upstream, gradient_y.type) || !is_countable(weight)) {
        return false;
    }
    const ConvPart whole(geometry, joined(inputs), gradient_y.shape, weight, 0);
    return with_product(gradient_y.type, precision, [&](auto product) {
        using T = ElementOf<decltype(product)>;
        const Gather gather(whole, false);
        const Fields<T> x = fields_of<T>(inputs), g = fields_of<T>(upstream);
        const Fields<T>& fine = geometry.transposed ? g : x;
        const Fields<T>& coarse = geometry.transposed ? x : g;
        return gather.coarse_channels <= 16
                   ? weight_by_tiles<decltype(product), 2>(executor, gather, fine, coarse, gradient_weight)
                   : weight_by_tiles<decltype(product), 5>(executor, gather, fine, coarse, gradient_weight);
    });
}

}  // namespace plumecast::cuda::tile
