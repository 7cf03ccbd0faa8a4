#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>

#include "backend/cuda/dnn/convolutions.hpp"
#include "backend/cuda/workspace.hpp"
#include "support/counted_memory.hpp"
#include "support/dnn_by_definition.hpp"
#include "support/kernels_on_host.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using cuda::ConvProduct;
using cuda::DnnConvolutions;
using cuda::DnnHeuristic;
using cuda::DnnNote;
using cuda::DnnProduct;
using Engines = DnnByDefinition::Engines;

const ConvGeometry strided{{3, 3, 3}, {2, 2, 1}, {1, 0, 1}, {1, 1, 1}};

/// A convolution of small fields over a stand-in for cuDNN.
class Dnn : public ::testing::Test {
   protected:
    DnnConvolutions over(Engines engines, Precision precision = Precision::fp32, std::size_t version = 91900,
                         std::optional<cuda::DnnClock> clock = std::nullopt) {
        return {std::make_unique<DnnByDefinition>(&asked_, std::move(engines), version), precision, std::move(clock)};
    }
    DnnProduct product(ConvProduct gives = ConvProduct::coarse, DType type = DType::float32) {
        fine_.assign(static_cast<std::size_t>(part_.fine.count()), 1.0f);
        weight_.assign(static_cast<std::size_t>(part_.packed().count()), 1.0f);
        coarse_.assign(static_cast<std::size_t>(part_.coarse.count()), 0.0f);
        return {.gives = gives,
                .part = part_,
                .fields = type,
                .weight = type,
                .first = gives == ConvProduct::coarse ? fine_.data() : coarse_.data(),
                .second = gives == ConvProduct::weight ? fine_.data() : weight_.data(),
                .result = gives == ConvProduct::coarse ? coarse_.data()
                          : gives == ConvProduct::fine ? fine_.data()
                                                       : weight_.data()};
    }

    const cuda::ConvPart part_{strided, {1, 4, 4, 3, 2}, {1, 2, 2, 3, 3}, {3, 3, 3, 3, 2}, 0};
    AskedOfDnn asked_;
    CountedMemory memory_;
    std::vector<float> coarse_, fine_, weight_;
};

TEST_F(Dnn, DescribesAShapeOnceAndGivesEverythingBack) {
    {
        DnnConvolutions dnn = over({});
        EXPECT_TRUE(dnn.run(product(), memory_));
        EXPECT_EQ(coarse_.at(4 * 3), 24.0f) << "2 x 2 x 3 taps lie in the field, of 2 channels";
        const int described = asked_.created;
        EXPECT_TRUE(dnn.run(product(), memory_));
        EXPECT_EQ(asked_.created, described + 1) << "the addresses alone";
        EXPECT_THAT(asked_.executed, ElementsAre(0, 0));
    }
    EXPECT_EQ(asked_.created, asked_.destroyed);
    EXPECT_EQ(memory_.live_bytes(), 0U);
}

TEST_F(Dnn, AsksModeBWhereNothingOfAIsTakenAndThenWhatItFallsBackOn) {
    const DnnEngine refused{.planning = DnnByDefinition::not_supported};
    EXPECT_TRUE(over({{DnnHeuristic::a, {refused}}, {DnnHeuristic::b, {refused, {}}}}).run(product(), memory_));
    EXPECT_TRUE(over({{DnnHeuristic::b, {refused}}, {DnnHeuristic::fallback, {{}}}}).run(product(), memory_));
    EXPECT_THAT(asked_.executed, ElementsAre(2, 1));
    EXPECT_FALSE(over({{DnnHeuristic::a, {refused}}, {DnnHeuristic::fallback, {refused}}}).run(product(), memory_));
}

TEST_F(Dnn, TakesNoEngineWhoseSumsAreLessExactOrDifferFromRunToRun) {
    const Engines engines{{DnnHeuristic::a,
                           {{.notes = {DnnNote::nondeterministic}},
                            {.notes = {static_cast<DnnNote>(2)}},
                            {.notes = {DnnNote::tensor_core}},
                            {.notes = {DnnNote::strict_nan}}}}};
    EXPECT_TRUE(over(engines).run(product(), memory_));
    EXPECT_TRUE(over(engines, Precision::tf32).run(product(), memory_));
    DnnProduct parts = product();
    parts.ten_bits = true;
    EXPECT_TRUE(over(engines).run(parts, memory_));
    EXPECT_THAT(asked_.executed, ElementsAre(3, 2, 2));
}

TEST_F(Dnn, TakesNoEngineThatAsksForMoreThanPlansOfMemoryCount) {
    const auto most = static_cast<std::int64_t>(cuda::conv_workspace_bound(part_));
    EXPECT_TRUE(over({{DnnHeuristic::a, {{.bytes = most + 1}, {.bytes = most}}}}).run(product(), memory_));
    EXPECT_THAT(asked_.executed, ElementsAre(1));
    EXPECT_GE(memory_.peak_bytes(), static_cast<std::size_t>(most)) << "workspaces come from the memory of the fields";
}

TEST_F(Dnn, LeavesOutForGoodWhatRefusesWhenExecuted) {
    const DnnEngine refused{.execution = DnnByDefinition::not_supported};
    {
        DnnConvolutions dnn = over({{DnnHeuristic::a, {refused, {}}}});
        EXPECT_TRUE(dnn.run(product(), memory_) && dnn.run(product(), memory_));
        EXPECT_THAT(asked_.executed, ElementsAre(1, 1));
    }
    DnnConvolutions none = over({{DnnHeuristic::a, {refused}}});
    EXPECT_FALSE(none.run(product(), memory_) || none.run(product(), memory_));
}

TEST_F(Dnn, ThrowsWhereTheDeviceFailed) {
    DnnConvolutions dnn = over({{DnnHeuristic::a, {{.execution = DnnByDefinition::execution_failed}, {}}}});
    EXPECT_THROW(dnn.run(product(), memory_), DeviceError);
}

TEST_F(Dnn, IsNotAskedInVersionsThatAreWrong) {
    const Engines units{{DnnHeuristic::a, {{.notes = {DnnNote::tensor_core}}}}};
    const DnnProduct narrow = product(ConvProduct::coarse, DType::bfloat16);
    EXPECT_FALSE(over(units, Precision::bf16, 91002).run(narrow, memory_));
    EXPECT_FALSE(over(units, Precision::tf32, 91002).run(product(), memory_));
    EXPECT_TRUE(over({}, Precision::tf32, 91002).run(product(), memory_)) << "without matrix units";
    EXPECT_TRUE(over(units, Precision::tf32).run(product(), memory_));
}

TEST_F(Dnn, DescribesNoCoarseFieldThatDoesNotFollowFromTheFineOne) {
    DnnProduct odd = product();
    odd.part.coarse = {1, 1, 2, 3, 3};
    EXPECT_FALSE(over({}).run(odd, memory_));
    EXPECT_EQ(asked_.created, 0);
}

/// A clock for which later plans are faster, and how often it was asked.
cuda::DnnClock backward_clock(const std::filesystem::path& file, int& timed, bool may_time = true) {
    return {std::make_unique<cuda::FastestWay>(cuda::TuningCache(file, "a device", {})),
            [&timed](const std::function<void()>& work) {
                work();
                return 10.0 - ++timed;
            },
            [may_time] { return may_time; }};
}

TEST_F(Dnn, TakesTheFastestPlanTimedOnceForAShapeAndKeptInAFile) {
    const auto file = std::filesystem::path(::testing::TempDir()) / "dnn_clock.json";
    std::filesystem::remove(file);
    const DnnEngine refused{.execution = DnnByDefinition::not_supported};
    const Engines engines{{DnnHeuristic::a, {{}, refused, {}}}};
    int timed = 0;
    for (int program = 0; program < 2; ++program) {
        DnnConvolutions dnn = over(engines, Precision::fp32, 91900, backward_clock(file, timed));
        EXPECT_TRUE(dnn.run(product(), memory_) && dnn.run(product(), memory_));
        EXPECT_EQ(asked_.executed.back(), 2);
        EXPECT_EQ(timed, 2) << "the second program reads the file";
    }
    DnnProduct added = product();
    added.beta = 1.0f;
    DnnConvolutions dnn = over(engines, Precision::fp32, 91900, backward_clock(file, timed));
    EXPECT_TRUE(dnn.run(added, memory_));
    EXPECT_EQ(coarse_.at(4 * 3), 24.0f) << "timing adds nothing to the result";
    std::filesystem::remove(file);
}

TEST_F(Dnn, TimesNothingWhileWorkIsRecordedNorWhereThereIsNoRoom) {
    int timed = 0;
    {
        DnnConvolutions dnn =
            over({{DnnHeuristic::a, {{}, {}}}}, Precision::fp32, 91900, backward_clock({}, timed, false));
        EXPECT_TRUE(dnn.run(product(), memory_));
    }
    CountedMemory small;
    small.limit(64);  // the workspace alone
    DnnConvolutions dnn = over({{DnnHeuristic::a, {{}, {}}}}, Precision::fp32, 91900, backward_clock({}, timed));
    EXPECT_TRUE(dnn.run(product(), small));
    EXPECT_EQ(timed, 0);
    EXPECT_THAT(asked_.executed, ElementsAre(0, 0));
}

/// What convolutions and their gradients give, of two inputs side by side, each number once over a bias and a sum.
std::vector<float> all_products(Backend& backend, const ConvGeometry& geometry) {
    const auto filled = [&](const Shape& shape, DType type, int seed) {
        Tensor made(backend.memory(), shape, type), wide(backend.memory(), shape, DType::float32);
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            wide.view().as<float>()[i] = static_cast<float>((i * 37 + seed) % 17 - 8) / 8.0f;
        }
        backend.fill(made, 0.0);
        backend.add(1.0, wide, {made});
        return made;
    };
    const DType type = backend.field_type();
    const Tensor a = filled({2, 4, 4, 3, 3}, type, 1), b = filled({2, 4, 4, 3, 2}, type, 2);
    const Shape y_shape = geometry.output_shape(a.shape(), 4);
    const Shape w_shape = geometry.transposed ? Shape{5, 3, 3, 3, 4} : Shape{4, 3, 3, 3, 5};
    const Tensor w = filled(w_shape, DType::float32, 3), bias = filled({4}, DType::float32, 4);
    Tensor y = filled(y_shape, type, 5), by_w = filled(w_shape, DType::float32, 6);
    const Tensor by_y = filled(y_shape, type, 7);
    Tensor by_a = filled(a.shape(), type, 8), by_b = filled(b.shape(), type, 9);
    const std::vector<ConstView> inputs{a, b};
    const std::vector<OutputRef> by_inputs{{by_a}, {by_b, 1.0}};
    backend.conv(geometry, inputs, w, bias, {y, 0.5}, Activation::relu());
    backend.conv_data_gradient(geometry, by_y, w, by_inputs);
    backend.conv_weight_gradient(geometry, inputs, by_y, {by_w, 1.0});
    std::vector<float> numbers;
    for (const Tensor* result : {&y, &by_a, &by_b, &by_w}) {
        Tensor wide(backend.memory(), result->shape(), DType::float32);
        backend.fill(wide, 0.0);
        backend.add(1.0, *result, {wide});
        numbers.insert(numbers.end(), wide.view().as<float>(), wide.view().as<float>() + wide.shape().count());
    }
    return numbers;
}

TEST(DnnBackend, ConvolvesAsKernelsDo) {
    const Engines units{{DnnHeuristic::a, {{.notes = {DnnNote::tensor_core}}}}};  // fp32 then goes in three products
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
        for (const bool transposed : {false, true}) {
            for (const Engines& engines : {Engines{}, units}) {
                ConvGeometry geometry = strided;
                geometry.transposed = transposed;
                AskedOfDnn asked;
                const auto kernels = make_kernels_on_host(std::make_unique<CountedMemory>(), precision);
                const auto library = make_kernels_on_host(std::make_unique<CountedMemory>(), precision, nullptr,
                                                          std::make_unique<DnnByDefinition>(&asked, engines));
                const std::vector<float> expected = all_products(*kernels, geometry),
                                         found = all_products(*library, geometry);
                ASSERT_EQ(found.size(), expected.size());
                const float tolerance = precision == Precision::bf16 ? 0.02f : 1e-5f;
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    ASSERT_NEAR(found[i], expected[i], tolerance * (2.0f + std::abs(expected[i])))
                        << "precision " << static_cast<int>(precision) << ", transposed " << transposed << ", " << i;
                }
                const std::size_t products = precision == Precision::bf16 ? 3 : 6;
                EXPECT_EQ(asked.executed.size(),
                          precision == Precision::fp32 && engines.size() == 1 ? 3 * products : products);
            }
        }
    }
}

TEST(DnnBackend, ConvolvesByKernelsWhereCudnnRefuses) {
    AskedOfDnn asked;
    const Engines refusing{{DnnHeuristic::a, {{.execution = DnnByDefinition::not_supported}}}};
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        const auto backend = make_kernels_on_host(std::make_unique<CountedMemory>(), precision, nullptr,
                                                  std::make_unique<DnnByDefinition>(&asked, refusing));
        const DType type = backend->field_type();
        Tensor x(backend->memory(), {1, 3, 3, 3, 2}, type), y(backend->memory(), {1, 3, 3, 3, 4}, type);
        Tensor w(backend->memory(), {4, 3, 3, 3, 2}, DType::float32),
            read(backend->memory(), y.shape(), DType::float32);
        backend->fill(x, 1.0);
        backend->fill(w, 1.0);
        const std::vector<ConstView> inputs{x};
        backend->conv({}, inputs, w, {}, {y}, {});
        backend->fill(read, 0.0);
        backend->add(1.0, y, {read});
        EXPECT_EQ(read.view().as<float>()[13 * 4], 54.0f) << "the cell in the middle";
    }
    EXPECT_THAT(asked.executed, IsEmpty());
    EXPECT_GT(asked.created, 0);
}

}  // namespace
}  // namespace plumecast::testing
