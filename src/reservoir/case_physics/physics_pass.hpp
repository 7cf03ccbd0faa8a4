#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/reservoir/case_physics/case_physics.hpp>

namespace plumecast {

/// What the reduced physics says of a case.
struct PhysicsCase {
    CasePhysics::Fields physics;  ///< nullptr where nothing is injected, so that nothing moves
    std::vector<float> active;    ///< [space...] 0 or 1
};

/// The way of cases through the reduced physics alone, to fields on their own grid; the way through a network is a
/// FieldPass, whose bases come from a CasePhysics too. Cases that cannot be computed are NaN and noted.
class PhysicsPass {
   public:
    /// The data set must outlive this. Throws InvalidData for a corner-point grid.
    PhysicsPass(const Dataset& dataset, const PhysicsSettings& settings, LogSink log);

    /// Outputs of the data set format that the physics gives.
    const std::vector<std::string>& fields() const { return names_; }
    /// Computes or reads a case; any number of threads may, for different cases. Throws InvalidData, IoError.
    PhysicsCase of(std::int64_t which);
    /// One of fields() of a case [space..., T] in physical units.
    std::vector<float> values(const PhysicsCase& of, const std::string& field) const;
    /// Zeros [N * T] for what all cases inject until each time, where limits of the pressure in wells may make it less
    /// than was asked for; else nothing.
    std::vector<float> masses() const;
    /// Puts those of a case [Mt] there; several threads may, each its own case.
    void put_masses(const PhysicsCase& of, std::int64_t which, std::vector<float>& masses) const;
    /// Cases that could not be computed; complete for those that of() returned.
    const CaseFailures& failures() const { return *failures_; }

   private:
    const Dataset& dataset_;
    std::shared_ptr<CaseFailures> failures_ = std::make_shared<CaseFailures>();
    CasePhysics physics_;
    std::vector<std::string> names_;
};

/// Writes values [space, T] of a field as [T, space] to `to`, NaN in inactive cells of `active` [space].
void put_time_first(const std::vector<float>& values, const std::vector<float>& active, std::size_t times, float* to);

}  // namespace plumecast
