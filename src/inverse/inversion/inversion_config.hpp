#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// How a posterior is found.
enum class InversionMethod { esmda };

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
    int steps = 4;                    ///< of equal inflation
    std::int64_t members = 0;         ///< the first of the prior; 0 for all
    double localization = 3.0;        ///< Localization::threshold
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
    /// Sets one entry, as `steps=6` or `case.index=2`; what is not JSON is text. Throws InvalidInput.
    void set(const std::string& assignment);
    /// Throws InvalidInput naming the first entry that is missing or outside its range.
    void check() const;
};

}  // namespace plumecast
