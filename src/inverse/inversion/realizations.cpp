#include "inverse/inversion/realizations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/cases/case_content.hpp"

namespace plumecast {
namespace {

constexpr std::int64_t fewest_members = 10;

std::vector<std::int64_t> counting(std::int64_t first, std::int64_t count) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

bool is_of_cases(const ArraySpec& spec) { return !spec.axes.empty() && spec.axes[0] == Axis::cases; }

std::vector<float> some_rows(const std::vector<float>& all, std::int64_t cases, std::int64_t first,
                             std::int64_t count) {
    const auto per_case = static_cast<std::int64_t>(all.size()) / cases;
    return {all.begin() + first * per_case, all.begin() + (first + count) * per_case};
}

std::vector<float> map_of_cases(const Dataset& dataset, std::string_view name, std::int64_t first, std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count * dataset.cells()));
    dataset.read_map(name, counting(first, count), values);
    return values;
}

/// An input that an inversion may change. Throws InvalidInput.
const ArraySpec& changeable(const std::string& name, Geometry geometry) {
    std::vector<std::string> names;
    for (const ArraySpec& spec : dataset_arrays(geometry)) {
        const bool shapes_the_case = spec.name() == "active" || spec.name() == "perforation" ||
                                     spec.name() == "thickness" || spec.name() == "cell_injection_rate" ||
                                     (spec.name() == "injection_rate" && geometry == Geometry::cartesian) ||
                                     spec.name() == "saturation_region" || spec.name() == "well_connection_factor" ||
                                     spec.name().starts_with("transmissibility");
        if ((spec.role == Role::map || spec.role == Role::scalar) && !shapes_the_case) {
            names.emplace_back(spec.name());
        }
    }
    if (std::ranges::find(names, name) == names.end()) {
        const std::string near = nearest(name, names);
        throw InvalidInput(fmt::format("configuration entry 'unknown' names '{}' (what can be unknown is {}); {}", name,
                                       fmt::join(names, ", "),
                                       near.empty() ? "name one of them" : "did you mean '" + near + "'?"));
    }
    return *find_array(name, geometry);
}

/// Whether a case states connection factors of wells, where they are not Peaceman's.
bool states_wells(const DatasetContent& base) {
    const auto factors = base.arrays.find("well_connection_factor");
    return factors != base.arrays.end() &&
           std::ranges::any_of(factors->second, [](float factor) { return factor > 0.0F; });
}

void require_same_grid(const Dataset& base, const Dataset& prior) {
    const auto differ = [&](const char* axis, const std::vector<double>& a, const std::vector<double>& b) {
        const bool are_close = a.size() == b.size() && std::ranges::equal(a, b, [](double x, double y) {
                                   return std::abs(x - y) <= 1e-6 * std::max(1.0, std::abs(x));
                               });
        if (!are_close) {
            throw InvalidData(fmt::format(
                "{}: its {} are not those of {} ({} edges and {}; realizations are of the case's grid); make them on "
                "that grid",
                prior.path(), axis, base.path(), b.size(), a.size()));
        }
    };
    if (base.geometry() != prior.geometry()) {
        throw InvalidData(prior.path() + ": its grid is of another kind than that of " + base.path() +
                          " (one is radial, one Cartesian); make realizations on the case's grid");
    }
    differ("z_edges", base.z_edges(), prior.z_edges());
    differ("y_edges", base.y_edges(), prior.y_edges());
    differ(base.geometry() == Geometry::radial ? "r_edges" : "x_edges", base.last_edges(), prior.last_edges());
}

}  // namespace

Realizations::Realizations(const Dataset& base, std::int64_t which, const Dataset& prior,
                           const std::vector<std::string>& unknown, std::int64_t members)
    : cells_(base.cells()) {
    if (which < 0 || which >= base.cases()) {
        throw InvalidInput(
            fmt::format("{}: there is no case {} (it holds {}, counted from 0); correct the entry "
                        "case_index",
                        base.path(), which, counted(base.cases(), "case")));
    }
    require_same_grid(base, prior);
    members_ = members == 0 ? prior.cases() : members;
    if (members_ < fewest_members || members_ > prior.cases()) {
        throw InvalidInput(fmt::format("{}: holds {} ({} members are asked for, and {} are the fewest); make more",
                                       prior.path(), counted(prior.cases(), "realization"), members_, fewest_members));
    }
    numbers_ = counting(0, members_);
    base_ = inputs_of(base, which, 1);
    const std::vector<float>& active = base_.arrays.at("active");
    for (std::int64_t cell = 0; cell < cells_; ++cell) {
        if (active[static_cast<std::size_t>(cell)] != 0.0F) {
            active_.push_back(cell);
        }
    }
    for (std::int64_t member = 0; member < members_; ++member) {
        const std::vector<float> of_member = map_of_cases(prior, "active", member, 1);
        const auto lacks = [&](std::int64_t cell) { return of_member[static_cast<std::size_t>(cell)] == 0.0F; };
        if (std::ranges::any_of(active_, lacks)) {
            throw InvalidData(
                fmt::format("{}: case {} lacks cells that are active in case {} of {} (of a thinner "
                            "formation, say); make realizations with the case's active cells",
                            prior.path(), member, which, base.path()));
        }
    }
    for (const std::string& name : unknown) {
        const ArraySpec& spec = changeable(name, base.geometry());
        if (!base.has(name) || !prior.has(name)) {
            throw InvalidData(fmt::format("{}: has no {} (the entry unknown names it); write it into the file",
                                          (base.has(name) ? prior : base).path(), name));
        }
        Unknown one{name, spec.role == Role::map, name.starts_with("permeability"), spec.low, spec.high, {}};
        if (one.is_logarithm && base.has("transmissibility_x")) {
            throw InvalidData(
                fmt::format("{}: states /inputs/transmissibility_x, _y and _z (by which its physics computes flow, "
                            "whatever {} is); "
                            "leave them out where they follow from the permeability, or take {} from unknown",
                            base.path(), name, name));
        }
        if (one.is_logarithm && name != "permeability_z" && states_wells(base_)) {
            throw InvalidData(
                fmt::format("{}: states /inputs/well_connection_factor (by which its physics lets CO2 flow from wells, "
                            "whatever {} is); leave it out where wells may count as vertical, or take {} from unknown",
                            base.path(), name, name));
        }
        if (name == "porosity" && base.has("pore_volume")) {
            throw InvalidData(
                base.path() +
                ": states /inputs/pore_volume (which its physics takes in the place of the porosity); name "
                "pore_volume in unknown, or leave it out of the file");
        }
        one.values = one.is_map ? map_of_cases(prior, name, 0, members_)
                                : some_rows(prior.scalar(name), prior.cases(), 0, members_);
        // A thicker realization has rock where the case has none.
        for (std::size_t i = 0; one.is_map && i < one.values.size(); ++i) {
            one.values[i] = active[i % active.size()] == 0.0F ? 0.0F : one.values[i];
        }
        unknown_.push_back(std::move(one));
    }
    const Eigen::MatrixXd values = parameters();
    Eigen::Index row = 0;
    for (const Unknown& one : unknown_) {
        const auto rows = static_cast<Eigen::Index>(rows_of(one));
        const auto block = values.middleRows(row, rows);
        if (!block.allFinite()) {
            throw InvalidData(
                fmt::format("{}: {} is not a usable number in an active cell (it is changed{}); correct "
                            "it",
                            prior.path(), one.name, one.is_logarithm ? " as a logarithm" : ""));
        }
        if ((block.colwise() - block.col(0)).cwiseAbs().maxCoeff() == 0.0) {
            throw InvalidData(
                fmt::format("{}: {} is the same in all {} members (the entry unknown names it); let it "
                            "vary, or take it from unknown",
                            prior.path(), one.name, members_));
        }
        row += rows;
    }
}

std::int64_t Realizations::cells_of(const Unknown& unknown) const { return unknown.is_map ? cells_ : 1; }

std::int64_t Realizations::rows_of(const Unknown& unknown) const {
    return unknown.is_map ? static_cast<std::int64_t>(active_.size()) : 1;
}

Eigen::MatrixXd Realizations::parameters() const {
    Eigen::Index rows = 0;
    for (const Unknown& one : unknown_) {
        rows += static_cast<Eigen::Index>(rows_of(one));
    }
    Eigen::MatrixXd result(rows, static_cast<Eigen::Index>(members_));
    for (std::int64_t member = 0; member < members_; ++member) {
        Eigen::Index row = 0;
        for (const Unknown& one : unknown_) {
            for (std::int64_t i = 0; i < rows_of(one); ++i) {
                const std::int64_t cell = one.is_map ? active_[static_cast<std::size_t>(i)] : 0;
                const auto value =
                    static_cast<double>(one.values[static_cast<std::size_t>(member * cells_of(one) + cell)]);
                result(row++, static_cast<Eigen::Index>(member)) = one.is_logarithm ? std::log(value) : value;
            }
        }
    }
    return result;
}

std::int64_t Realizations::set_parameters(const Eigen::MatrixXd& parameters) {
    std::int64_t clipped = 0;
    for (std::int64_t member = 0; member < members_; ++member) {
        Eigen::Index row = 0;
        for (Unknown& one : unknown_) {
            for (std::int64_t i = 0; i < rows_of(one); ++i) {
                const std::int64_t cell = one.is_map ? active_[static_cast<std::size_t>(i)] : 0;
                const double changed = parameters(row++, static_cast<Eigen::Index>(member));
                const double value = one.is_logarithm ? std::exp(changed) : changed;
                const double within = std::clamp(value, one.low, one.high);
                clipped += within == value ? 0 : 1;
                one.values[static_cast<std::size_t>(member * cells_of(one) + cell)] = static_cast<float>(within);
            }
        }
    }
    return clipped;
}

void Realizations::drop(const std::vector<std::int64_t>& places) {
    const auto is_kept = [&](std::int64_t member) { return !std::ranges::binary_search(places, member); };
    std::vector<std::int64_t> numbers;
    for (Unknown& one : unknown_) {
        std::vector<float> values;
        for (std::int64_t member = 0; member < members_; ++member) {
            if (is_kept(member)) {
                const std::vector<float> some = some_rows(one.values, members_, member, 1);
                values.insert(values.end(), some.begin(), some.end());
            }
        }
        one.values = std::move(values);
    }
    for (std::int64_t member = 0; member < members_; ++member) {
        if (is_kept(member)) {
            numbers.push_back(numbers_[static_cast<std::size_t>(member)]);
        }
    }
    numbers_ = std::move(numbers);
    members_ = static_cast<std::int64_t>(numbers_.size());
}

void Realizations::resize(std::int64_t members) {
    for (Unknown& one : unknown_) {
        std::vector<float> values;
        for (std::int64_t member = 0; member < members; ++member) {
            const std::vector<float> some = some_rows(one.values, members_, member % members_, 1);
            values.insert(values.end(), some.begin(), some.end());
        }
        one.values = std::move(values);
    }
    std::vector<std::int64_t> numbers;
    for (std::int64_t member = 0; member < members; ++member) {
        numbers.push_back(numbers_[static_cast<std::size_t>(member % members_)]);
    }
    numbers_ = std::move(numbers);
    members_ = members;
}

Realizations Realizations::only(std::int64_t place) const {
    Realizations one;
    one.base_ = base_;
    one.active_ = active_;
    one.cells_ = cells_;
    one.members_ = 1;
    one.numbers_ = {numbers_[static_cast<std::size_t>(place)]};
    for (const Unknown& unknown : unknown_) {
        one.unknown_.push_back({unknown.name, unknown.is_map, unknown.is_logarithm, unknown.low, unknown.high,
                                some_rows(unknown.values, members_, place, 1)});
    }
    return one;
}

Eigen::VectorXd Realizations::by_parameters(
    const std::map<std::string, std::vector<double>, std::less<>>& by_inputs) const {
    expects(members_ == 1, "a single member");
    std::vector<double> result;
    for (const Unknown& one : unknown_) {
        const std::vector<double>& by_input = by_inputs.find(one.name)->second;
        for (std::int64_t i = 0; i < rows_of(one); ++i) {
            const auto cell = static_cast<std::size_t>(one.is_map ? active_[static_cast<std::size_t>(i)] : 0);
            const auto value = static_cast<double>(one.values[cell]);
            const bool is_inside = value > one.low && value < one.high;
            result.push_back(is_inside ? by_input[cell] * (one.is_logarithm ? value : 1.0) : 0.0);
        }
    }
    return Eigen::Map<const Eigen::VectorXd>(result.data(), static_cast<Eigen::Index>(result.size()));
}

std::map<std::string, std::vector<float>> Realizations::values() const {
    std::map<std::string, std::vector<float>> all;
    for (const Unknown& one : unknown_) {
        all.emplace(one.name, one.values);
    }
    return all;
}

void Realizations::restore(const std::map<std::string, std::vector<float>>& values, std::vector<std::int64_t> numbers) {
    numbers_ = std::move(numbers);
    members_ = static_cast<std::int64_t>(numbers_.size());
    for (Unknown& one : unknown_) {
        one.values = values.at(one.name);
        expects(static_cast<std::int64_t>(one.values.size()) == members_ * cells_of(one), "values of all members");
    }
}

std::vector<std::string> Realizations::names() const {
    std::vector<std::string> names;
    for (const Unknown& one : unknown_) {
        names.push_back(one.name);
    }
    return names;
}

MemoryCases Realizations::cases(std::int64_t first, std::int64_t count) const {
    MemoryCases cases = views_of(base_);
    cases.name = "members of the ensemble";
    for (auto& [name, view] : cases.arrays) {
        const ArraySpec* spec = find_array(name, base_.geometry());
        if (!is_of_cases(*spec)) {
            continue;
        }
        const auto changed = std::ranges::find(unknown_, name, &Unknown::name);
        view.strides.assign(view.extents.size(), 1);
        for (std::size_t axis = view.extents.size() - 1; axis-- > 0;) {
            view.strides[axis] = view.strides[axis + 1] * view.extents[axis + 1];
        }
        view.extents[0] = count;
        if (changed == unknown_.end()) {
            view.strides[0] = 0;
        } else {
            view.data = changed->values.data() + first * cells_of(*changed);
        }
    }
    return cases;
}

void Realizations::write(const std::string& path, const FileAttributes& attributes) const {
    MemoryCases all = cases(0, members_);
    for (const auto& [name, text] : attributes) {
        all.attributes[name] = text;
    }
    write_dataset(path, Dataset(std::move(all)));
}

}  // namespace plumecast
