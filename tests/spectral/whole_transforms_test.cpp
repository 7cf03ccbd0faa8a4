#include "spectral/whole_transforms.hpp"

#include <gtest/gtest.h>

#include <utility>

#include <plumecast/spectral/spectral_transform.hpp>

#include "support/comparison.hpp"
#include "support/kernels_on_host.hpp"

namespace plumecast::testing {
namespace {

using Scaling = SpectralTransform::Scaling;

const Shape extents{6, 7, 8};
const std::vector<std::int64_t> modes{3, 3, 5};

Tensor on(Backend& backend, ConstView host, DType type) {
    Tensor device(backend.memory(), host.shape, type);
    backend.upload(host, device);
    return device;
}

Tensor downloaded(Backend& backend, const Tensor& device) {
    Tensor host = host_zeros(device.shape(), DType::float64);
    backend.download(device, host);
    return host;
}

/// A spectrum, and the field that another becomes on top of one.
std::pair<Tensor, Tensor> both_ways(Backend& backend, Scaling scaling) {
    const SpectralTransform transform(backend, extents, modes);
    const Shape shape{2, 6, 7, 8, 3};
    const Tensor field = on(backend, random_tensor(shape, DType::float32, "field"), backend.field_type());
    Tensor result = on(backend, random_tensor(shape, DType::float32, "before"), backend.field_type());
    Tensor spectrum = transform.forward(field, scaling);
    const Tensor other = random_tensor(spectrum.shape(), DType::float32, "spectrum");
    transform.inverse(on(backend, other, DType::float32), {result, 1.0}, Activation::leaky_relu(0.1), scaling);
    return {downloaded(backend, spectrum), downloaded(backend, result)};
}

TEST(WholeTransforms, GiveWhatProductsAlongTheAxesGive) {
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        for (const Scaling scaling : {Scaling::plain, Scaling::inverse}) {
            int transforms = 0;
            const auto whole = make_kernels_with_fft(precision, &transforms);
            const auto by_axes = make_kernels_on_host(std::make_unique<CountedMemory>(), precision);
            const auto [spectrum, field] = both_ways(*whole, scaling);
            const auto [expected_spectrum, expected_field] = both_ways(*by_axes, scaling);
            EXPECT_EQ(transforms, 4);  // of two cases, there and back
            expect_close(spectrum, expected_spectrum, 2e-6);
            expect_close(field, expected_field, precision == Precision::bf16 ? bfloat16_tolerance : 2e-6);
        }
    }
}

TEST(WholeTransforms, LeaveTheFieldTheyReadAsItIs) {
    const auto backend = make_kernels_with_fft();
    const SpectralTransform transform(*backend, extents, modes);
    const Tensor host = random_tensor({2, 6, 7, 8, 1}, DType::float32, "field");
    const Tensor field = on(*backend, host, DType::float32);
    transform.forward(field, Scaling::plain);
    EXPECT_EQ(as_double(downloaded(*backend, field)), as_double(host));
}

TEST(WholeTransforms, AreNotTakenWhereAnAxisIsLeftToOthers) {
    int transforms = 0;
    const auto backend = make_kernels_with_fft(Precision::fp32, &transforms);
    const SpectralTransform transform(*backend, extents, modes);
    const Tensor field = on(*backend, random_tensor({1, 6, 7, 8, 2}, DType::float32, "field"), DType::float32);
    transform.forward(field, Scaling::plain, {0});
    EXPECT_EQ(transforms, 0);
}

}  // namespace
}  // namespace plumecast::testing
