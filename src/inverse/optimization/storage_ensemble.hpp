#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>

#include "inverse/optimization/design_problem.hpp"
#include "inverse/optimization/storage_config.hpp"

namespace plumecast {

/// A choice for a case of the ensemble.
struct PlannedCase {
    const std::vector<double>* point = nullptr;  ///< of the variables of StorageEnsemble::variables()
    std::size_t place = 0;                       ///< of the case among those of the ensemble
};

/// The inputs of geologies in memory, from which cases with other rates and perforations are made.
class StorageEnsemble {
   public:
    /// Reads the inputs of these cases of a data set. Throws InvalidData for saturation tables and boxes whose cases
    /// have other numbers of wells, IoError, and InvalidInput for a perforation below one of the formations or in a
    /// box, wells of a box that may inject nothing, or periods that end after the last time.
    StorageEnsemble(const Dataset& dataset, std::vector<std::int64_t> cases, const StorageConfig& config);

    /// Numbers of the cases in the data set.
    const std::vector<std::int64_t>& cases() const { return cases_; }
    /// Rates of the periods, well after well in the order of their columns, then top and length of the perforated
    /// interval where these are to be chosen: so that some of each formation is open; an interval that reaches below a
    /// formation ends with it.
    const std::vector<DesignVariable>& variables() const { return variables_; }
    /// How many of them are rates.
    std::size_t rates() const { return rates_; }
    /// Inputs of cases with what is planned for each: a data set in memory.
    DatasetContent planned(const std::vector<PlannedCase>& plan) const;
    /// Bytes of inputs and outputs of a case, about.
    std::size_t bytes_per_case() const { return bytes_; }

   private:
    void find_wells(const Dataset& dataset, const StorageConfig& config);
    void add_interval(const Dataset& dataset, const StorageConfig& config);
    void add_rates(const PlannedCase& planned, DatasetContent& content) const;
    std::vector<float> perforation(const std::vector<double>& point, std::size_t place) const;
    double thickness(std::size_t place) const;

    std::vector<std::int64_t> cases_;
    DatasetContent frame_;  // with maps and scalars of the cases
    std::vector<DesignVariable> variables_;
    std::vector<double> ends_;                     // of the periods [day]
    std::vector<std::vector<std::size_t>> wells_;  // of boxes: map cells of the wells of each case, in their order
    std::size_t rates_ = 1;                        // variables that are rates
    std::size_t bytes_ = 0;
};

}  // namespace plumecast
