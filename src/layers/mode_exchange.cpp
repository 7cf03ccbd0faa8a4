#include <array>

#include <plumecast/layers/mode_exchange.hpp>

namespace plumecast {

ModeExchange::ModeExchange(const ProcessGrid& grid, std::int64_t modes) {
    for (Communicator* ranks : {&grid.along_y(), &grid.along_x()}) {
        if (ranks->size() > 1 || ranks == &grid.along_x()) {
            stages_.push_back({ranks, balanced_cuts(modes, ranks->size())});
            modes = stages_.back().owned();
        }
    }
}

std::int64_t ModeExchange::Stage::owned() const {
    const auto rank = static_cast<std::size_t>(ranks->rank());
    return cuts[rank + 1] - cuts[rank];
}

std::int64_t ModeExchange::owned() const { return stages_.back().owned(); }

const Exchange& ModeExchange::exchange(std::size_t stage, const Shape& spectrum) const {
    auto& known = exchanges_[std::to_string(stage) + ": " + spectrum.text()];
    if (!known) {
        Communicator& ranks = *stages_[stage].ranks;
        known = std::make_unique<const Exchange>(ranks, cut_layout(spectrum, 1, stages_[stage].cuts),
                                                 replicated_layout(spectrum, ranks.size()));
    }
    return *known;
}

Tensor ModeExchange::summed(Backend& backend, ConstView share) const {
    Tensor own;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        const ConstView before = stage == 0 ? share : std::as_const(own).view();
        Tensor sum(backend.memory(), share.shape.with(1, stages_[stage].owned()), backend.compute_type());
        exchange(stage, before.shape).adjoint(backend, std::array{before}, std::array{Target{sum.view()}});
        own = std::move(sum);
    }
    return own;
}

Tensor ModeExchange::gathered(Backend& backend, ConstView own) const {
    Tensor all;
    for (std::size_t stage = stages_.size(); stage-- > 0;) {
        const ConstView part = stage + 1 == stages_.size() ? own : std::as_const(all).view();
        Tensor more(backend.memory(), own.shape.with(1, stages_[stage].cuts.back()), backend.compute_type());
        exchange(stage, more.shape()).forward(backend, std::array{part}, std::array{Target{more.view()}});
        all = std::move(more);
    }
    return all;
}

}  // namespace plumecast
