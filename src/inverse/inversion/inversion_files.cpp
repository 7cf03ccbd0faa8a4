#include "inverse/inversion/inversion_files.hpp"

#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {
namespace {

double normalised(double difference, double error) { return difference * difference / (error * error); }

}  // namespace

std::string misfit_table(const InversionReport& report, bool is_radial) {
    std::string text = fmt::format(
        "row,field,{},z,time,unit,observed,standard_deviation,error_with_model,model_bias,prior_mean,prior_deviation,"
        "posterior_mean,posterior_deviation,prior_misfit,posterior_misfit\n",
        is_radial ? "r" : "x,y");
    for (const ObservationMisfit& one : report.observations) {
        const Observation& o = one.observation;
        const std::string place = is_radial ? fmt::format("{}", o.x) : fmt::format("{},{}", o.x, o.y);
        text += fmt::format("{},{},{},{},{},{},{},{}", o.row, o.field, place, o.z, o.time, find_array(o.field)->unit,
                            o.value, o.standard_deviation);
        for (const double value :
             {one.error, one.bias, one.prior_mean, one.prior_deviation, one.posterior_mean, one.posterior_deviation,
              normalised(o.value - one.prior_mean, one.error), normalised(o.value - one.posterior_mean, one.error)}) {
            text += fmt::format(",{:.6g}", value);
        }
        text += "\n";
    }
    return text;
}

std::string convergence_table(const InversionReport& report) {
    std::string text = "step,members,members_misfit,mean_misfit,spread,clipped,not_good\n";
    for (const InversionStep& step : report.steps) {
        text += fmt::format("{},{},{:.6g},{:.6g},{:.6g},{},{}\n", step.step, step.members, step.members_misfit,
                            step.mean_misfit, step.spread, step.clipped, step.not_good);
    }
    return text;
}

std::string record_of(const InversionConfig& config, const InversionReport& report) {
    Json json;
    json["configuration"] = config.to_json();
    Json::Array steps;
    for (const InversionStep& step : report.steps) {
        Json one;
        one["step"] = step.step;
        one["members"] = step.members;
        one["members_misfit"] = step.members_misfit;
        one["mean_misfit"] = step.mean_misfit;
        one["spread"] = step.spread;
        one["clipped"] = step.clipped;
        one["not_good"] = step.not_good;
        steps.push_back(std::move(one));
    }
    json["steps"] = std::move(steps);
    json["observations"] = static_cast<std::int64_t>(report.observations.size());
    json["calibration_cases"] = report.calibration_cases;
    json["members"] = Json::Array(report.numbers.begin(), report.numbers.end());
    json["warnings"] = Json::Array(report.warnings.begin(), report.warnings.end());
    return json.dump() + "\n";
}

}  // namespace plumecast
