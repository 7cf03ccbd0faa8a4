#include "reservoir/case_physics/physics_key.hpp"

#include <cmath>
#include <span>

#include "io/hash.hpp"
#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/physics/connections/box_physics.hpp"

namespace plumecast {
namespace {

std::string bytes_of(std::span<const double> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

std::string shared_key_of(const Dataset& dataset, const PhysicsSettings& settings) {
    const bool is_box = dataset.geometry() == Geometry::cartesian;
    const RockFluidSettings rock = rock_fluid_of(dataset);
    std::vector<double> numbers = {rock.residual_gas_saturation, rock.entry_pressure, rock.rock_compressibility,
                                   rock.initial_brine_temperature};
    if (!std::isnan(rock.temperature_gradient)) {  // files of physics without one keep their keys
        numbers.push_back(rock.temperature_gradient);
    }
    std::string key =
        std::string(physics_kind) + ' ' + std::to_string(settings.substeps) + ' ' + std::to_string(settings.version) +
        '\n' + sha256(bytes_of(is_box ? dataset.x_edges() : dataset.r_edges())) + sha256(bytes_of(dataset.z_edges())) +
        sha256(bytes_of(dataset.times())) + sha256(bytes_of(numbers));
    if (is_box) {
        const double of_box[] = {rock.aquifer_factor, dataset.well_radius().value_or(BoxCase().well_radius)};
        key += "revision " + std::to_string(box_physics_revision) + '\n' + sha256(bytes_of(dataset.y_edges())) +
               sha256(bytes_of(of_box));
        const auto add = [&](const char* name) {
            const std::vector<float>& values = dataset.cell_values(name);
            key += sha256(bytes_of(std::vector<double>(values.begin(), values.end())));
        };
        for (const char* name : {"cell_volume", "cell_centre_z", "connection_first", "connection_second"}) {
            add(name);
        }
        if (follows_from_corners(dataset)) {
            add("pillars");
            add("corner_depths");
        }
    }
    return key;
}

}  // namespace plumecast
