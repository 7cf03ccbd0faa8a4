#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reservoir/import/open_case.hpp"

namespace plumecast {

/// Rock of the cases of an import: saturation tables, compressibility, temperature gradient, stated pore volumes. The
/// cases are numbered as the `sources` of the import.
class RockOfCases {
   public:
    /// Takes the next case in.
    void add(const OpenCase& opened);

    /// Saturation tables of the cases, as text.
    const std::vector<std::string>& tables() const { return tables_; }
    /// Whether all cases have saturation tables, whose numbers their cells then tell.
    bool has_regions() const { return has_regions_; }
    /// Whether any case states pore volumes beside porosities.
    bool has_pore_volumes() const { return has_pore_volumes_; }
    /// The temperature gradient of all cases [degC/m]; nothing where none tells one. Throws InvalidData where they
    /// differ.
    std::optional<double> temperature_gradient(const std::vector<std::string>& sources) const;
    /// The rock compressibility of all cases [1/bar]; nothing where none tells one, or where they differ.
    std::optional<double> compressibility() const;
    /// What is to be said where rock compressibilities differ; empty where they agree.
    std::vector<std::string> differences(const std::vector<std::string>& sources) const;

   private:
    std::vector<std::string> tables_;
    std::vector<std::optional<double>> compressibilities_;
    std::vector<std::optional<double>> gradients_;
    bool has_pore_volumes_ = false;
    bool has_regions_ = true;
};

}  // namespace plumecast
