#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// How a posterior is found.
enum class InversionMethod {
    esmda,  ///< ensemble smoother with multiple data assimilation
    smc,    ///< sequential Monte Carlo in the principal components of the prior
    rml,    ///< randomized maximum likelihood: each member is sought for data and prior of its own
    map     ///< the one most likely reservoir
};

/// Everything that determines an inversion; the content of CONFIG.json of `plumecast invert`.
struct InversionConfig {
    std::string model;                 ///< bundle, or "estimate" for the reduced physics alone
    std::string case_file;             ///< data set whose case states what is known
    std::int64_t case_index = 0;       ///< which of its cases
    std::string prior;                 ///< data set of realizations; of it the unknown inputs count
    std::vector<std::string> unknown;  ///< names of inputs
    std::string observations;          ///< CSV
    std::string output;                ///< folder
    InversionMethod method = InversionMethod::esmda;
    std::int64_t members = 0;   ///< the first of the prior, of smc any number; 0 for as many as the prior has
    int steps = 8;              ///< of esmda, of equal inflation
    double localization = 2.0;  ///< of esmda, Localization::threshold
    std::int64_t components =
        0;                 ///< of the prior; 0 for a tenth of the members of smc, 24 at most, and all of rml and map
    int moves = 200;       ///< of smc, of each member at each temperature at most
    int iterations = 200;  ///< of rml and map, evaluations of model and derivatives per member at most
    std::string model_error = "off";  ///< "off", or a data set of simulated cases
    std::uint64_t seed = 0;

    /// What `plumecast invert --default` prints.
    static InversionConfig defaults();
    /// Reads a configuration strictly; relative paths count from `folder`. Throws InvalidInput with the dotted path of
    /// the first wrong or unknown entry.
    static InversionConfig from_json(const Json& json, const std::string& origin, const std::string& folder);
    /// Reads CONFIG.json. Throws IoError or InvalidInput.
    static InversionConfig from_file(const std::string& path);
    Json to_json() const;
    /// "esmda", "smc", "rml", "map".
    const std::string& method_name() const;
    /// Sets one entry, as `steps=6` or `case_index=2`: of an entry that is text the text as it stands, else JSON.
    /// Throws InvalidInput.
    void set(const std::string& assignment);
    /// Throws InvalidInput naming the first entry that is missing or outside its range.
    void check() const;
};

}  // namespace plumecast
