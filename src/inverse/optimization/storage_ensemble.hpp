#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>

#include "inverse/optimization/search/design_problem.hpp"
#include "inverse/optimization/storage_config.hpp"
#include "inverse/optimization/well_placement.hpp"

namespace plumecast {

/// A choice for a case of the ensemble.
struct PlannedCase {
    const std::vector<double>* point = nullptr;  ///< of the variables of StorageEnsemble::variables()
    std::size_t place = 0;                       ///< of the case among those of the ensemble
    std::size_t placement = 0;                   ///< of its wells, among those of StorageEnsemble::placements()
};

/// Where the figure of a limit is measured in the grid of the geologies.
struct LimitPlace {
    std::vector<double> inside = {};         ///< [columns] share within the area of the limit; empty without one
    std::optional<std::size_t> column = {};  ///< that holds the place of the limit
};

/// The inputs of geologies in memory, from which cases with other rates and perforations are made.
class StorageEnsemble {
   public:
    /// Reads the inputs of these cases of a data set. Throws InvalidData for saturation tables and boxes whose cases
    /// have other numbers of wells, IoError, and InvalidInput for a perforation below one of the formations or in a
    /// box, wells of a box that may inject nothing, periods that end after the last time, and places of wells or limits
    /// that the grid does not have.
    StorageEnsemble(const Dataset& dataset, std::vector<std::int64_t> cases, const StorageConfig& config);

    /// Numbers of the cases in the data set.
    const std::vector<std::int64_t>& cases() const { return cases_; }
    /// Rates of the periods, well after well in the order of their columns, then top and length of the perforated
    /// interval where these are to be chosen: so that some of each formation is open; an interval that reaches below a
    /// formation ends with it.
    const std::vector<DesignVariable>& variables() const { return variables_; }
    /// How many of them are rates.
    std::size_t rates() const { return rates_; }
    /// Where the wells may be: of each combination the places by their numbers in the configuration, in the order of
    /// their columns. One combination without numbers where the wells stay.
    const std::vector<std::vector<std::size_t>>& placements() const { return placement_.combinations; }
    /// How many wells a case has.
    std::int64_t wells() const { return placement_.count(); }
    /// Of the limits of the configuration, in their order.
    const std::vector<LimitPlace>& limit_places() const { return limit_places_; }
    /// Inputs of cases with what is planned for each: a data set in memory.
    DatasetContent planned(const std::vector<PlannedCase>& plan) const;
    /// Bytes of inputs and outputs of a case, about.
    std::size_t bytes_per_case() const { return bytes_; }

   private:
    void require_active(const StorageLimit& limit, std::optional<std::size_t> column) const;
    void add_interval(const Dataset& dataset, const StorageConfig& config);
    void add_rates(const PlannedCase& planned, DatasetContent& content) const;
    std::vector<float> perforation(const std::vector<double>& point, std::size_t place) const;
    double thickness(std::size_t place) const;

    std::vector<std::int64_t> cases_;
    DatasetContent frame_;  // with maps and scalars of the cases
    std::vector<DesignVariable> variables_;
    std::vector<double> ends_;  // of the periods [day]
    WellPlacement placement_;   // of boxes
    std::vector<LimitPlace> limit_places_;
    std::size_t rates_ = 1;  // variables that are rates
    std::size_t bytes_ = 0;
};

}  // namespace plumecast
