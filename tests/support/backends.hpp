#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/backend/backend.hpp>

#include "support/op_check.hpp"

namespace plumecast::testing {

/// A backend that tests run on. `make` returns nullptr where the hardware is missing; `missing` says what that is.
struct BackendChoice {
    std::string name;
    std::string missing;
    std::function<std::unique_ptr<Backend>()> make;
};

/// Every backend under test: "cpu_1_thread", "cpu_2_threads", "cuda_kernels_on_host", "cuda_kernels_fenced" and
/// cuda_backends().
std::vector<BackendChoice> backends();
/// "cuda", the first CUDA device with 1 GiB of its memory; nothing in a build without CUDA.
std::vector<BackendChoice> cuda_backends();
/// Those whose fields are bfloat16: "cpu_bf16".
std::vector<BackendChoice> bfloat16_backends();
/// backends(), bfloat16_backends() and the CPU's on lower instruction sets, for tests of single ops.
std::vector<BackendChoice> op_backends();
/// Every backend under test and the oracle, for properties that need no second opinion.
std::vector<BackendChoice> backends_and_oracle();
/// What GoogleTest prints of a choice.
void PrintTo(const BackendChoice& choice, std::ostream* out);
/// Names the instances of a test after their backend.
std::string choice_name(const ::testing::TestParamInfo<BackendChoice>& choice);

/// A test run once per backend; skipped, with the reason, where the hardware is missing.
class BackendTest : public ::testing::TestWithParam<BackendChoice> {
   protected:
    void SetUp() override {
        backend_ = GetParam().make();
        if (backend_ == nullptr) {
            GTEST_SKIP() << GetParam().missing;
        }
    }
    Backend& backend() { return *backend_; }
    /// How far an adjoint may be off: 1e-12 in float64, 1e-5 in float32.
    /// What a product of fields and weights may be off where both are bfloat16 factors, else `exact`.
    double product_tolerance(double exact) const {
        return backend_->field_type() == DType::bfloat16 ? bfloat16_tolerance : exact;
    }
    double adjoint_tolerance() const { return backend_->compute_type() == DType::float64 ? 1e-12 : 1e-5; }

   private:
    std::unique_ptr<Backend> backend_;
};

}  // namespace plumecast::testing
