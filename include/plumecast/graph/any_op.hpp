#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <plumecast/distributed/exchange.hpp>
#include <plumecast/graph/op.hpp>

namespace plumecast {

class Op;

/// Where an op computes. `started` takes what it leaves under way; `awaited` is what the op of its first input left.
struct OpRun {
    Backend& backend;
    OpInputs inputs;
    View result;
    std::span<const View> further;  ///< results, without data where nobody reads one
    Exchange::PendingExchange& started;
    Exchange::PendingExchange& awaited;
};

/// Throws Error that an op of this name has no gradient.
[[noreturn]] void refuse_gradient(const char* name);

/// What graphs, passes and plans ask of an op, whatever its kind: the members of its struct that op.hpp lists, or the
/// defaults said here.
class OpProperties {
   public:
    virtual ~OpProperties() = default;
    virtual std::string name() const = 0;
    virtual std::string title() const = 0;
    virtual std::string text() const = 0;
    /// The name under which an input, weight or constant is given; nullptr for what is computed.
    virtual const std::string* given() const = 0;
    virtual bool is_collective() const = 0;
    virtual ValueType result(ValueTypes inputs) const = 0;
    virtual std::vector<ValueType> further_results(ValueTypes inputs) const = 0;
    virtual std::vector<Value> gradient(const Value& result, const Value& g) const = 0;
    /// Nothing where something is given, or is a further result.
    virtual void run(const OpRun& run) const = 0;
    virtual std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const = 0;
    virtual std::vector<int> in_place(std::size_t inputs) const = 0;
    virtual double operations(ValueTypes inputs, const Shape& result) const = 0;
    /// 0 where an addend is fused, whose cells would have to be the same.
    virtual std::size_t fields() const = 0;
    virtual Shape needed(const Shape& field, const Shape& result) const = 0;
    virtual double taps() const = 0;
    virtual bool is_by_cell() const = 0;
    virtual const ConvGeometry* neighbours() const = 0;
    virtual Op with_neighbours(const ConvGeometry& own) const = 0;
    virtual std::optional<Op> merging(double values, Communicator& ranks) const = 0;
    virtual Op giving(const Shape& fields, const Shape& wanted) const = 0;
    virtual std::optional<Op> cropped(const Shape& box) const = 0;
    virtual bool reads_wide() const = 0;
    /// The op with a bfloat16 result; that adds an addend, which it does when it does nothing more yet; that activates
    /// its result.
    virtual std::optional<Op> narrowed() const = 0;
    virtual std::optional<Op> with_addend() const = 0;
    virtual std::optional<Op> activated(Activation activation) const = 0;
    virtual Value lowered(const std::vector<Value>& inputs) const = 0;
};

/// Any op of a graph: a struct as op.hpp describes it. A value; copies share the struct.
class Op {
   public:
    template <class Kind>
    requires requires { Kind::name; }
    Op(Kind kind);

    const OpProperties* operator->() const { return properties_.get(); }
    /// The struct where it is of this kind, else nullptr. For passes that are about some kinds of ops; what can be
    /// asked of all ops is a property.
    template <class Kind>
    const Kind* as() const;
    template <class Kind>
    bool is() const {
        return as<Kind>() != nullptr;
    }

   private:
    std::shared_ptr<const OpProperties> properties_;
};

/// The value of an op applied to others of one graph, one at least.
Value applied(Op op, const std::vector<Value>& inputs);

/// Calls `call` with the op where it is one of these kinds, and returns whether it is.
template <class... Kinds, class Call>
bool as_one_of(const Op& op, const Call& call) {
    const auto try_one = [&](const auto* kind) { return kind != nullptr && (call(*kind), true); };
    return (try_one(op.as<Kinds>()) || ...);
}

/// The properties of the ops of a kind: the members that it has, the defaults where it has none.
template <class Kind>
class PropertiesOf final : public OpProperties {
   public:
    explicit PropertiesOf(Kind kind) : kind_(std::move(kind)) {}
    const Kind& kind() const { return kind_; }

    std::string name() const override { return Kind::name; }
    std::string title() const override {
        return asked<std::string>([&](const auto& op) -> decltype(op.title()) { return op.title(); }, Kind::name);
    }
    std::string text() const override {
        return asked<std::string>([&](const auto& op) -> decltype(op.text()) { return op.text(); });
    }
    const std::string* given() const override {
        if constexpr (requires { kind_.of.size(); }) {
            return &kind_.of;
        }
        return nullptr;
    }
    bool is_collective() const override {
        return requires { Kind::is_collective; };
    }
    ValueType result(ValueTypes inputs) const override { return kind_.result(inputs); }
    std::vector<ValueType> further_results(ValueTypes inputs) const override {
        return asked<std::vector<ValueType>>(
            [&](const auto& op) -> decltype(op.further_results(inputs)) { return op.further_results(inputs); });
    }
    std::vector<Value> gradient(const Value& result, const Value& g) const override {
        if constexpr (requires { kind_.gradient(result, g); }) {
            return kind_.gradient(result, g);
        }
        refuse_gradient(Kind::name);
    }
    void run(const OpRun& run) const override {
        if constexpr (requires { kind_.evaluate(run.backend, run.inputs, run.result, run.further); }) {
            kind_.evaluate(run.backend, run.inputs, run.result, run.further);
        } else if constexpr (requires { kind_.evaluate(run.backend, run.inputs, run.result); }) {
            kind_.evaluate(run.backend, run.inputs, run.result);
        } else if constexpr (requires { kind_.start(run.backend, run.inputs, run.result); }) {
            run.started = kind_.start(run.backend, run.inputs, run.result);
        } else if constexpr (requires { kind_.finish(std::move(run.awaited), run.result); }) {
            kind_.finish(std::move(run.awaited), run.result);
        }
    }
    std::vector<PackedInput> pack(Backend& backend, OpInputs inputs, View result) const override {
        return asked<std::vector<PackedInput>>([&](const auto& op) -> decltype(op.pack(backend, inputs, result)) {
            return op.pack(backend, inputs, result);
        });
    }
    std::vector<int> in_place(std::size_t inputs) const override {
        return asked<std::vector<int>>(
            [&](const auto& op) -> decltype(op.in_place(inputs)) { return op.in_place(inputs); },
            fused().in_place(inputs));
    }
    double operations(ValueTypes inputs, const Shape& result) const override {
        return asked<double>(
            [&](const auto& op) -> decltype(op.operations(inputs, result)) { return op.operations(inputs, result); },
            static_cast<double>(result.count()));
    }
    std::size_t fields() const override { return fused().addend ? 0 : own_fields(); }
    Shape needed(const Shape& field, const Shape& result) const override {
        return asked<Shape>(
            [&](const auto& op) -> decltype(op.needed(field, result)) { return op.needed(field, result); },
            result.with(-1, field[-1]));
    }
    double taps() const override {
        return asked<double>([&](const auto& op) -> decltype(op.taps()) { return op.taps(); }, 0.0);
    }
    bool is_by_cell() const override {
        return asked<bool>([](const auto& op) -> decltype(op.is_by_cell()) { return op.is_by_cell(); },
                           own_fields() > 0 && neighbours() == nullptr);
    }
    const ConvGeometry* neighbours() const override {
        return asked<const ConvGeometry*>([](const auto& op) -> decltype(op.neighbours()) { return op.neighbours(); });
    }
    Op with_neighbours(const ConvGeometry& own) const override {
        return asked<Op>([&](const auto& op) -> decltype(op.with_neighbours(own)) { return op.with_neighbours(own); },
                         kind_);
    }
    std::optional<Op> merging(double values, Communicator& ranks) const override {
        if constexpr (requires { kind_.merging(values, ranks); }) {
            return kind_.merging(values, ranks);
        }
        return {};
    }
    Op giving(const Shape& fields, const Shape& wanted) const override {
        return asked<Op>(
            [&](const auto& op) -> decltype(op.giving(fields, wanted)) { return op.giving(fields, wanted); }, kind_);
    }
    std::optional<Op> cropped(const Shape& box) const override {
        if constexpr (requires { kind_.cropped(box); }) {
            return kind_.cropped(box);
        }
        return {};
    }
    bool reads_wide() const override {
        return requires { Kind::reads_wide; };
    }
    std::optional<Op> narrowed() const override {
        if constexpr (requires { Kind::chooses_type; }) {
            Kind narrow = kind_;
            narrow.type = DType::bfloat16;
            return narrow;
        }
        return {};
    }
    std::optional<Op> with_addend() const override {
        Kind adding = kind_;
        if constexpr (requires { kind_.fused; }) {
            adding.fused.addend = true;
            return kind_.fused.is_nothing() ? std::optional<Op>(adding) : std::nullopt;
        } else if constexpr (requires { kind_.accumulated; }) {
            adding.accumulated.addend = true;
            return kind_.accumulated.addend ? std::nullopt : std::optional<Op>(adding);
        }
        return {};
    }
    std::optional<Op> activated(Activation activation) const override {
        Kind active = kind_;
        if constexpr (requires { kind_.fused; }) {
            active.fused.activation = activation;
            return kind_.fused.activation.is_identity() ? std::optional<Op>(active) : std::nullopt;
        } else if constexpr (requires { Kind::fuses_activation; }) {
            active.activation = activation;
            return kind_.activation.is_identity() ? std::optional<Op>(active) : std::nullopt;
        }
        return {};
    }
    Value lowered(const std::vector<Value>& inputs) const override {
        return asked<Value>([&](const auto& op) -> decltype(op.lowered(inputs)) { return op.lowered(inputs); });
    }

   private:
    /// What `ask` finds in the struct, or `otherwise` where it lacks the member.
    template <class Result, class Ask>
    Result asked(const Ask& ask, Result otherwise = {}) const {
        if constexpr (std::invocable<const Ask&, const Kind&>) {
            return ask(kind_);
        } else {
            return otherwise;
        }
    }
    std::size_t own_fields() const {
        return asked<std::size_t>([](const auto& op) -> decltype(op.fields()) { return op.fields(); });
    }
    Fused fused() const {
        if constexpr (requires { kind_.fused; }) {
            return kind_.fused;
        } else if constexpr (requires { kind_.accumulated; }) {
            return kind_.accumulated;
        }
        return {};
    }

    Kind kind_;
};

template <class Kind>
requires requires { Kind::name; }
Op::Op(Kind kind) : properties_(std::make_shared<const PropertiesOf<Kind>>(std::move(kind))) {}

template <class Kind>
const Kind* Op::as() const {
    const OpProperties& any = *properties_;
    return typeid(any) == typeid(PropertiesOf<Kind>) ? &static_cast<const PropertiesOf<Kind>&>(any).kind() : nullptr;
}

}  // namespace plumecast
