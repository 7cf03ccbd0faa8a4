#include "reservoir/metrics/named_series.hpp"

#include <utility>

#include "reservoir/dataset/quantities/quantities.hpp"

namespace plumecast {

NamedSeries named_series(const std::string& name, std::vector<double> values, std::vector<double> resolution,
                         const std::string& beside) {
    const Quantity& figure = quantity(QuantityKind::figure, name);
    return {name, figure.unit, figure.meaning + beside, std::move(values), std::move(resolution)};
}

}  // namespace plumecast
