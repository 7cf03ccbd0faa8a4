#include "inference/published/factorised.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

#include "inference/published/arrays.hpp"

namespace plumecast {
namespace {

using Complex = std::complex<double>;

/// A complex array in row-major order.
struct ComplexArray {
    std::vector<std::int64_t> extents;
    std::vector<Complex> values;
};

std::string factor(const std::string& stem, std::size_t number) {
    return stem + ".factors.factor_" + std::to_string(number);
}

std::size_t count_of_factors(const SafetensorsFile& weights, const std::string& stem) {
    std::size_t count = 0;
    while (weights.contains(factor(stem, count))) {
        ++count;
    }
    return count;
}

std::string dense_name(const SafetensorsFile& weights, const std::string& stem) {
    return weights.contains(stem) ? stem : stem + ".tensor";
}

ComplexArray read(const SafetensorsFile& weights, const std::string& name, std::set<std::string>& used) {
    const Shape shape = weights.shape(name);
    const Tensor values = published_array(weights, name, shape, used);
    ComplexArray array;
    for (int axis = 0; axis + 1 < shape.rank(); ++axis) {
        array.extents.push_back(shape[axis]);
    }
    for (std::int64_t at = 0; at < shape.count() / 2; ++at) {
        const auto pair = static_cast<std::size_t>(2 * at);
        array.values.emplace_back(values.number(pair), values.number(pair + 1));
    }
    return array;
}

/// Row-major a [m, k] times b [k, n].
std::vector<Complex> product(const std::vector<Complex>& a, const std::vector<Complex>& b, std::int64_t k) {
    const auto inner = static_cast<std::size_t>(k), m = a.size() / inner, n = b.size() / inner;
    std::vector<Complex> c(m * n);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t l = 0; l < inner; ++l) {
            const Complex x = a[i * inner + l];
            for (std::size_t j = 0; j < n; ++j) {
                c[i * n + j] += x * b[l * n + j];
            }
        }
    }
    return c;
}

std::vector<Complex> transposed(const std::vector<Complex>& a, std::int64_t columns) {
    const auto width = static_cast<std::size_t>(columns), height = a.size() / width;
    std::vector<Complex> result(a.size());
    for (std::size_t i = 0; i < height; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
            result[j * height + i] = a[i * width + j];
        }
    }
    return result;
}

/// Multiplies the first axis of the core by each factor [n, r] and turns it to the end, axis by axis.
std::vector<Complex> tucker(const SafetensorsFile& weights, const std::string& stem, std::set<std::string>& used) {
    std::vector<Complex> x = read(weights, stem + ".core", used).values;
    const std::size_t factors = count_of_factors(weights, stem);
    for (std::size_t axis = 0; axis < factors; ++axis) {
        const ComplexArray u = read(weights, factor(stem, axis), used);
        x = transposed(product(u.values, x, u.extents[1]), static_cast<std::int64_t>(x.size()) / u.extents[1]);
    }
    return x;
}

/// Each row of a [m, r] times each row of b [n, r]: [m n, r].
std::vector<Complex> products_of_rows(const std::vector<Complex>& a, const std::vector<Complex>& b, std::int64_t r) {
    const auto rank = static_cast<std::size_t>(r);
    std::vector<Complex> result;
    result.reserve(a.size() / rank * b.size());
    for (std::size_t i = 0; i < a.size(); i += rank) {
        for (std::size_t j = 0; j < b.size(); j += rank) {
            for (std::size_t k = 0; k < rank; ++k) {
                result.push_back(a[i + k] * b[j + k]);
            }
        }
    }
    return result;
}

std::vector<Complex> cp(const SafetensorsFile& weights, const std::string& stem, std::set<std::string>& used) {
    const ComplexArray scales = read(weights, stem + ".weights", used);
    const std::int64_t rank = scales.extents[0];
    std::vector<Complex> channels = scales.values, modes(scales.values.size(), 1.0);
    const std::size_t factors = count_of_factors(weights, stem);
    for (std::size_t axis = 0; axis < factors; ++axis) {
        std::vector<Complex>& side = axis < 2 ? channels : modes;
        side = products_of_rows(side, read(weights, factor(stem, axis), used).values, rank);
    }
    return product(channels, transposed(modes, rank), rank);
}

std::vector<Complex> tensor_train(const SafetensorsFile& weights, const std::string& stem,
                                  std::set<std::string>& used) {
    std::vector<Complex> x{1.0};
    const std::size_t factors = count_of_factors(weights, stem);
    for (std::size_t axis = 0; axis < factors; ++axis) {
        const ComplexArray g = read(weights, factor(stem, axis), used);  // [r, n, r']
        x = product(x, g.values, g.extents[0]);
    }
    return x;
}

[[noreturn]] void refuse_factor(const SafetensorsFile& weights, const std::string& name, const std::string& why) {
    refuse_weights(weights, "array '" + name + "' has shape " + weights.shape(name).text() + " (" + why + ")",
                   "convert the checkpoint again");
}

/// Throws unless the factors fit each other.
void check_factors(const SafetensorsFile& weights, const std::string& stem, Factorisation kind) {
    const std::size_t factors = count_of_factors(weights, stem);
    const int axes = kind == Factorisation::tt ? 4 : 3;
    std::int64_t rank = 1;
    if (kind == Factorisation::cp) {
        const Shape scales = weights.shape(stem + ".weights");
        if (scales.rank() != 2 || scales[1] != 2 || scales[0] < 1) {
            refuse_factor(weights, stem + ".weights", "complex scales, one for each rank, are expected");
        }
        rank = scales[0];
    }
    const std::string core = stem + ".core";
    if (kind == Factorisation::tucker &&
        (weights.shape(core).rank() != static_cast<int>(factors) + 1 || weights.shape(core)[-1] != 2)) {
        refuse_factor(weights, core, "a complex core with an axis for each factor is expected");
    }
    for (std::size_t k = 0; k < factors; ++k) {
        const Shape shape = weights.shape(factor(stem, k));
        if (shape.rank() != axes || shape[-1] != 2 || shape.count() < 1) {
            refuse_factor(weights, factor(stem, k), "a complex factor of its axis is expected");
        }
        const std::int64_t wanted = kind == Factorisation::tucker ? weights.shape(core)[static_cast<int>(k)] : rank;
        if (shape[kind == Factorisation::tt ? 0 : 1] != wanted) {
            refuse_factor(weights, factor(stem, k), "a rank of " + std::to_string(wanted) + " is expected");
        }
        rank = kind == Factorisation::tt ? shape[2] : rank;
    }
    if (kind == Factorisation::tt && rank != 1) {
        refuse_factor(weights, factor(stem, factors - 1), "the last rank of a tensor train is 1");
    }
}

/// Complex numbers of the largest array on the way from factors, which fit each other, to the weight.
double largest_step(const SafetensorsFile& weights, const std::string& stem, Factorisation kind) {
    const std::size_t factors = count_of_factors(weights, stem);
    const double start = kind == Factorisation::tucker
                             ? static_cast<double>(weights.shape(stem + ".core").count()) / 2.0
                         : kind == Factorisation::cp ? static_cast<double>(weights.shape(stem + ".weights")[0])
                                                     : 1.0;
    double made = start, most = start;
    for (std::size_t k = 0; k < factors; ++k) {
        const Shape shape = weights.shape(factor(stem, k));
        if (kind == Factorisation::tt) {
            made *= static_cast<double>(shape[1]);
            most = std::max(most, made * static_cast<double>(shape[2]));
            continue;
        }
        const auto extent = static_cast<double>(shape[0]), rank = static_cast<double>(shape[1]);
        if (kind == Factorisation::tucker) {
            made *= extent / rank;
        } else {
            made = (k == 2 ? start : made) * extent;  // the modes are multiplied apart from the channels
        }
        most = std::max(most, made);
    }
    return most;
}

}  // namespace

Factorisation factorisation_of(const SafetensorsFile& weights, const std::string& stem) {
    if (weights.contains(stem) || weights.contains(stem + ".tensor")) {
        return Factorisation::dense;
    }
    if (weights.contains(stem + ".core")) {
        return Factorisation::tucker;
    }
    if (weights.contains(stem + ".weights")) {
        return Factorisation::cp;
    }
    if (weights.contains(factor(stem, 0))) {
        return Factorisation::tt;
    }
    refuse_weights(weights, "no array '" + stem + ".tensor' (nor factors of one of Tucker, CP or a tensor train)",
                   "give the whole state dict of an FNO or TFNO");
}

Shape weight_shape(const SafetensorsFile& weights, const std::string& stem) {
    const Factorisation kind = factorisation_of(weights, stem);
    if (kind == Factorisation::dense) {
        return weights.shape(dense_name(weights, stem));
    }
    check_factors(weights, stem, kind);
    Shape shape;
    double numbers = 2.0;
    const std::size_t factors = count_of_factors(weights, stem);
    constexpr double most = 2147483648.0;
    for (std::size_t k = 0; k < factors && k < 6; ++k) {
        const std::int64_t extent = weights.shape(factor(stem, k))[kind == Factorisation::tt ? 1 : 0];
        numbers *= static_cast<double>(extent);
        shape = shape.append(extent);
    }
    if (numbers > most || factors > 6) {
        refuse_weights(weights,
                       "the factors under '" + stem + "' make " + shape.text() + " complex numbers or more (" +
                           "weights are multiplied out, to 2^31 numbers of six axes at most)",
                       "import a smaller network");
    }
    if (2.0 * largest_step(weights, stem, kind) > most) {
        refuse_weights(weights,
                       "the factors under '" + stem + "', of a weight " + shape.text() +
                           ", have ranks so large that multiplying them out takes more than 2^31 numbers",
                       "import a network of smaller ranks");
    }
    return shape.append(2);
}

Tensor weight_values(const SafetensorsFile& weights, const std::string& stem, std::set<std::string>& used) {
    const Shape shape = weight_shape(weights, stem);
    const Factorisation kind = factorisation_of(weights, stem);
    if (kind == Factorisation::dense) {
        return published_array(weights, dense_name(weights, stem), shape, used);
    }
    const std::vector<Complex> numbers = kind == Factorisation::tucker ? tucker(weights, stem, used)
                                         : kind == Factorisation::cp   ? cp(weights, stem, used)
                                                                       : tensor_train(weights, stem, used);
    Tensor values = host_zeros(shape, DType::float64);
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        values.values<double>()[2 * at] = numbers[at].real();
        values.values<double>()[2 * at + 1] = numbers[at].imag();
    }
    return values;
}

}  // namespace plumecast
