#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

namespace plumecast {

/// The physics of the cases of a batch, in their order; empty where nothing comes from it.
using BatchPhysics = std::vector<CasePhysics::Fields>;

/// The n-th case's physics, where there is any.
inline const PhysicsFields* physics_of(const BatchPhysics& physics, std::size_t n) {
    return physics.empty() ? nullptr : physics[n].get();
}

/// Throws InvalidInput naming the first source that channels and fields read but `physics` (nullptr for none) does not
/// give.
void require_physics(CasePhysics* physics, const std::vector<Channel>& channels, const std::vector<Field>& fields);

/// 1 in cells at most `reach` away, along the axes of space or between them, from those above `threshold` at the same
/// time, else 0; all [T, space...], of these extents.
std::vector<float> near_plume(std::span<const float> saturation, const Shape& extents, float threshold, int reach);

/// Fills Batch::base and Batch::correction from the physics, where a field has a base; extents [space..., T].
/// T, of these, the scales and the limits, is float or double.
template <class T>
void add_base(Batch& batch, const std::vector<Field>& fields, const BatchPhysics& physics, const Shape& extents);

/// Fills Batch::scales, where there are fields: [B, T|1, F], NaN for a case that is set aside.
template <class T>
void add_scales(Batch& batch, const std::vector<Field>& fields, const Dataset& dataset, const BatchPhysics& physics);

/// Fills Batch::limits, where a field has one.
template <class T>
void add_limits(Batch& batch, const std::vector<Field>& fields, const Dataset& dataset);

/// Fills Batch::physics_fields; extents [space..., T].
void add_physics_fields(Batch& batch, const std::vector<std::string>& names, const BatchPhysics& physics,
                        const Shape& extents);

}  // namespace plumecast
