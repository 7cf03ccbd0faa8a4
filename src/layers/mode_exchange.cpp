#include <array>

#include <plumecast/layers/mode_exchange.hpp>

namespace plumecast {

std::int64_t ModeExchange::owned() const {
    const auto rank = static_cast<std::size_t>(ranks_->rank());
    return cuts_[rank + 1] - cuts_[rank];
}

const Exchange& ModeExchange::exchange(const Shape& spectrum) const {
    auto& known = exchanges_[spectrum.text()];
    if (!known) {
        known = std::make_unique<const Exchange>(*ranks_, cut_layout(spectrum, 1, cuts_),
                                                 replicated_layout(spectrum, ranks_->size()));
    }
    return *known;
}

Tensor ModeExchange::summed(Backend& backend, ConstView share) const {
    Tensor own(backend.memory(), share.shape.with(1, owned()), backend.compute_type());
    exchange(share.shape).adjoint(backend, std::array{share}, std::array{Target{own.view()}});
    return own;
}

Tensor ModeExchange::gathered(Backend& backend, ConstView own) const {
    Tensor all(backend.memory(), own.shape.with(1, cuts_.back()), backend.compute_type());
    exchange(all.shape()).forward(backend, std::array{own}, std::array{Target{all.view()}});
    return all;
}

}  // namespace plumecast
