#include <algorithm>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/tensor.hpp>

namespace plumecast {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

Tensor counting() { return host_tensor<float>({3, 2}, std::vector<float>{0, 1, 2, 3, 4, 5}); }

TEST(DType, KnowsSizeAndName) {
    EXPECT_EQ(size_of(DType::float32), 4u);
    EXPECT_EQ(size_of(DType::float64), 8u);
    EXPECT_EQ(name_of(DType::float32), "float32");
    EXPECT_EQ(name_of(DType::float64), "float64");
    EXPECT_EQ(dtype_of<double>(), DType::float64);
}

TEST(Tensor, HoldsTheGivenElements) {
    const Tensor tensor = counting();
    EXPECT_EQ(tensor.shape(), (Shape{3, 2}));
    EXPECT_EQ(tensor.type(), DType::float32);
    EXPECT_EQ(tensor.bytes(), 24u);
    EXPECT_THAT(tensor.values<float>(), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Tensor, IsZeroFilledWhenAskedFor) {
    const Tensor zeros = host_zeros({4, 5}, DType::float64);
    EXPECT_EQ(zeros.values<double>().size(), 20u);
    EXPECT_THAT(zeros.values<double>(), Each(0.0));
}

TEST(Tensor, RefusesAnotherElementType) {
    Tensor tensor = counting();
    EXPECT_THROW(tensor.values<double>(), Error);
    EXPECT_THROW(tensor.view().as<double>(), Error);
    EXPECT_THROW(std::as_const(tensor).view().as<double>(), Error);
}

TEST(Tensor, RefusesAWrongNumberOfValues) {
    EXPECT_THROW(host_tensor<float>({2, 2}, std::vector<float>{1, 2, 3}), Error);
}

TEST(Tensor, GivesItsElementsAwayWhenMoved) {
    Tensor first = counting();
    const void* data = first.view().data;
    const Tensor second = std::move(first);
    EXPECT_TRUE(first.empty());  // NOLINT: the moved-from state is what is tested
    EXPECT_EQ(second.view().data, data);
}

TEST(Tensor, MayHaveNoElements) {
    const Tensor none = host_zeros({3, 0, 2});
    EXPECT_EQ(none.bytes(), 0u);
    EXPECT_TRUE(none.values<float>().empty());
}

TEST(View, TakesRowsOfTheSlowestAxis) {
    Tensor tensor = counting();
    const View rows = tensor.view().rows(1, 3);
    EXPECT_EQ(rows.shape, (Shape{2, 2}));
    EXPECT_EQ(rows.as<float>()[0], 2.0f);
    rows.as<float>()[3] = 9.0f;
    EXPECT_EQ(tensor.values<float>()[5], 9.0f);
    EXPECT_EQ(tensor.view().rows(2, 2).shape, (Shape{0, 2}));
}

TEST(View, RefusesRowsOutside) {
    Tensor tensor = counting();
    EXPECT_THROW(tensor.view().rows(1, 4), Error);
    EXPECT_THROW(tensor.view().rows(-1, 2), Error);
    EXPECT_THROW(tensor.view().rows(2, 1), Error);
    EXPECT_THROW((View{Shape{}, DType::float32, nullptr}.rows(0, 0)), Error);
}

TEST(View, ReshapesToAnEqualCountOnly) {
    Tensor tensor = counting();
    EXPECT_EQ(tensor.view().reshaped({6}).shape, Shape{6});
    EXPECT_THROW(tensor.view().reshaped({5}), Error);
}

TEST(ConstView, ReadsWhatAViewWrites) {
    Tensor tensor = counting();
    const ConstView read = tensor.view();
    EXPECT_EQ(read.rows(2, 3).reshaped({2}).as<float>()[1], 5.0f);
}

TEST(PackedForms, AreFoundByNameThroughAViewOfTheWholeArray) {
    Tensor tensor = counting();
    PackedForms forms;
    EXPECT_TRUE(forms.empty());
    forms.add("narrow", host_zeros({3, 2}, DType::bfloat16));
    forms.add("padded", host_zeros({4, 4}));
    EXPECT_EQ(forms.bytes(), 6 * 2 + 16 * 4u);
    ConstView x = tensor.view();
    Tensor scratch;
    const auto make = [] { return host_zeros({1}); };
    EXPECT_EQ(form_of(x, "padded", scratch, make).shape, Shape{1}) << "nothing is kept of it";
    x.packed = &forms;
    Tensor unused;
    EXPECT_EQ(form_of(x.reshaped({6}), "padded", unused, make).shape, (Shape{4, 4}));
    EXPECT_TRUE(unused.empty());
    EXPECT_EQ(form_of(x, "of another name", scratch, make).shape, Shape{1});
    EXPECT_EQ(x.rows(0, 1).packed, nullptr) << "what is kept is of all rows";
}

TEST(Tensor, GivesNumbersOfEitherPrecision) {
    const std::vector<float> narrow = {1.0F, 0.1F};
    const std::vector<double> wide = {1.0, 0.1};
    EXPECT_EQ(host_tensor<float>({2}, narrow).number(1), static_cast<double>(0.1F));
    EXPECT_EQ(host_tensor<double>({2}, wide).number(1), 0.1);
    EXPECT_THROW(host_zeros({2}, DType::bfloat16).number(1), Error);
}

TEST(PackedForms, OfAFormAreFoundThroughItsView) {
    PackedForms of_part, forms;
    of_part.add("narrow", host_zeros({3}, DType::bfloat16));
    forms.add("part", host_zeros({3}), std::move(of_part));
    forms.add("other part", host_zeros({3}));
    EXPECT_EQ(forms.bytes(), 3 * 2 + 6 * 4u);
    const PackedForms kept = std::move(forms);
    ASSERT_NE(kept.find("part").packed, nullptr);
    EXPECT_EQ(kept.find("part").packed->find("narrow").type, DType::bfloat16);
    EXPECT_EQ(kept.find("other part").packed, nullptr);
}

}  // namespace
}  // namespace plumecast
