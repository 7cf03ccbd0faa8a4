#pragma once

#include <span>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/graph/value.hpp>

/// The ops that a graph is made of, one family per file of ops/. Each is a plain struct that says what it is; nothing
/// else has a list of ops. It has
///   name        as the text form shows it
///   result()    type of the result for inputs of these types; throws Error when they do not fit
///   evaluate()  the result on a backend, written to memory that holds anything; start() or finish() of messages
///   lowered()   in place of it, the same as a value of other ops: all others are undefined
/// and, where it is not as said here,
///   text(), title()
///               its attributes: none; how lists of ops show it: by its name
///   gradient()  the gradients with respect to the inputs, in their order, from the one with respect to the result;
///               undefined for inputs that take none. Throws Error: nobody asks for it
///   in_place()  which inputs the result may overwrite, where evaluate() then finds both: the addend it can take in, if
///               any
///   pack()      forms of inputs that stay as they are, in which the backend reads them; these inputs have data,
///               the others and the result none: all are read as they are
///   further_results()
///               types of what it gives beside its result; evaluate() then takes their memory as well, without data
///               where nobody reads one: nothing
///   operations()  of floating point: one for each number of the result
///   fields()    how many of its first inputs are fields of which it reads, for a cell of its result, that cell: none,
///               it may need all cells of all inputs
///   needed()    the first cells of such a field that first cells of the result are made from, and giving(), the op
///               that gives these: as many; itself
///   taps()      how often it multiplies a number of a field for a channel of the result: never
///   cropped()   the op that gives the first cells of its result alone, and works less: there is none
///   is_by_cell()  whether ranks that hold parts of its fields compute it each alone: where it has fields() and no
///               neighbours()
///   neighbours()  the geometry in which it reads cells that other ranks hold, and with_neighbours(), the op of another
///               geometry: none
///   merging()   the op that makes one of the results of ranks, of so many values each: there is none
///   is_collective, chooses_type, reads_wide
///               there where all ranks compute it together, so that each has to come to it, in one order; where it has
///               a `type` of its result that may be bfloat16; where its inputs are not to be
///   fused, accumulated, fuses_activation
///               what it can do with its result before writing it; where it has an `activation` of its result alone.
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
using Accumulated = Fused;

/// For an op that adds up numbers of cells, of which a rank may have none: whether that is so, and the target then
/// holds the sum.
bool is_empty_sum(Backend& backend, ConstView cells, OutputRef target);

}  // namespace plumecast
