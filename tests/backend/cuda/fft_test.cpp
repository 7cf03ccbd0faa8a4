#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/cuda/fft/choice.hpp"
#include "backend/cuda/fft/plans.hpp"
#include "backend/cuda/fft/transforms.hpp"
#include "backend/cuda/planning.hpp"
#include "support/comparison.hpp"
#include "support/counted_memory.hpp"
#include "support/fft_by_definition.hpp"
#include "support/kernels_on_host.hpp"

namespace plumecast::testing {
namespace {

using cuda::FftPlans;

const FourierGeometry radial{{5, 6, 4}, {2, 3, 3}};

/// Asks for another work area than it needs, and gives errors: what `planning` says to its first plan.
class GreedyFft final : public cuda::FftFunctions {
   public:
    explicit GreedyFft(std::size_t work_bytes, int planning = 0) : work_bytes_(work_bytes), planning_(planning) {}
    int create(int* plan) override { return fft_.create(plan); }
    int destroy(int plan) override { return fft_.destroy(plan); }
    int set_auto_allocation(int plan, int is_automatic) override {
        return fft_.set_auto_allocation(plan, is_automatic);
    }
    int make_plan_many(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist,
                       long long* onembed, long long ostride, long long odist, cuda::FftKind kind, long long batch,
                       std::size_t* work_bytes) override {
        const int status = fft_.make_plan_many(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, kind,
                                               batch, work_bytes);
        *work_bytes = work_bytes_;
        const int error = std::exchange(planning_, 0);
        return error != 0 ? error : status;
    }
    int set_work_area(int plan, void* area) override { return fft_.set_work_area(plan, area); }
    int exec_r2c(int, float*, std::complex<float>*) override { return 6; }
    int exec_c2r(int, std::complex<float>*, float*) override { return 6; }

   private:
    std::size_t work_bytes_;
    int planning_;
    FftByDefinition fft_;
};

TEST(FftPlans, AreMadeOnceForAShapeAndGivenBack) {
    AskedOfFft asked;
    {
        FftPlans plans(std::make_unique<FftByDefinition>(&asked));
        EXPECT_TRUE(plans.takes({5, 4}, 3));
        EXPECT_TRUE(plans.takes({5, 4}, 3));
        EXPECT_EQ(asked.created, 2) << "there and back";
        CountedMemory memory;
        Tensor real(memory, {5, 4, 3}, DType::float32), half(memory, {5, 3, 3, 2}, DType::float32);
        real.view().as<float>()[0] = 0.0f;
        plans.forward({5, 4}, 3, memory, real.view().as<float>(), half.view().as<float>());
        EXPECT_EQ(asked.created, 2) << "work that is recorded makes no plans";
        EXPECT_EQ(asked.transforms, 1);
        EXPECT_TRUE(plans.takes({5, 4}, 2));
        EXPECT_EQ(asked.created, 4);
    }
    EXPECT_EQ(asked.destroyed, 4);
}

TEST(FftPlans, RefuseWhatAsksForMoreMemoryThanPlansCount) {
    const std::size_t bound = cuda::fft_work_bound({4, 6}, 3);
    EXPECT_TRUE(FftPlans(std::make_unique<GreedyFft>(bound)).takes({4, 6}, 3));
    FftPlans greedy(std::make_unique<GreedyFft>(bound + 1));
    EXPECT_FALSE(greedy.takes({4, 6}, 3));
    EXPECT_FALSE(greedy.takes({0, 6}, 3));
    CountedMemory memory;
    float number = 0.0f;
    EXPECT_THROW(greedy.forward({4, 6}, 3, memory, &number, &number), DeviceError);
    EXPECT_GT(cuda::fft_work_bound({11, 6}, 3), 4 * cuda::fft_work_bound({10, 6}, 3)) << "a prime above seven";
}

TEST(FftPlans, SayWhichErrorTheLibraryGave) {
    FftPlans plans(std::make_unique<GreedyFft>(8));
    CountedMemory memory;
    float number = 0.0f;
    try {
        plans.forward({1, 2}, 1, memory, &number, &number);
        FAIL() << "the library gave an error";
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("cuFFT: error 6"), std::string::npos) << error.what();
    }
}

TEST(FftPlans, TakeWantOfMemoryForNoRefusal) {
    FftPlans short_of_memory(std::make_unique<GreedyFft>(8, 2)), refusing(std::make_unique<GreedyFft>(8, 5));
    EXPECT_THROW(short_of_memory.takes({4, 6}, 3), OutOfMemory);
    EXPECT_TRUE(short_of_memory.takes({4, 6}, 3)) << "once there is memory again";
    EXPECT_FALSE(refusing.takes({4, 6}, 3));
    EXPECT_FALSE(refusing.takes({4, 6}, 3)) << "asked once";
}

/// Modes of a field by parts of so many elements, and what becomes of them on the way back.
std::vector<std::vector<double>> by_parts(std::int64_t most_elements, AskedOfFft& asked) {
    FftPlans plans(std::make_unique<FftByDefinition>(&asked), most_elements);
    HostExecutor executor(std::make_unique<CountedMemory>());
    const Tensor field = random_tensor({3, 5, 5, 4, 2}, DType::float32, "field");
    Tensor spectrum = host_zeros({3, 4, 6, 6, 2}, DType::float32), back = host_zeros(field.shape(), DType::float32);
    cuda::forward_fft(executor, plans, radial, field, spectrum);
    cuda::inverse_fft(executor, plans, radial, spectrum, {back.view()}, {});
    return {as_double(spectrum), as_double(back)};
}

TEST(Fft, GivesTheSameBitsForFieldsSideBySideAndOneByOne) {
    AskedOfFft together, pairs, single;
    const auto expected = by_parts(std::int64_t{16} << 20, together);
    EXPECT_EQ(by_parts(2 * 5 * 6 * 4 * 2, pairs), expected);
    EXPECT_EQ(by_parts(1, single), expected);
    EXPECT_EQ(together.transforms, 2);
    EXPECT_EQ(pairs.transforms, 4) << "two of three, then the last";
    EXPECT_EQ(single.transforms, 6);
}

TEST(Fft, IsChosenByARuleWithoutADevice) {
    FourierGeometry geometry{{104, 208, 32}, {10, 19, 10}};
    EXPECT_FALSE(cuda::fft_pays(geometry, Precision::fp32));
    geometry.modes = {10, 20, 10};
    EXPECT_TRUE(cuda::fft_pays(geometry, Precision::fp32));
    EXPECT_FALSE(cuda::fft_pays(geometry, Precision::bf16));
    EXPECT_FALSE(cuda::fft_pays(geometry, Precision::tf32));
    geometry.modes = {10, 70, 10};
    EXPECT_TRUE(cuda::fft_pays(geometry, Precision::bf16));
}

TEST(CudaPlanner, TakesTheWayAskedForOrThatOfTheRule) {
    const FourierGeometry few{{104, 208, 32}, {10, 10, 10}}, many{{104, 208, 32}, {10, 40, 10}};
    const auto choice = [](SpectralWay way, const FourierGeometry& geometry) {
        const auto planner = cuda::make_cuda_planner(Precision::fp32, {}, way);
        EXPECT_EQ(planner->spectral_way(), way);
        return planner->transforms_by_fft(geometry, {1, 104, 208, 32, 36}, DType::float32);
    };
    EXPECT_FALSE(choice(SpectralWay::automatic, few));
    EXPECT_TRUE(choice(SpectralWay::automatic, many));
    EXPECT_TRUE(choice(SpectralWay::cufft, few));
    EXPECT_FALSE(choice(SpectralWay::dft, many));
}

TEST(CudaPlanner, CountsWhatFourierTransformsTake) {
    for (const DType type : {DType::float32, DType::bfloat16}) {
        const Precision precision = type == DType::bfloat16 ? Precision::bf16 : Precision::fp32;
        const auto peak = [&](Backend& backend) {
            cuda::transform_by_fft(backend, radial, {3, 5, 5, 4, 2}, type);
            return backend.peak_bytes();
        };
        const auto host =
            make_kernels_on_host(std::make_unique<CountedMemory>(), precision, std::make_unique<FftByDefinition>());
        const auto planner = cuda::make_cuda_planner(precision, {}, SpectralWay::cufft);
        EXPECT_GE(peak(*planner), peak(*host));
    }
}

TEST(Fft, AndProductsCanBeTimedOnAnyShape) {
    for (const FourierGeometry& geometry :
         {radial, FourierGeometry{{7, 6}, {2, 3}}, FourierGeometry{{8}, {3}}, FourierGeometry{{1, 3, 1}, {1, 2, 1}}}) {
        Shape field{2};
        for (int axis = 0; axis < geometry.extents.rank(); ++axis) {
            field = field.append(geometry.extents[axis]);
        }
        AskedOfFft asked;
        const auto backend = make_kernels_on_host(std::make_unique<CountedMemory>(), Precision::fp32,
                                                  std::make_unique<FftByDefinition>(&asked));
        cuda::transform_by_products(*backend, geometry, field.append(3), DType::float32);
        EXPECT_EQ(asked.transforms, 0);
        cuda::transform_by_fft(*backend, geometry, field.append(3), DType::float32);
        EXPECT_EQ(asked.transforms, 2);
    }
}

TEST(Fft, IsRefusedByBackendsWithoutALibraryForIt) {
    const auto backend = make_kernels_on_host();
    EXPECT_FALSE(backend->transforms_by_fft(radial, {3, 5, 6, 4, 2}, DType::float32));
    const auto cpu = make_cpu_backend({.threads = 1});
    EXPECT_FALSE(cpu->transforms_by_fft(radial, {3, 5, 6, 4, 2}, DType::float32));
    Tensor x(cpu->memory(), {1, 5, 6, 4, 2}, DType::float32), modes(cpu->memory(), {1, 4, 6, 6, 2}, DType::float32);
    EXPECT_THROW(cpu->forward_fft(radial, x, modes), Error);
    EXPECT_THROW(cpu->inverse_fft(radial, modes, {x.view()}, {}), Error);
}

}  // namespace
}  // namespace plumecast::testing
