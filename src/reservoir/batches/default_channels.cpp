#include <utility>

#include <plumecast/reservoir/batches/channels.hpp>

namespace plumecast {

std::vector<Channel> published_channels() {
    constexpr double rate_per_mt = 1.47139e6;  // standard m3/day that make one Mt/year at 1.862 kg/m3
    constexpr auto raw = Transform::identity;
    return {make_channel("permeability_r", "permeability_r", Transform::log, 0.0, 15.0),
            make_channel("permeability_z", "permeability_z", Transform::log, 0.0, 15.0),
            make_channel("porosity", "porosity"),
            make_channel("perforation", "perforation"),
            make_channel("injection_rate", "injection_rate", raw, 3e5 / rate_per_mt, 2.7e6 / rate_per_mt),
            make_channel("temperature", "temperature", raw, 30.0, 150.0),
            make_channel("initial_pressure", "initial_pressure", raw, 100.0, 200.0),
            make_channel("irreducible_water_saturation", "irreducible_water_saturation", raw, 0.1, 0.2),
            make_channel("van_genuchten_lambda", "van_genuchten_lambda", raw, 0.3, 0.4),
            make_channel("cell_width_r", "cell_width_r"),
            make_channel("cell_width_z", "cell_width_z"),
            make_channel("time", "time", raw, 0.0, 10950.0)};
}

std::vector<Channel> default_channels() {
    constexpr auto raw = Transform::identity;
    return {make_channel("log_permeability_r", "permeability_r", Transform::log, 4.5, 1.5),
            make_channel("log_permeability_z", "permeability_z", Transform::log, 0.35, 1.75),
            make_channel("porosity", "porosity", raw, 0.186, 0.028),
            make_channel("perforation", "perforation"),
            make_channel("active", "active"),
            make_channel("log_cell_width_r", "cell_width_r", Transform::log, 5.8, 2.0),
            make_channel("log_center_r", "center_r", Transform::log, 7.8, 2.3),
            make_channel("center_z", "center_z", raw, 100.0, 50.0),
            make_channel("inflow_share", "inflow_share", raw, 0.0, 0.1),
            make_channel("log_injection_rate", "injection_rate", Transform::log, -0.13, 0.63),
            make_channel("log_transmissivity", "transmissivity", Transform::log, 9.4, 1.3),
            make_channel("log_perforated_transmissivity", "perforated_transmissivity", Transform::log, 8.9, 1.3),
            make_channel("temperature", "temperature", raw, 80.0, 26.0),
            make_channel("initial_pressure", "initial_pressure", raw, 200.0, 58.0),
            make_channel("irreducible_water_saturation", "irreducible_water_saturation", raw, 0.2, 0.058),
            make_channel("van_genuchten_lambda", "van_genuchten_lambda", raw, 0.5, 0.115),
            make_channel("log_thickness", "thickness", Transform::log, 4.5, 0.67),
            make_channel("log_time", "time", Transform::log, 5.1, 2.6)};
}

namespace {

/// Of the fields of the physics, of either grid.
void add_physics(std::vector<Channel>& channels) {
    constexpr auto raw = Transform::identity;
    const auto add = [&](Channel channel) { channels.push_back(std::move(channel)); };
    Channel buildup = make_channel("physics_pressure_buildup", "physics_pressure_buildup");
    buildup.factors = {{"physics_buildup_rms", 1.0}};
    add(std::move(buildup));
    add(make_channel("log_physics_buildup_rms", "physics_buildup_rms", Transform::log, 1.5, 1.2));
    add(make_channel("physics_gas_saturation", "physics_gas_saturation", raw, 0.0, 0.5));
    add(make_channel("physics_dissolved_co2", "physics_dissolved_co2", raw, 0.0, 30.0));
}

/// Those of what changes in time, beside guided ones of either grid.
std::vector<Channel> with_schedules(std::vector<Channel> channels) {
    constexpr auto raw = Transform::identity;
    for (Channel& channel : channels) {
        if (channel.source == "physics_pressure_buildup") {
            channel.factors = {{"physics_buildup_rms_by_time", 1.0}};
        }
    }
    channels.push_back(make_channel("salinity", "salinity", raw, 0.12, 0.07));
    channels.push_back(make_channel("residual_gas_saturation", "residual_gas_saturation", raw, 0.2, 0.12));
    Channel rate = make_channel("rate_over_mean", "current_injection_rate", raw, 0.5, 0.5);
    Channel years = make_channel("years_injected", "injected_co2", raw, 10.0, 10.0);
    rate.factors = years.factors = {{"injection_rate", 1.0}};
    channels.push_back(std::move(rate));
    channels.push_back(std::move(years));
    channels.push_back(make_channel("log_time_since_rate_change", "time_since_rate_change", Transform::log, 5.0, 2.6));
    channels.push_back(
        make_channel("log_physics_buildup_rms_by_time", "physics_buildup_rms_by_time", Transform::log, 1.0, 1.6));
    return channels;
}

}  // namespace

std::vector<Channel> guided_channels() {
    std::vector<Channel> channels = default_channels();
    add_physics(channels);
    return channels;
}

std::vector<Channel> scheduled_channels() { return with_schedules(guided_channels()); }

std::vector<Channel> default_channels_3d() {
    constexpr auto raw = Transform::identity;
    return {make_channel("log_permeability_x", "permeability_x", Transform::log, 4.5, 1.5),
            make_channel("log_permeability_y", "permeability_y", Transform::log, 4.5, 1.5),
            make_channel("log_permeability_z", "permeability_z", Transform::log, 2.2, 1.75),
            make_channel("porosity", "porosity", raw, 0.186, 0.028),
            make_channel("perforation", "perforation"),
            make_channel("cell_injection_rate", "cell_injection_rate", raw, 0.0, 0.1),
            make_channel("active", "active"),
            make_channel("center_z", "center_z", raw, 50.0, 50.0),
            make_channel("log_injection_rate", "injection_rate", Transform::log, 0.0, 0.6),
            make_channel("log_transmissivity", "transmissivity", Transform::log, 9.4, 1.3),
            make_channel("temperature", "temperature", raw, 80.0, 26.0),
            make_channel("initial_pressure", "initial_pressure", raw, 200.0, 58.0),
            make_channel("log_time", "time", Transform::log, 5.1, 2.6)};
}

std::vector<Channel> guided_channels_3d() {
    constexpr auto raw = Transform::identity;
    std::vector<Channel> channels = default_channels_3d();
    channels.push_back(make_channel("irreducible_water_saturation", "irreducible_water_saturation", raw, 0.2, 0.058));
    channels.push_back(make_channel("van_genuchten_lambda", "van_genuchten_lambda", raw, 0.5, 0.115));
    add_physics(channels);
    return channels;
}

std::vector<Channel> scheduled_channels_3d() { return with_schedules(guided_channels_3d()); }

std::vector<Field> published_fields() {
    return {{"gas_saturation", "1", 0.0, 1.0}, {"pressure_buildup", "bar", 4.172939172019009, 18.772821433027488}};
}

std::vector<Field> default_fields() {
    // Least squares of log(root mean square of the build-up) over 443 simulated cases: the factors explain all but 0.21
    // of its standard deviation of 1.08.
    const std::vector<PowerFactor> factors = {{"injection_rate", 1.0},
                                              {"transmissivity", -0.8},
                                              {"thickness", 0.4},
                                              {"initial_pressure", -0.4},
                                              {"van_genuchten_lambda", -0.6}};
    return {{"gas_saturation", "1", 0.0, 1.0, 0.005}, {"pressure_buildup", "bar", 0.0, 8400.0, 0.0, factors}};
}

std::vector<Field> guided_fields() {
    // What is left for the network is about 0.05 of gas saturation, and of the build-up a few hundredths of its size in
    // the case.
    Field saturation{"gas_saturation", "1", 0.0, 1.0, 0.005};
    saturation.below_irreducible_water = true;
    saturation.base = "physics_gas_saturation";
    saturation.residual_scale = 0.1;
    saturation.confined = 2;
    Field buildup{"pressure_buildup", "bar", 0.0, 1.0, 0.0, {{"physics_buildup_rms", 1.0}}};
    buildup.base = "physics_pressure_buildup";
    buildup.residual_scale = 0.1;
    return {saturation, buildup};
}

std::vector<Field> scheduled_fields() {
    std::vector<Field> fields = guided_fields();
    fields[1].factors = {{"physics_buildup_rms_by_time", 1.0}};
    return fields;
}

std::vector<Field> default_fields_3d() {
    const std::vector<PowerFactor> factors = {{"injection_rate", 1.0}, {"transmissivity", -0.8}};
    return {{"gas_saturation", "1", 0.0, 1.0, 0.005}, {"pressure_buildup", "bar", 0.0, 8400.0, 0.0, factors}};
}

}  // namespace plumecast
