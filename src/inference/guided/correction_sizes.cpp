#include "inference/guided/correction_sizes.hpp"

#include <cmath>
#include <span>

namespace plumecast {
namespace {

/// Of one case; `times` values per cell.
double relative_change(std::span<const float> predicted, std::span<const float> known, std::span<const float> active) {
    const std::size_t times = predicted.size() / active.size();
    double change = 0.0, size = 0.0;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        if (active[i / times] != 0.0F) {
            const auto b = static_cast<double>(known[i]), difference = static_cast<double>(predicted[i]) - b;
            change += difference * difference;
            size += b * b;
        }
    }
    return size > 0.0 ? std::sqrt(change / size) : change > 0.0 ? 1.0 : 0.0;
}

}  // namespace

void CorrectionSizes::add(const std::string& field, const std::vector<std::int64_t>& which, ConstView predicted,
                          ConstView known, ConstView active) {
    std::vector<float>& sizes = sizes_.try_emplace(field, cases_, 0.0F).first->second;
    const auto of = [&](ConstView all, std::size_t i) {
        const auto each = static_cast<std::size_t>(all.shape.count(1, all.shape.rank()));
        return std::span(all.as<float>() + i * each, each);
    };
    for (std::size_t i = 0; i < which.size(); ++i) {
        sizes[static_cast<std::size_t>(which[i])] =
            static_cast<float>(relative_change(of(predicted, i), of(known, i), of(active, i)));
    }
}

void CorrectionSizes::write(FieldsWriter& writer) const {
    for (const auto& [field, sizes] : sizes_) {
        writer.write_per_case("correction_" + field,
                              "relative L2 norm of the network's correction to the reduced physics", sizes);
    }
}

}  // namespace plumecast
