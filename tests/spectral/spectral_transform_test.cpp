#include <plumecast/spectral/spectral_transform.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "spectral/direct_dft.hpp"
#include "spectral/whole_transforms.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using Scaling = SpectralTransform::Scaling;

struct Grid {
    Shape extents;
    std::vector<std::int64_t> modes;
};

/// One, two and three space axes; odd and even extents; overlapping modes and Nyquist in time.
std::vector<Grid> grids() {
    return {{{7, 6}, {2, 3}},
            {{8, 5}, {4, 3}},
            {{5, 4}, {4, 3}},
            {{6, 7, 8}, {2, 3, 4}},
            {{6, 7, 8}, {3, 3, 5}},
            {{4, 5, 6}, {3, 4, 4}},
            {{4, 4, 3}, {4, 4, 2}},
            {{1, 3, 1}, {1, 2, 1}},
            {{4, 3, 5, 4}, {2, 1, 2, 3}},
            {{3, 4, 2, 5}, {2, 3, 2, 2}}};
}

Shape field_shape(const Shape& extents, std::int64_t batch, std::int64_t channels) {
    Shape shape{batch};
    for (std::int64_t extent : extents.extents()) {
        shape = shape.append(extent);
    }
    return shape.append(channels);
}

Shape spectrum_shape(const DirectDft& direct, std::int64_t batch, std::int64_t channels) {
    return {batch, direct.space_modes(), 2, direct.time_modes(), channels};
}

class OnGrids : public BackendTest {
   protected:
    void each_grid(const std::function<void(const SpectralTransform&, const DirectDft&)>& visit) {
        for (const Grid& grid : grids()) {
            SCOPED_TRACE(grid.extents.text());
            visit(SpectralTransform(backend(), grid.extents, grid.modes), DirectDft(grid.extents, grid.modes));
        }
    }
    double tolerance() { return backend().compute_type() == DType::float64 ? 1e-13 : 2e-6; }
    Tensor uploaded(ConstView host) {
        Tensor device(backend().memory(), host.shape, backend().compute_type());
        backend().upload(host, device);
        return device;
    }
    Tensor downloaded(const Tensor& device) {
        Tensor host = host_zeros(device.shape(), DType::float64);
        backend().download(device, host);
        return host;
    }
};

class ForwardTransform : public OnGrids {};
class InverseTransform : public OnGrids {};

TEST_P(ForwardTransform, IsTheDiscreteFourierTransform) {
    each_grid([&](const SpectralTransform& transform, const DirectDft& direct) {
        const Tensor field = random_tensor(field_shape(direct.extents(), 2, 3), DType::float64, "field");
        const Tensor spectrum = transform.forward(uploaded(field), Scaling::plain);
        expect_close(downloaded(spectrum), direct.forward(field), tolerance());
    });
}

TEST_P(ForwardTransform, OfInverseScalingWeighsEveryMode) {
    each_grid([&](const SpectralTransform& transform, const DirectDft& direct) {
        const Tensor field = random_tensor(field_shape(direct.extents(), 2, 3), DType::float64, "field");
        Tensor expected = direct.forward(field);
        const std::vector<double> counted = direct.multiplicities();
        const std::int64_t modes = direct.time_modes();
        const std::span<double> values = expected.values<double>();
        for (std::int64_t at = 0; at < expected.shape().count(); ++at) {
            const std::int64_t t = at / 3 % modes, k = at / (3 * modes * 2) % direct.space_modes();
            values[static_cast<std::size_t>(at)] *=
                counted[static_cast<std::size_t>(k * modes + t)] / static_cast<double>(direct.extents().count());
        }
        expect_close(downloaded(transform.forward(uploaded(field), Scaling::inverse)), expected, tolerance());
    });
}

TEST_P(InverseTransform, TakesTheRealPartLast) {
    each_grid([&](const SpectralTransform& transform, const DirectDft& direct) {
        const Tensor spectrum = random_tensor(spectrum_shape(direct, 2, 3), DType::float64, "spectrum");
        Tensor field(backend().memory(), field_shape(direct.extents(), 2, 3), backend().compute_type());
        transform.inverse(uploaded(spectrum), {field}, {}, Scaling::inverse);
        expect_close(downloaded(field), direct.inverse(spectrum), tolerance());
    });
}

TEST_P(InverseTransform, AddsAndActivates) {
    each_grid([&](const SpectralTransform& transform, const DirectDft& direct) {
        const Tensor spectrum = random_tensor(spectrum_shape(direct, 1, 2), DType::float64, "spectrum");
        const Tensor before = random_tensor(field_shape(direct.extents(), 1, 2), DType::float64, "before");
        Tensor field = uploaded(before);
        transform.inverse(uploaded(spectrum), {field, 1.0}, Activation::relu(), Scaling::inverse);
        Tensor expected = direct.inverse(spectrum);
        for (std::size_t i = 0; i < expected.values<double>().size(); ++i) {
            double& value = expected.values<double>()[i];
            value = std::max(0.0, value + before.values<double>()[i]);
        }
        expect_close(downloaded(field), expected, tolerance());
    });
}

TEST_P(InverseTransform, IsTheAdjointOfTheForwardTransform) {
    for (const Scaling scaling : {Scaling::plain, Scaling::inverse}) {
        each_grid([&](const SpectralTransform& transform, const DirectDft& direct) {
            const auto forward = [&](View from, View to) {
                const Tensor spectrum = transform.forward(from, scaling);
                backend().add(1.0, spectrum, {to});
            };
            const auto adjoint = [&](View from, View to) {
                Tensor spectrum(backend().memory(), from.shape, from.type);
                backend().add(1.0, from, {spectrum});
                transform.inverse(std::move(spectrum), {to}, {}, scaling);
            };
            expect_adjoint(backend(), field_shape(direct.extents(), 2, 3), spectrum_shape(direct, 2, 3), forward,
                           adjoint, adjoint_tolerance());
        });
    }
}

TEST_P(InverseTransform, RestoresAFieldWhenAllModesAreKept) {
    const SpectralTransform transform(backend(), {6, 4, 5}, {3, 2, 3});
    const Tensor field = random_tensor({2, 6, 4, 5, 3}, DType::float64, "field");
    Tensor again(backend().memory(), field.shape(), backend().compute_type());
    transform.inverse(transform.forward(uploaded(field), Scaling::plain), {again}, {}, Scaling::inverse);
    expect_close(downloaded(again), field, tolerance());
}

TEST(SpectralTransform, InvertsNonHermitianSpectraAsNumpyDoes) {
    // numpy.fft.irfftn(X, s=(3, 2, 4), axes=(0, 1, 2)) of X zero but for
    // X[0,0,0] = 1+2i, X[2,0,1] = -2+0.5i, X[0,1,2] = 3-1i, X[2,1,0] = 0.5-1.5i.
    const auto oracle = make_oracle_backend();
    const SpectralTransform transform(*oracle, {3, 2, 4}, {1, 1, 3});
    Tensor spectrum = host_zeros({1, 4, 2, 3, 1}, DType::float64);
    const auto set = [&](std::int64_t k, std::int64_t t, double real, double imaginary) {
        spectrum.view().as<double>()[k * 6 + t] = real;
        spectrum.view().as<double>()[k * 6 + 3 + t] = imaginary;
    };
    set(0, 0, 1.0, 2.0);
    set(2, 1, -2.0, 0.5);
    set(1, 2, 3.0, -1.0);
    set(3, 0, 0.5, -1.5);
    Tensor field(oracle->memory(), {1, 3, 2, 4, 1}, DType::float64);
    transform.inverse(std::move(spectrum), {field}, {}, Scaling::inverse);
    const std::vector<double> numpy{0.0208333333333333,
                                    -0.104166666666667,
                                    0.354166666666667,
                                    -0.0208333333333333,
                                    -0.270833333333333,
                                    0.104166666666667,
                                    0.0625,
                                    0.1875,
                                    0.221541137421157,
                                    -0.271380821700601,
                                    -0.0172943128942123,
                                    -0.0243723537724543,
                                    0.100627646227546,
                                    0.107705687105788,
                                    -0.138207804087824,
                                    0.354714155033934,
                                    0.257625529245509,
                                    0.125547488367267,
                                    0.163127646227546,
                                    -0.204794312894212,
                                    -0.0797943128942124,
                                    0.288127646227546,
                                    -0.174292195912176,
                                    -0.0422141550339338};
    expect_close(field, host_tensor<double>(field.shape(), numpy), 1e-14);
}

TEST(SpectralTransform, RefusesModesTheGridDoesNotHold) {
    const auto backend = make_planning_backend();
    EXPECT_THROW(SpectralTransform(*backend, {4, 4, 4}, {5, 2, 2}), InvalidInput);
    EXPECT_THROW(SpectralTransform(*backend, {4, 4, 4}, {2, 5, 2}), InvalidInput);
    EXPECT_THROW(SpectralTransform(*backend, {4, 4, 4}, {2, 2, 4}), InvalidInput);
    EXPECT_THROW(SpectralTransform(*backend, {4, 4, 4}, {2, 2}), Error);
}

class Shares : public OnGrids {
   protected:
    /// Partitions of the first and the last space axis, with an empty part.
    std::vector<Box> boxes_of(const Shape& space) {
        std::vector<Box> boxes;
        const std::int64_t first = space[0], last = space[-1];
        for (const auto& [low, high] : {std::pair(std::int64_t{0}, first / 2), std::pair(first / 2, first)}) {
            for (const auto& [begin, end] :
                 {std::pair(std::int64_t{0}, last / 3), std::pair(last / 3, last / 3), std::pair(last / 3, last)}) {
                const Box box = Box(space).with(space.rank() - 1, begin, end);
                boxes.push_back(space.rank() > 1 ? box.with(0, low, high) : box);
            }
            if (space.rank() == 1) {
                break;
            }
        }
        return boxes;
    }
    /// Cells of a box of a field [B, space..., T, C].
    Tensor part_of(const Tensor& field, const Box& box) {
        Shape extents = field.shape(), low = field.shape(), zero = field.shape();
        for (int axis = 0; axis < field.shape().rank(); ++axis) {
            const bool in_space = axis > 0 && axis <= box.rank();
            low = low.with(axis, in_space ? box.low()[axis - 1] : 0);
            zero = zero.with(axis, 0);
            extents = in_space ? extents.with(axis, box.extents()[axis - 1]) : extents;
        }
        Tensor part(backend().memory(), extents, backend().compute_type());
        backend().copy_box(field, low, {part}, zero, extents);
        return part;
    }
};

TEST_P(Shares, AddUpToTheWholeSpectrumAndTransformTheirBoxBack) {
    for (const Grid& grid : grids()) {
        SCOPED_TRACE(grid.extents.text());
        const SpectralTransform whole(backend(), grid.extents, grid.modes);
        const Tensor field = uploaded(random_tensor(field_shape(grid.extents, 2, 3), DType::float64, "field"));
        const Tensor spectrum = whole.forward(field, Scaling::plain);
        Tensor sum(backend().memory(), spectrum.shape(), backend().compute_type());
        backend().fill(sum, 0.0);
        for (const Box& box : boxes_of(grid.extents.slice(0, grid.extents.rank() - 1))) {
            const SpectralTransform share(backend(), grid.extents, grid.modes, box);
            const Tensor part = part_of(field, box);
            EXPECT_EQ(share.spectrum_shape(2, 3), spectrum.shape());
            backend().add(1.0, share.forward(part, Scaling::plain), {sum, 1.0});

            Tensor copy(backend().memory(), spectrum.shape(), backend().compute_type());
            backend().add(1.0, spectrum, {copy});
            Tensor again(backend().memory(), part.shape(), backend().compute_type());
            share.inverse(std::move(copy), {again}, {}, Scaling::inverse);
            Tensor reference(backend().memory(), field.shape(), backend().compute_type());
            Tensor other(backend().memory(), spectrum.shape(), backend().compute_type());
            backend().add(1.0, spectrum, {other});
            whole.inverse(std::move(other), {reference}, {}, Scaling::inverse);
            expect_close(downloaded(again), downloaded(part_of(reference, box)), 4 * tolerance());
        }
        expect_close(downloaded(sum), downloaded(spectrum), 4 * tolerance());
    }
}

INSTANTIATE_TEST_SUITE_P(Backends, Shares, ::testing::ValuesIn(spectral_backends()), choice_name);
INSTANTIATE_TEST_SUITE_P(Backends, ForwardTransform, ::testing::ValuesIn(spectral_backends()), choice_name);
INSTANTIATE_TEST_SUITE_P(Backends, InverseTransform, ::testing::ValuesIn(spectral_backends()), choice_name);

}  // namespace
}  // namespace plumecast::testing
