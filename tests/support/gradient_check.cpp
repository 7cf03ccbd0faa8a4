#include "support/gradient_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

struct Case {
    const Operation& operation;
    const std::vector<Shape>& inputs;
    const std::vector<std::size_t>& constant;

    bool wanted(std::size_t i) const { return std::ranges::find(constant, i) == constant.end(); }
    std::vector<Variable> leaves(Backend& backend, bool with_gradients) const {
        std::vector<Variable> result;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            result.push_back(
                random_leaf(backend, inputs[i], "input " + std::to_string(i), with_gradients && wanted(i)));
        }
        return result;
    }
};

/// Value, then the gradients of the wanted inputs; empty tensors for the others.
std::vector<Tensor> value_and_gradients(const Case& check, Backend& backend) {
    const std::vector<Variable> leaves = check.leaves(backend, true);
    std::vector<Tensor> results;
    {
        const Variable y = check.operation(leaves);
        results.push_back(on_host(y, y.value()));
        backward(y, cotangent(backend, y.shape()));
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        EXPECT_EQ(leaves[i].has_gradient(), check.wanted(i)) << "input " << i;
        results.push_back(leaves[i].has_gradient() ? on_host(leaves[i], leaves[i].gradient()) : Tensor());
    }
    return results;
}

void expect_same_value_untaped(const Case& check, Backend& backend, ConstView value, double tolerance) {
    const Variable y = check.operation(check.leaves(backend, false));
    EXPECT_FALSE(y.requires_grad());
    expect_close(on_host(y, y.value()), value, tolerance, backend.description() + ", value without tape");
}

void expect_differences(const Case& check, Backend& oracle, const std::vector<Tensor>& right) {
    const std::vector<Variable> leaves = check.leaves(oracle, false);
    const Tensor direction = cotangent(oracle, right[0].shape());
    const auto loss = [&] {
        const Variable y = check.operation(leaves);
        return dot(y.value(), direction);
    };
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (check.wanted(i)) {
            SCOPED_TRACE("input " + std::to_string(i));
            expect_gradient(leaves[i].mutable_value(), loss, right[i + 1], 1e-7, 1e-6);
        }
    }
}

}  // namespace

Tensor on_host(const Variable& owner, ConstView values) {
    Tensor host = host_zeros(values.shape, DType::float64);
    owner.backend().download(values, host);
    return host;
}

Variable random_leaf(Backend& backend, const Shape& shape, const std::string& name, bool requires_grad) {
    Tensor value(backend.memory(), shape, backend.compute_type());
    backend.upload(random_tensor(shape, DType::float32, name), value);
    return Variable(backend, std::move(value), requires_grad);
}

Tensor cotangent(Backend& backend, const Shape& shape) {
    Tensor value(backend.memory(), shape, backend.compute_type());
    backend.upload(random_tensor(shape, DType::float32, "cotangent"), value);
    return value;
}

void expect_gradients(const Operation& operation, const std::vector<Shape>& inputs,
                      const std::vector<std::size_t>& constant) {
    const Case check{operation, inputs, constant};
    const auto oracle = make_oracle_backend();
    const std::vector<Tensor> right = value_and_gradients(check, *oracle);
    expect_same_value_untaped(check, *oracle, right[0], 1e-14);
    expect_differences(check, *oracle, right);
    for (const BackendChoice& choice : backends()) {
        const auto backend = choice.make();
        if (backend == nullptr) {
            continue;
        }
        const std::vector<Tensor> tried = value_and_gradients(check, *backend);
        for (std::size_t k = 0; k < tried.size(); ++k) {
            if (!tried[k].empty()) {
                expect_close(tried[k], right[k], 1e-5,
                             choice.name + (k == 0 ? ", value" : ", gradient " + std::to_string(k - 1)));
            }
        }
        expect_same_value_untaped(check, *backend, right[0], 1e-5);
    }
}

}  // namespace plumecast::testing
