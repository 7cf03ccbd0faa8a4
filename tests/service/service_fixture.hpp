#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/backend/backend.hpp>

#include "service/service.hpp"
#include "support/repository.hpp"

namespace plumecast::service {

inline const char* const case_entries =
    R"("initial_pressure":150,"temperature":60,"irreducible_water_saturation":0.2,"van_genuchten_lambda":0.5,)"
    R"("thickness":100,"permeability_r":100,"permeability_z":10,"porosity":0.2,"perforation":{"top":50,"bottom":100})";

/// A body with one case of the model's own grid.
inline std::string predict_body(const std::string& before = "", const std::string& of_case = "\"injection_rate\":1,") {
    return "{" + before + "\"cases\":[{" + of_case + case_entries + "}]}";
}

/// Few cells and times, for the front of a body.
inline const char* const grid_entries =
    R"("grid":{"r_edges":[0.1,10,100,1000,100000],"z_edges":[0,50,100]},"times":[100,1000],)";

class ServiceTest : public ::testing::Test {
   protected:
    static Backend& backend() {
        static const std::unique_ptr<Backend> one = make_cpu_backend();
        return *one;
    }

    static Service make(ServiceOptions options = {}) {
        std::vector<ServedModel> models;
        models.emplace_back(testing::repository_folder() + "/models/radial-co2-fast", backend());
        return Service(std::move(models), std::move(options));
    }

    static Request post(const std::string& path, const std::string& body, const std::string& accept = "") {
        return {"POST", path, {{"content-type", "application/json"}, {"accept", accept}}, body, "127.0.0.1", nullptr};
    }

    static Json json_of(const Response& response) { return Json::parse(response.body, "answer"); }
    static std::string detail_of(const Response& response) {
        return *json_of(response).find("detail")->get_if<std::string>();
    }
    static const Json& only_case(const Json& answer) { return answer.find("cases")->get_if<Json::Array>()->front(); }

    Service service_ = make();
};

}  // namespace plumecast::service
