#include "reservoir/io/h5/stored_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <plumecast/core/error.hpp>

#include "reservoir/io/h5/file.hpp"
#include "reservoir/io/h5/session.hpp"

namespace plumecast::h5 {

void StoredNumbers::unpack(std::span<double> numbers) const {
    for (double& number : numbers) {
        const bool is_missing = std::ranges::find(missing, number) != missing.end();
        number = is_missing ? std::numeric_limits<double>::quiet_NaN() : scale * number + offset;
    }
}

StoredNumbers File::stored_numbers(const std::string& array) const {
    const Session session;
    StoredNumbers stored;
    const std::vector<std::string> present = attributes(array);
    const auto has_attribute = [&](const char* name) { return std::ranges::find(present, name) != present.end(); };
    const auto values_of = [&](const char* name) {
        const std::vector<double> values = has_attribute(name) ? numbers(array, name) : std::vector<double>();
        if (has_attribute(name) && values.empty()) {
            throw InvalidData(path_ + ": " + array + ": attribute " + name +
                              " is no number (it says what the stored numbers mean); correct or remove it");
        }
        return values;
    };
    const auto number_of = [&](const char* name, double otherwise) {
        const std::vector<double> values = values_of(name);
        if (!values.empty() && (values.size() > 1 || !std::isfinite(values[0]))) {
            throw InvalidData(path_ + ": " + array + ": attribute " + name +
                              " is not one finite number (it says what the stored numbers mean); correct it");
        }
        return values.empty() ? otherwise : values[0];
    };
    if (has_attribute("_Unsigned")) {
        throw InvalidData(path_ + ": " + array +
                          ": attribute _Unsigned is not understood (it changes what the stored numbers mean); store "
                          "the values as float32");
    }
    stored.scale = number_of("scale_factor", 1.0);
    stored.offset = number_of("add_offset", 0.0);
    for (const char* name : {"_FillValue", "missing_value"}) {
        std::ranges::copy_if(values_of(name), std::back_inserter(stored.missing),
                             [](double value) { return !std::isnan(value); });
    }
    return stored;
}

}  // namespace plumecast::h5
