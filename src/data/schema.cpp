#include <algorithm>
#include <array>

#include <plumecast/core/error.hpp>
#include <plumecast/data/schema.hpp>

namespace plumecast {
namespace {

ArraySpec grid(const char* name, Axis axis, const char* unit, const char* long_name, double high) {
    return {"/grid/" + std::string(name), Role::grid, {axis}, unit, long_name, Storage::float64, 0.0, high, true};
}

ArraySpec map(const char* name, const char* unit, const char* long_name, double low, double high,
              Storage storage = Storage::float32) {
    return {"/inputs/" + std::string(name),
            Role::map,
            {Axis::cases, Axis::z, Axis::r},
            unit,
            long_name,
            storage,
            low,
            high,
            true};
}

ArraySpec scalar(const char* name, const char* unit, const char* long_name, double low, double high) {
    return {"/inputs/" + std::string(name),
            Role::scalar,
            {Axis::cases},
            unit,
            long_name,
            Storage::float32,
            low,
            high,
            true};
}

ArraySpec output(const char* name, const char* unit, const char* long_name, double low, double high) {
    return {"/outputs/" + std::string(name),
            Role::output,
            {Axis::cases, Axis::times, Axis::z, Axis::r},
            unit,
            long_name,
            Storage::float32,
            low,
            high,
            false};
}

}  // namespace

std::span<const ArraySpec> dataset_arrays() {
    static const std::vector<ArraySpec> arrays = {
        grid("r_edges", Axis::r_edges, "m", "radial cell edges from the well axis", 1e7),
        grid("z_edges", Axis::z_edges, "m", "depth of the cell edges below the top of the formation", 1e5),
        grid("times", Axis::times, "day", "time since the start of injection", 1e8),
        map("permeability_r", "mD", "horizontal permeability", 1e-9, 1e7),
        map("permeability_z", "mD", "vertical permeability", 1e-9, 1e7),
        map("porosity", "1", "porosity", 1e-6, 1.0),
        map("perforation", "1", "fraction of the cell height that is perforated", 0.0, 1.0),
        map("active", "1", "1 where the cell belongs to the formation", 0.0, 1.0, Storage::uint8),
        scalar("injection_rate", "Mt/year", "CO2 mass injected per year", 0.0, 1000.0),
        scalar("initial_pressure", "bar", "initial pressure at the top of the formation", 1.0, 2000.0),
        scalar("temperature", "degC", "reservoir temperature", 0.0, 400.0),
        scalar("irreducible_water_saturation", "1", "irreducible water saturation", 0.0, 1.0),
        scalar("van_genuchten_lambda", "1", "van Genuchten exponent", 1e-6, 1.0),
        scalar("thickness", "m", "formation thickness", 1e-3, 1e4),
        output("gas_saturation", "1", "saturation of the CO2-rich phase", 0.0, 1.0),
        output("pressure_buildup", "bar", "pressure minus initial pressure", -1000.0, 10000.0),
    };
    return arrays;
}

const ArraySpec* find_array(std::string_view name) {
    const auto arrays = dataset_arrays();
    const auto found =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto& spec) { return spec.name() == name; });
    return found == arrays.end() ? nullptr : &*found;
}

std::vector<std::string> array_names(Role role) {
    std::vector<std::string> names;
    for (const ArraySpec& spec : dataset_arrays()) {
        if (spec.role == role) {
            names.emplace_back(spec.name());
        }
    }
    return names;
}

std::string_view symbol_of(Axis axis) {
    constexpr std::array<std::string_view, 6> symbols = {"N", "T", "Z", "R", "Z+1", "R+1"};
    return symbols[static_cast<std::size_t>(axis)];
}

}  // namespace plumecast
