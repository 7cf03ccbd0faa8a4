#pragma once

#include <span>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/graph/value.hpp>

/// The ops that a graph is made of, one family per file of ops/. Each is a plain struct with
///   name        as the text form shows it, and text(), its attributes;
///   result()    type of the result for inputs of these types; throws Error when they do not fit;
///   evaluate()  the result on a backend, written to memory that holds anything;
///   gradient()  the gradients with respect to the inputs, in their order, from the one with respect to the result;
///   left
///               out where nobody asks for it. Undefined values stand for inputs that take none;
///   in_place()  which inputs the result may overwrite: evaluate() then finds both at the same memory; left out where
///               none may be;
///   pack()      forms of inputs that stay as they are, in which the backend reads them; these inputs have data, the
///               others and the result none. Left out where all are read as they are;
///   further_results()
///               types of what an op gives beside its result; evaluate() then takes their memory as well, without data
///               where nobody reads one. Left out where the result is all.
/// Ops of messages under way have start() or finish() in place of evaluate().
/// Fields are channels-last, [B, axes..., C].
namespace plumecast {

/// The element type that a type of a graph becomes on a backend: float32 its compute_type(), bfloat16 its field_type().
DType on_backend(const Backend& backend, DType type);

/// Types of the inputs of an op.
using ValueTypes = std::span<const ValueType>;
/// Arrays of the inputs of an op, in the memory of its backend.
using OpInputs = std::span<const ConstView>;

/// Forms of one of the inputs of an op.
struct PackedInput {
    std::size_t input;
    PackedForms forms;
};

/// What a linear op does with its result before writing it: f(op + addend), so that nothing is added or activated in a
/// pass over memory of its own. The addend, of the type of the result, is the last input.
struct Fused {
    bool addend = false;
    Activation activation = Activation::identity();

    bool is_nothing() const { return !addend && activation.is_identity(); }
    /// " + addend leaky_relu 0.1", or nothing.
    std::string text() const;
    /// The inputs without the addend.
    template <class Inputs>
    Inputs without_addend(Inputs inputs) const {
        return inputs.first(inputs.size() - (addend ? 1 : 0));
    }
    /// The type of the op's result. Throws Error unless the addend is of this type.
    ValueType checked(ValueTypes inputs, const ValueType& result) const;
    /// The number of the addend among so many inputs: the result may take its memory.
    std::vector<int> in_place(std::size_t inputs) const;
    /// Where the op writes: memory that holds the addend, as the one input that is not its own.
    OutputRef target(Backend& backend, OpInputs inputs, View result) const;
};

/// The same of an op that can add, but not activate.
struct Accumulated {
    bool addend = false;

    std::string text() const { return Fused{addend}.text(); }
    template <class Inputs>
    Inputs without_addend(Inputs inputs) const {
        return Fused{addend}.without_addend(inputs);
    }
    ValueType checked(ValueTypes inputs, const ValueType& result) const {
        return Fused{addend}.checked(inputs, result);
    }
    std::vector<int> in_place(std::size_t inputs) const { return Fused{addend}.in_place(inputs); }
    OutputRef target(Backend& backend, OpInputs inputs, View result) const {
        return Fused{addend}.target(backend, inputs, result);
    }
};

/// For an op that adds up numbers of cells, of which a rank may have none: whether that is so, and the target then
/// holds the sum.
bool is_empty_sum(Backend& backend, ConstView cells, OutputRef target);

}  // namespace plumecast
