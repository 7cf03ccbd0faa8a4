#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

namespace plumecast {

/// A function applied to a physical value before it is centred and scaled; `log` is the natural one.
enum class Transform { identity, log, log10 };

/// A positive input without axes, raised to a power.
struct PowerFactor {
    std::string source;
    double exponent = 1.0;

    friend bool operator==(const PowerFactor&, const PowerFactor&) = default;
};

/// Constants of each point of one grid, such as mean and deviation over the cases there (Li et al. 2021 normalise so).
struct PointConstants {
    std::vector<std::int64_t> extents = {};         ///< [space...] of the grid; empty where there are none
    std::vector<double> offsets = {}, scales = {};  ///< [space...]

    bool empty() const { return extents.empty(); }

    friend bool operator==(const PointConstants&, const PointConstants&) = default;
};

/// One input channel of a network, known by name: value = (f(source in `unit` / product of factor^exponent of the
/// case) - offset) / scale.
struct Channel {
    std::string name;
    /// An input of the data set format; geometry: cell_width_r, cell_width_z, center_r, center_z [m], in Cartesian
    /// grids with x and y instead of r, time [day]; or one worked out from others: transmissivity,
    /// perforated_transmissivity [mD m], inflow_share (docs/conventions.md); or a field or scalar of the reduced
    /// physics, physics_... (is_physics_source()). Of generic data the path of an input, of coordinates, or of the
    /// times: /inputs/coefficient, /grid/x, /grid/times.
    std::string source;
    std::string unit;
    Transform transform = Transform::identity;
    double offset = 0.0;
    double scale = 1.0;
    /// The value is 0 in inactive cells. Usual for maps and geometry in r and z; a scalar so masked becomes a map. In
    /// the published tensors the rows outside the formation are 0 in every channel; here scalars and time keep their
    /// value there unless told otherwise, since loss and metrics never look at inactive cells. Not possible for time.
    bool mask_inactive = false;
    std::vector<PowerFactor> factors = {};
    PointConstants points = {};  ///< in the place of offset and scale

    friend bool operator==(const Channel&, const Channel&) = default;
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
    /// Field of the reduced physics [unit] that the network corrects: value = that of the base + residual_scale *
    /// network. Empty where the network predicts the whole field.
    std::string base = {};
    double residual_scale = 1.0;
    /// The correction is 0 in cells more than so many, in any direction along the axes or between them, away from
    /// those whose gas saturation after the physics is above plume_saturation at that time; -1 for no such limit.
    int confined = -1;
    /// Physical values are at most 1 - irreducible_water_saturation of the case.
    bool below_irreducible_water = false;
    /// What the network is multiplied by and added to at each point, in `unit`: physical = offset + scale * network
    /// there. Losses still see the field by its own offset and scale.
    PointConstants points = {};

    /// Whether the network corrects something known: reduced physics, or the mean at each point.
    bool has_base() const { return !base.empty() || !points.empty(); }

    friend bool operator==(const Field&, const Field&) = default;
};

/// Gas saturation of the physics above which a cell belongs to its plume.
inline constexpr float plume_saturation = 0.002F;

/// Whether physical values of a field are clipped to 0 to 1: an output of reservoirs that is a share of the pore
/// volume. Outputs of generic data have no bounds, whatever their unit.
bool is_share(const Field& field);

/// The axes a channel's source varies over; `field` is space and time, `time` is the same for all cases, and a `series`
/// has each case its own.
enum class Variation { map, column_r, column_z, scalar, time, column_x, column_y, field, series };

/// Variation of a source; of a path that of time, of coordinates, or of a map, for inputs of generic data do not say it
/// by their name. Throws InvalidInput for an unknown source, naming the nearest known one.
Variation variation_of(std::string_view source);

/// True for the sources that the reduced physics gives, "physics_pressure_buildup" and its like.
bool is_physics_source(std::string_view source);
/// Physics sources that channels and fields read, each once, in the order met.
std::vector<std::string> physics_sources(const std::vector<Channel>& channels, const std::vector<Field>& fields);

/// A channel with unit and mask as usual for its source. Throws InvalidInput for an unknown source.
Channel make_channel(std::string name, std::string source, Transform transform = Transform::identity,
                     double offset = 0.0, double scale = 1.0);

/// The twelve channels of Wen et al. 2022 with their constants (log k / 15, scalars scaled to [0, 1], cell widths in
/// m).
std::vector<Channel> published_channels();
/// Channels of about unit variance, with cell width, radius and time on a logarithmic scale.
std::vector<Channel> default_channels();
/// default_channels(), then the fields and scalars of the reduced physics; pressures over their own size in the case.
std::vector<Channel> guided_channels();
/// guided_channels(), then salinity, residual gas, and at each time the rate over its mean, the years in which that
/// mean had injected as much, the time since the rate changed, and the size of the build-up, over which the build-up
/// is.
std::vector<Channel> scheduled_channels();
/// The like of default_channels() for Cartesian grids, where wells are known by the rate of each cell.
std::vector<Channel> default_channels_3d();
/// default_channels_3d(), irreducible water and van Genuchten's exponent, then the reduced physics as in
/// guided_channels().
std::vector<Channel> guided_channels_3d();
/// guided_channels_3d(), then what scheduled_channels() has of schedules.
std::vector<Channel> scheduled_channels_3d();
/// Gas saturation as it is; pressure build-up standardised with the published constants.
std::vector<Field> published_fields();
/// Gas saturation as it is, cut off at 0.005; pressure build-up scaled by a power law fitted to radial cases up to
/// 2 Mt/year.
std::vector<Field> default_fields();
/// Corrections of the reduced physics: build-up in units of its size in the case, gas saturation near the plume that
/// the physics has.
std::vector<Field> guided_fields();
/// The same with the build-up scaled at each time by its size there, which falls a hundredfold after an injection.
std::vector<Field> scheduled_fields();
/// The like of default_fields() for Cartesian grids, with the build-up scaled by rate and transmissivity.
std::vector<Field> default_fields_3d();

/// A field whose physical values stay what they are, as those of a simulator and of the physics do: no cutoff, no
/// limit.
Field as_it_is(Field field);

/// Throws InvalidInput naming channel and field for an unknown source, wrong unit, duplicate name, scale of zero, a
/// factor that is no scalar, or a masked time.
void check_channels(const std::vector<Channel>& channels);
/// Throws InvalidInput naming field and entry for a scale of zero, a negative cutoff, a factor that is no scalar, or a
/// base that is no field of the physics in the same unit.
void check_field(const Field& field);

/// Channels as a list of model.json.
Json to_json(const std::vector<Channel>& channels);
/// Fields as a list of model.json.
Json to_json(const std::vector<Field>& fields);
/// Reads a list of channels under `key`; checked by check_channels. Throws InvalidInput with the dotted path.
std::vector<Channel> read_channels(JsonReader& object, std::string_view key);
/// Reads a list of fields under `key`. Throws InvalidInput with the dotted path.
std::vector<Field> read_fields(JsonReader& object, std::string_view key);

}  // namespace plumecast
