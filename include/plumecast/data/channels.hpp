#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// A function applied to a physical value before it is centred and scaled; `log` is the natural one.
enum class Transform { identity, log, log10 };

/// One input channel of a network, known by name: value = (f(source in `unit`) - offset) / scale.
struct Channel {
    std::string name;
    /// An input of the data set format; geometry: cell_width_r, cell_width_z, center_r, center_z [m], in Cartesian
    /// grids with x and y instead of r, time [day]; or one worked out from others: transmissivity,
    /// perforated_transmissivity [mD m], inflow_share (docs/conventions.md).
    std::string source;
    std::string unit;
    Transform transform = Transform::identity;
    double offset = 0.0;
    double scale = 1.0;
    /// The value is 0 in inactive cells. Usual for maps and geometry in r and z; a scalar so masked becomes a map. In
    /// the published tensors the rows outside the formation are 0 in every channel; here scalars and time keep their
    /// value there unless told otherwise, since loss and metrics never look at inactive cells. Not possible for time.
    bool mask_inactive = false;

    friend bool operator==(const Channel&, const Channel&) = default;
};

/// A positive input without axes, raised to a power.
struct PowerFactor {
    std::string source;
    double exponent = 1.0;

    friend bool operator==(const PowerFactor&, const PowerFactor&) = default;
};

/// One output of a network: value = (physical in `unit` - offset) / (scale * product of source^exponent of the case).
/// With the factors, cases whose build-ups differ a hundredfold look alike to the network.
struct Field {
    std::string name;
    std::string unit;
    double offset = 0.0;
    double scale = 1.0;
    /// Physical values of smaller magnitude are written as 0 [unit]: a network leaves traces where nothing is.
    double cutoff = 0.0;
    std::vector<PowerFactor> factors = {};

    friend bool operator==(const Field&, const Field&) = default;
};

/// The axes a channel's source varies over.
enum class Variation { map, column_r, column_z, scalar, time, column_x, column_y };

/// Variation of a source. Throws InvalidInput for an unknown source, naming the nearest known one.
Variation variation_of(std::string_view source);

/// A channel with unit and mask as usual for its source. Throws InvalidInput for an unknown source.
Channel make_channel(std::string name, std::string source, Transform transform = Transform::identity,
                     double offset = 0.0, double scale = 1.0);

/// The twelve channels of Wen et al. 2022 with their constants (log k / 15, scalars scaled to [0, 1], cell widths in
/// m).
std::vector<Channel> published_channels();
/// Channels of about unit variance, with cell width, radius and time on a logarithmic scale.
std::vector<Channel> default_channels();
/// The like for Cartesian grids, where wells are known by the rate of each cell.
std::vector<Channel> default_channels_3d();
/// Gas saturation as it is; pressure build-up standardised with the published constants.
std::vector<Field> published_fields();
/// Gas saturation as it is, cut off at 0.005; pressure build-up scaled by a power law fitted to radial cases up to
/// 2 Mt/year.
std::vector<Field> default_fields();
/// The like for Cartesian grids, with the build-up scaled by rate and transmissivity.
std::vector<Field> default_fields_3d();

/// Throws InvalidInput naming channel and field for an unknown source, wrong unit, duplicate name, scale of zero, or a
/// masked time.
void check_channels(const std::vector<Channel>& channels);
/// Throws InvalidInput naming field and factor for a scale of zero, a negative cutoff, or a factor that is no scalar.
void check_field(const Field& field);

Json to_json(const std::vector<Channel>& channels);
Json to_json(const std::vector<Field>& fields);
/// Reads a list of channels under `key`; checked by check_channels. Throws InvalidInput with the dotted path.
std::vector<Channel> read_channels(JsonReader& object, std::string_view key);
/// Reads a list of fields under `key`. Throws InvalidInput with the dotted path.
std::vector<Field> read_fields(JsonReader& object, std::string_view key);

}  // namespace plumecast
