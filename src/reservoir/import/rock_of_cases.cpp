#include "reservoir/import/rock_of_cases.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/import/model_notes/effective_porosity.hpp"

namespace plumecast {
namespace {

bool are_near(std::optional<double> one, std::optional<double> other) {
    constexpr double same = 1e-6;  // relative: what depths of another place leave of the same line
    return one.has_value() == other.has_value() &&
           (!one || std::abs(*one - *other) <= same * std::max(std::abs(*one), std::abs(*other)));
}

/// Position of the first number that is not near the first one; their count where there is none.
std::size_t first_other(const std::vector<std::optional<double>>& numbers) {
    const auto found =
        std::ranges::find_if(numbers, [&](std::optional<double> number) { return !are_near(number, numbers.front()); });
    return static_cast<std::size_t>(found - numbers.begin());
}

std::string stated_text(std::optional<double> number) { return number ? number_text(*number) : "not stated"; }

}  // namespace

void RockOfCases::add(const OpenCase& opened) {
    const bool is_radial = opened.shape.geometry == Geometry::radial;
    const bool states_functions =
        opened.values.irreducible_water_saturation.has_value() || opened.values.van_genuchten_lambda.has_value();
    tables_.push_back(is_radial || states_functions ? "" : text_of_tables(opened.model->saturation_tables()));
    has_regions_ = has_regions_ && !tables_.back().empty();
    compressibilities_.push_back(opened.values.rock_compressibility ? opened.values.rock_compressibility
                                                                    : opened.model->rock_compressibility());
    const auto line = temperature_line(*opened.model, opened.shape);
    const bool is_warmer = !opened.values.temperature && line && line->gradient > 0.0;
    gradients_.push_back(opened.values.temperature_gradient ? opened.values.temperature_gradient
                         : is_warmer                        ? std::optional(line->gradient)
                                                            : std::nullopt);
    has_pore_volumes_ = has_pore_volumes_ || !effective_porosity(*opened.model, opened.shape).pore_volumes.empty();
}

std::optional<double> RockOfCases::temperature_gradient(const std::vector<std::string>& sources) const {
    const std::size_t other = first_other(gradients_);
    if (other < gradients_.size()) {
        throw InvalidData(fmt::format(
            "{}: temperature_gradient is {}, that of {} is {} (a data set holds one for all cases); import the cases "
            "apart, or set temperature_gradient",
            sources[other], stated_text(gradients_[other]), sources[0], stated_text(gradients_[0])));
    }
    return gradients_.front();
}

std::optional<double> RockOfCases::compressibility() const {
    return first_other(compressibilities_) < compressibilities_.size() ? std::nullopt : compressibilities_.front();
}

std::vector<std::string> RockOfCases::differences(const std::vector<std::string>& sources) const {
    const std::size_t other = first_other(compressibilities_);
    if (other == compressibilities_.size()) {
        return {};
    }
    return {fmt::format(
        "rock_compressibility is {} ({}) and {} ({}); a data set has one, so none is stated and physics takes its "
        "default (set rock_compressibility, or import the cases apart)",
        stated_text(compressibilities_[0]), sources[0], stated_text(compressibilities_[other]), sources[other])};
}

}  // namespace plumecast
