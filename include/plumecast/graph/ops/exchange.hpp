#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/distributed/exchange.hpp>
#include <plumecast/graph/op.hpp>

namespace plumecast {

/// What this rank holds of an array, from one layout of the ranks to another: a linear map that copies cells to whoever
/// needs them or, its adjoint, adds them up in rank order. All ranks compute it together. The exchange says which cells
/// go where and knows nothing of fields or modes; what it is used for here:
///   halo   a field on this rank's own cells -> on those that convolutions need
///   modes  the modes that this rank owns -> all of them (gather); adjoint, its partial sums of all modes -> the sums
///          of those that it owns (reduce_scatter)
///   lines  its cells of all lines of an axis -> all cells of its lines (transpose)
///   sums   adjoint, its partial sums of many numbers -> the sums of a part of them (reduce_scatter); these -> all
///          (gather)
struct ExchangeOp {
    static constexpr const char* name = "exchange";
    static constexpr bool is_collective = true;
    enum class Kind { halo, modes, lines, sums };
    Kind kind = Kind::halo;
    bool adjoint = false;
    std::shared_ptr<const Exchange> exchange;
    Shape sent, received;  ///< this rank's array before and after, with the axes of the exchange
    Shape shape;           ///< of the result, as many numbers as `received`

    std::string text() const;
    std::string title() const { return name + (" " + text()); }
    ValueType result(ValueTypes inputs) const;
    /// A second input is not read: the result may take its memory.
    std::vector<int> in_place(std::size_t inputs) const {
        return inputs > 1 ? std::vector<int>{1} : std::vector<int>{};
    }
    void evaluate(Backend& backend, OpInputs inputs, View result) const;
    std::vector<Value> gradient(const Value& result, const Value& g) const;
};

/// The first half of an exchange: this rank's part of the messages sets out. Its result is the memory of the messages
/// [elements]; what is known of those under way belongs to the run, which hands it to finish() of the op that reads it.
struct StartExchangeOp {
    static constexpr const char* name = "start_exchange";
    static constexpr bool is_collective = true;
    ExchangeOp of;

    std::string text() const { return of.text(); }
    std::string title() const { return name + (" " + text()); }
    ValueType result(ValueTypes inputs) const;
    Exchange::PendingExchange start(Backend& backend, OpInputs inputs, View messages) const;
};

/// The second half, which waits for the messages. Inputs the first half, what it sends, which stays in place until
/// then, and, if wanted, what is not read and whose memory the result may take.
struct FinishExchangeOp {
    static constexpr const char* name = "finish_exchange";
    static constexpr bool is_collective = true;
    ExchangeOp of;

    std::string text() const { return of.text(); }
    std::string title() const { return name + (" " + text()); }
    ValueType result(ValueTypes inputs) const { return of.result(inputs.subspan(1)); }
    std::vector<int> in_place(std::size_t inputs) const {
        return inputs > 2 ? std::vector<int>{2} : std::vector<int>{};
    }
    void finish(Exchange::PendingExchange pending, View result) const;
};

}  // namespace plumecast
