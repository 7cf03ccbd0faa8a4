#include "service/json_numbers.hpp"

#include <cmath>

namespace plumecast::service {

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json numbers_json(const std::vector<double>& values) {
    Json::Array list;
    list.reserve(values.size());
    for (const double value : values) {
        list.push_back(number_json(value));
    }
    return list;
}

Json texts_json(const std::vector<std::string>& texts) { return Json::Array(texts.begin(), texts.end()); }

}  // namespace plumecast::service
