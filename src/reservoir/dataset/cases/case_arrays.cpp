#include "reservoir/dataset/cases/case_arrays.hpp"

#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/cases/injected_mass.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {

std::vector<Violation> case_array_violations(const Dataset& dataset) {
    std::vector<Violation> found;
    if (!dataset.is_file()) {
        return found;
    }
    const h5::File file = h5::File::open(dataset.path());
    const auto check = [&](const std::string& path, bool is_error, const auto& read) {
        try {
            read();
        } catch (const InvalidData& error) {
            std::string text = std::string(error.what()).substr(dataset.path().size() + path.size() + 2);
            text.erase(0, text.find_first_not_of(": "));
            const std::size_t cut = text.rfind("; ");
            found.push_back({path, text.substr(0, cut), text.substr(cut + 2), is_error});
        }
    };
    const std::string mass = "/case/" + std::string(injected_mass_name);
    for (const std::string& path : file.arrays()) {
        if (path == mass) {
            check(path, true, [&] { injected_mass(dataset); });
        } else if (path.starts_with("/case/") && !path.starts_with("/case/rejected_")) {
            check(path, false, [&] {
                const std::vector<std::int64_t> extents = file.info(path).extents;
                if (!extents.empty() && extents[0] != dataset.cases()) {
                    throw InvalidData(
                        dataset.path() + ": " + path + " has " + counted(extents[0], "row") + " for " +
                        counted(dataset.cases(), "case") +
                        " (nobody knows of which case one is); give it one of each case, or leave it out");
                }
            });
        }
    }
    return found;
}

}  // namespace plumecast
