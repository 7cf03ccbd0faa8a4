#include "case_run.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "reservoir/case_model/box_reservoir.hpp"
#include "reservoir/case_model/schedule_sampling.hpp"
#include "reservoir/generation/corner_point_arrays.hpp"
#include "reservoir/generation/finished_case.hpp"
#include "reservoir/simulation/box_deck.hpp"

namespace plumecast {

CaseRun::CaseRun(const GeneratorConfiguration& configuration, std::string program, FlowRelease release)
    : configuration_(configuration),
      release_(std::move(release)),
      lattice_(radial_grid(configuration.lattice, configuration.lattice.rows, configuration.lattice.columns)),
      grid_(radial_grid(configuration.lattice, configuration.grid.rows, configuration.grid.columns)),
      box_(box_grid(configuration.box.value_or(BoxSettings()))),
      times_(snapshot_times(configuration.times)),
      simulator_{std::move(program), release_, configuration.checks, configuration.simulator, times_} {}

DatasetContent CaseRun::frame() const {
    DatasetContent frame;
    frame.times = times_;
    frame.schedule_ends = schedule_ends(configuration_.inputs.schedule, times_.back());
    if (configuration_.inputs.salinity.high > 0.0) {
        frame.arrays["salinity"] = {};  // every case has one
    }
    if (configuration_.inputs.residual_gas_saturation.high > 0.0) {
        frame.arrays["residual_gas_saturation"] = {};
    }
    if (configuration_.inputs.bottom_hole_pressure_limit.high > 0.0) {
        frame.arrays["bottom_hole_pressure_limit"] = {};
    }
    if (configuration_.inputs.dissolution_rate_limit.high > 0.0) {
        frame.arrays["dissolution_rate_limit"] = {};
    }
    if (configuration_.box) {
        for (const char* name : {"irreducible_water_saturation", "van_genuchten_lambda", "thickness"}) {
            frame.arrays[name] = {};
        }
        frame.wells = configuration_.wells.count.high;
        frame.z_edges = box_.z_edges;
        frame.y_edges = box_.y_edges;
        frame.x_edges = box_.x_edges;
        if (configuration_.box->topography) {
            frame.arrays.merge(corner_point_frame(box_, box_corner_points(*configuration_.box, box_)));
        }
    } else {
        frame.z_edges = grid_.z_edges;
        frame.r_edges = grid_.r_edges;
    }
    return frame;
}

std::variant<PreparedCase, RejectedCase> CaseRun::draw(std::int64_t number) const {
    return configuration_.box ? draw_in_box(number) : draw_radial(number);
}

std::variant<PreparedCase, RejectedCase> CaseRun::draw_in_box(std::int64_t number) const {
    auto reservoir = std::make_shared<const BoxReservoir>(draw_box(configuration_, box_, number, times_.back()));
    const double buildup = estimated_buildup(*reservoir, times_.back());
    if (buildup > configuration_.checks.estimated_buildup) {
        return RejectedCase{number, Rejection::estimated_buildup, fmt::format("{:.0f} bar", buildup)};
    }
    return PreparedCase{reservoir->inputs, reservoir->rock.porosity.size(),
                        deck_text(*reservoir, times_, release_.brine),
                        [reservoir, bits = configuration_.output_bits](const FlowResults& results) {
                            return finished_case(*reservoir, results, bits);
                        },
                        [reservoir] { return drawn_case(*reservoir); }};
}

std::variant<PreparedCase, RejectedCase> CaseRun::draw_radial(std::int64_t number) const {
    SampledCase sampled = sample_case(configuration_, number);
    draw_schedule(configuration_, times_.back(), sampled);
    const Geology rock = draw_geology(configuration_, sampled, lattice_);
    // On the lattice, so that the same cases are run whatever the grid.
    const double buildup = estimated_buildup(make_reservoir(sampled, rock, lattice_, lattice_), times_.back());
    if (buildup > configuration_.checks.estimated_buildup) {
        return RejectedCase{number, Rejection::estimated_buildup, fmt::format("{:.0f} bar", buildup)};
    }
    return prepared_case(make_reservoir(sampled, rock, lattice_, grid_), times_, release_.brine,
                         configuration_.output_bits);
}

}  // namespace plumecast
