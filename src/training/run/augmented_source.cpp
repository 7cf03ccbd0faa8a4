#include "training/run/augmented_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <plumecast/core/error.hpp>

#include "core/random.hpp"

namespace plumecast {
namespace {

constexpr std::string_view axis_letters = "zyx";

/// The place of an axis of space, of so many, counted from the first; negative where there is none.
int axis_named(char letter, int axes) { return axes - 3 + static_cast<int>(axis_letters.find(letter)); }

const std::vector<std::string>& odd_in(const AugmentOptions& options, char letter) {
    return letter == 'x' ? options.odd_in_x : letter == 'y' ? options.odd_in_y : options.odd_in_z;
}

bool holds(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// How data call what a channel reads: an input by the last part of its path.
std::string_view data_name(std::string_view source) { return source.substr(source.rfind('/') + 1); }

/// Whether a channel's source lies on the grid and not in the case: it stays where it is.
bool stays(const Channel& channel) {
    const Variation variation = variation_of(channel.source);
    return variation == Variation::column_x || variation == Variation::column_y || variation == Variation::column_z ||
           variation == Variation::column_r;
}

/// Where the values of a moved case come from: the last two axes exchanged, then axes turned round.
struct Move {
    bool exchanged = false;
    std::array<bool, 3> turned{};  ///< z, y, x

    /// By 64 random bits.
    Move(const AugmentOptions& options, std::uint64_t bits) {
        const auto next = [&] {
            const bool bit = (bits & 1U) != 0;
            bits >>= 1U;
            return bit;
        };
        if (options.rotate) {  // of quarter turns, 0 to 3
            exchanged = next();
            turned[1] = next();
            turned[2] = turned[1] != exchanged;
        }
        for (const std::string& axis : options.flip) {
            bool& turn = turned[axis_letters.find(axis.front())];
            turn = turn != next();
        }
    }

    bool is_nothing() const {
        return !exchanged && std::ranges::none_of(turned, [](bool turn) { return turn; });
    }

    /// The cell of space [space...] that comes to the place of another.
    std::int64_t source_of(std::int64_t cell, const Shape& space) const {
        std::array<std::int64_t, 3> at{};
        for (int axis = space.rank() - 1; axis >= 0; --axis) {
            const auto letter = static_cast<std::size_t>(axis + 3 - space.rank());
            at[letter] = cell % space[axis];
            at[letter] = turned[letter] ? space[axis] - 1 - at[letter] : at[letter];
            cell /= space[axis];
        }
        if (exchanged) {
            std::swap(at[1], at[2]);
        }
        std::int64_t from = 0;
        for (int axis = 0; axis < space.rank(); ++axis) {
            from = from * space[axis] + at[static_cast<std::size_t>(axis + 3 - space.rank())];
        }
        return from;
    }

    /// Whether what is called so changes its sign.
    bool negates(const AugmentOptions& options, std::string_view name) const {
        bool negative = exchanged && holds(options.odd_in_x, name) && holds(options.odd_in_y, name);
        for (std::size_t letter = 0; letter < turned.size(); ++letter) {
            negative = negative != (turned[letter] && holds(odd_in(options, axis_letters[letter]), name));
        }
        return negative;
    }
};

/// What becomes of one number among the last of an array: it moves or stays, and v becomes factor v + shift, 0 where a
/// masked cell is inactive.
struct Change {
    bool moves = true, is_masked = false;
    float factor = 1.0F, shift = 0.0F;

    static Change of_sign(bool negates, double offset, double scale, bool is_masked) {
        return negates ? Change{true, is_masked, -1.0F, static_cast<float>(-2.0 * offset / scale)}
                       : Change{true, is_masked};
    }
};

/// The values [space..., T, C] of a case moved, or as they are where they do not vary in space.
void move_case(std::span<float> values, const Shape& space, const Move& move, std::span<const Change> changes,
               std::span<const float> active) {
    const std::vector<float> before(values.begin(), values.end());
    const auto cells = static_cast<std::size_t>(space.count());
    const std::size_t each = values.size() / cells;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const auto from = static_cast<std::size_t>(move.source_of(static_cast<std::int64_t>(cell), space));
        const bool is_inactive = cells == active.size() && active[cell] == 0.0F;
        for (std::size_t i = 0; i < each; ++i) {
            const Change& change = changes[i % changes.size()];
            const float value = before[(change.moves ? from : cell) * each + i];
            values[cell * each + i] = change.is_masked && is_inactive ? 0.0F : change.factor * value + change.shift;
        }
    }
}

class AugmentedSource final : public BatchSource {
   public:
    AugmentedSource(std::unique_ptr<BatchSource> whole, std::shared_ptr<const Augmentation> augmentation,
                    const std::vector<Channel>& channels, const std::vector<Field>& fields, std::string name)
        : whole_(std::move(whole)), augmentation_(std::move(augmentation)), fields_(fields), name_(std::move(name)) {
        for (const Channel& channel : channels) {
            channels_.emplace(channel.name, channel);
        }
    }

    std::int64_t cases() const override { return whole_->cases(); }
    Shape extents() const override { return whole_->extents(); }
    std::vector<std::string> channels() const override { return whole_->channels(); }

    Batch load(std::span<const std::int64_t> cases) const override {
        Batch batch = whole_->load(cases);
        const RandomStream random(augmentation_->seed,
                                  "moves of epoch " + std::to_string(augmentation_->epoch.load()) + name_);
        for (std::size_t n = 0; n < batch.cases.size(); ++n) {
            const Move one(augmentation_->options, random.bits(static_cast<std::uint64_t>(batch.cases[n])));
            if (!one.is_nothing()) {
                move(batch, n, one);
            }
            if (augmentation_->noise > 0.0) {
                add_noise(batch, n);
            }
        }
        return batch;
    }

   private:
    /// Of points that count, by epoch, case and channel alone.
    void add_noise(Batch& batch, std::size_t n) const {
        for (InputGroup& group : batch.inputs) {
            const auto size = static_cast<std::size_t>(group.values.shape().count(1, group.values.shape().rank()));
            for (std::size_t c = 0; c < group.channels.size(); ++c) {
                const Channel& channel = channels_.at(group.channels[c]);
                if (!augmentation_->noisy.contains(channel.source)) {
                    continue;
                }
                const RandomStream random(augmentation_->seed,
                                          "noise of epoch " + std::to_string(augmentation_->epoch.load()) + name_ +
                                              ", case " + std::to_string(batch.cases[n]) + ", " + channel.name);
                const std::span<float> values = group.values.values<float>().subspan(n * size, size);
                for (std::size_t i = c; i < size; i += group.channels.size()) {
                    const bool counts = !channel.mask_inactive || values[i] != 0.0F;
                    values[i] += counts ? static_cast<float>(augmentation_->noise * random.normal(i)) : 0.0F;
                }
            }
        }
    }

    void move(Batch& batch, std::size_t n, const Move& one) const {
        const std::vector<Change> as_it_is(1);
        move_in(batch.active, n, one, as_it_is, {});
        const auto cells = static_cast<std::size_t>(batch.active.shape().count(1, batch.active.shape().rank()));
        const std::span<const float> active = std::as_const(batch.active).values<float>().subspan(n * cells, cells);
        for (InputGroup& group : batch.inputs) {
            if (!group.same_for_all) {
                move_in(group.values, n, one, changes_of(group, one), active);
            }
        }
        std::vector<Change> of_fields;
        for (const Field& field : fields_) {
            of_fields.push_back(
                Change::of_sign(one.negates(augmentation_->options, field.name), field.offset, field.scale, true));
        }
        move_in(batch.targets, n, one, of_fields, active);
        move_in(batch.base, n, one, as_it_is, active);
        move_in(batch.correction, n, one, as_it_is, active);
        for (auto& [name, field] : batch.physics_fields) {
            move_in(field, n, one, as_it_is, active);
        }
    }

    /// The n-th case of an array [B, space..., ...], where there is one.
    void move_in(Tensor& all, std::size_t n, const Move& one, const std::vector<Change>& changes,
                 std::span<const float> active) const {
        if (all.shape().rank() == 0) {
            return;
        }
        const auto size = static_cast<std::size_t>(all.shape().count(1, all.shape().rank()));
        const Shape space = all.shape().slice(1, extents().rank());
        move_case(all.values<float>().subspan(n * size, size), space, one, changes, active);
    }

    std::vector<Change> changes_of(const InputGroup& group, const Move& one) const {
        std::vector<Change> changes;
        for (const std::string& name : group.channels) {
            const Channel& channel = channels_.at(name);
            const bool negates = one.negates(augmentation_->options, data_name(channel.source));
            changes.push_back(stays(channel)
                                  ? Change{false, channel.mask_inactive}
                                  : Change::of_sign(negates, channel.offset, channel.scale, channel.mask_inactive));
        }
        return changes;
    }

    std::unique_ptr<BatchSource> whole_;
    std::shared_ptr<const Augmentation> augmentation_;
    std::map<std::string, Channel> channels_;
    std::vector<Field> fields_;
    std::string name_;
};

/// Distances of the points along an axis from the first of them, which tell whether it looks alike from both ends.
std::vector<double> places_along(const Dataset& dataset, int axis) {
    std::vector<double> places = dataset.geometry() == Geometry::generic ? dataset.coordinates(axis)
                                 : axis + 1 == dataset.space().rank()    ? dataset.x_edges()
                                                                         : dataset.y_edges();
    const double first = places.front();
    std::ranges::for_each(places, [=](double& place) { place -= first; });
    return places;
}

bool are_alike(const std::vector<double>& a, const std::vector<double>& b) {
    constexpr double tolerance = 1e-6;  // of the length, as coordinates may be float32
    return a.size() == b.size() && std::ranges::equal(a, b, [&](double u, double v) {
               return std::abs(u - v) <= tolerance * std::abs(a.back());
           });
}

std::vector<double> from_the_other_end(const std::vector<double>& places) {
    std::vector<double> turned;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        turned.push_back(places.back() - *place);
    }
    return turned;
}

[[noreturn]] void refuse(const Dataset& dataset, const std::string& entry, const std::string& why,
                         const std::string& remedy) {
    throw InvalidInput(dataset.path() + ": augment." + entry + " (" + why + "); " + remedy);
}

void check_flip(const Dataset& dataset, const std::string& axis) {
    const int at = axis_named(axis.front(), dataset.space().rank());
    const bool is_generic = dataset.geometry() == Geometry::generic;
    if (at < 0 || dataset.space()[at] < 2 || (!is_generic && axis == "z")) {
        refuse(dataset, "flip has " + axis,
               is_generic ? "the data have no such axis" : "gravity points along it: what lies above is not alike",
               "leave it out");
    }
    const std::vector<double> places = places_along(dataset, at);
    if (!are_alike(places, from_the_other_end(places))) {
        refuse(dataset, "flip has " + axis, "its points do not lie alike from both ends", "leave it out");
    }
}

void check_turn(const Dataset& dataset) {
    const int last = dataset.space().rank() - 1;
    if (dataset.geometry() != Geometry::generic) {
        refuse(dataset, "rotate", "reservoirs have permeabilities along x and along y", "flip x and y");
    }
    if (!are_alike(places_along(dataset, last), places_along(dataset, last - 1))) {
        refuse(dataset, "rotate", "x and y do not have the same points", "set it false");
    }
    check_flip(dataset, "x");
    check_flip(dataset, "y");
}

void check_sign(const AugmentOptions& options, const Dataset& dataset, const std::string& entry,
                const std::string& name, const std::vector<Channel>& channels, const std::vector<Field>& fields) {
    const std::string what = entry + " has " + name;
    bool is_known = std::ranges::find(fields, name, &Field::name) != fields.end();
    for (const Channel& channel : channels) {
        if (data_name(channel.source) != name || stays(channel)) {
            continue;
        }
        is_known = true;
        if (channel.transform != Transform::identity) {
            refuse(dataset, what, "channel " + channel.name + " is its logarithm",
                   "it cannot be negative; leave it out");
        }
    }
    if (!is_known || dataset.geometry() != Geometry::generic) {
        refuse(dataset, what, "the network reads and predicts nothing of that name whose sign could change",
               "name inputs and outputs of generic data");
    }
    if (options.rotate && holds(options.odd_in_x, name) != holds(options.odd_in_y, name)) {
        refuse(dataset, what, "a quarter turn makes another component of it", "set augment.rotate false");
    }
}

}  // namespace

void check_augmentation(const AugmentOptions& options, const Dataset& dataset, const std::vector<Channel>& channels,
                        const std::vector<Field>& fields) {
    if (!options.moves()) {
        return;
    }
    if (dataset.geometry() == Geometry::radial) {
        refuse(dataset, options.rotate ? "rotate" : "flip", "the well of a radial grid is at one of its ends",
               "leave it out");
    }
    if (!dataset.cell_values("cell_volume").empty()) {
        refuse(dataset, "flip", "its cells have shapes of their own", "leave it out");
    }
    std::ranges::for_each(options.flip, [&](const std::string& axis) { check_flip(dataset, axis); });
    if (options.rotate) {
        check_turn(dataset);
    }
    const auto is_between_cells = [](const Channel& channel) {
        return channel.source == "transmissibility_x" || channel.source == "transmissibility_y";
    };
    if (std::ranges::any_of(channels, is_between_cells)) {
        refuse(dataset, "flip", "transmissibilities stand with the cell before the face, the other one after a flip",
               "leave these channels out, or the flips");
    }
    const auto has_points = [](const auto& one) { return !one.points.empty(); };
    if (std::ranges::any_of(channels, has_points) || std::ranges::any_of(fields, has_points)) {
        refuse(dataset, "flip", "constants of points belong to the places where they were found",
               "take constants of all points together, or leave it out");
    }
    for (const char letter : axis_letters) {
        for (const std::string& name : odd_in(options, letter)) {
            check_sign(options, dataset, std::string("odd_in_") + letter, name, channels, fields);
        }
    }
}

std::unique_ptr<BatchSource> augmented_source(std::unique_ptr<BatchSource> whole,
                                              std::shared_ptr<const Augmentation> augmentation,
                                              const std::vector<Channel>& channels, const std::vector<Field>& fields,
                                              const std::string& name) {
    return std::make_unique<AugmentedSource>(std::move(whole), std::move(augmentation), channels, fields, name);
}

}  // namespace plumecast
