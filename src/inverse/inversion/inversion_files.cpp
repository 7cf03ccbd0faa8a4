#include "inverse/inversion/inversion_files.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/json.hpp>

#include "core/json_fields.hpp"

namespace plumecast {
namespace {

double normalised(double difference, double error) { return difference * difference / (error * error); }

/// The columns of the place, of which a well has none, and of the well.
std::string place_of(const Observation& one, bool is_radial) {
    if (one.is_of_well()) {
        return fmt::format("{},{}", is_radial ? "," : ",,", one.well);
    }
    return is_radial ? fmt::format("{},{},", one.x, one.z) : fmt::format("{},{},{},", one.x, one.y, one.z);
}

template <class Visitor, class Step>
void visit_step(Visitor& v, Step& step) {
    v.required("step", step.step);
    v.required("temperature", step.temperature);
    v.required("members", step.members);
    v.required("members_misfit", step.members_misfit);
    v.required("mean_misfit", step.mean_misfit);
    v.required("spread", step.spread);
    v.required("accepted", step.accepted);
    v.required("moves", step.moves);
    v.required("correlation", step.correlation);
    v.required("ancestors", step.ancestors);
    v.required("is_mixed", step.is_mixed);
    v.required("clipped", step.clipped);
    v.required("not_good", step.not_good);
}

Json json_of_steps(const InversionReport& report) {
    return FieldWriter::list_of(report.steps, [](auto& item, const auto& step) { visit_step(item, step); });
}

}  // namespace

Json json_of_step(const InversionStep& step) {
    return written([&](FieldWriter& v) { visit_step(v, step); });
}

std::string misfit_table(const InversionReport& report, bool is_radial) {
    std::string text = fmt::format(
        "row,field,{},z,well,time,unit,observed,standard_deviation,error_with_model,model_bias,prior_mean,prior_"
        "deviation,"
        "posterior_mean,posterior_deviation,prior_misfit,posterior_misfit\n",
        is_radial ? "r" : "x,y");
    for (const ObservationMisfit& one : report.observations) {
        const Observation& o = one.observation;
        text += fmt::format("{},{},{},{},{},{},{}", o.row, o.field, place_of(o, is_radial), o.time,
                            unit_of_observed(o.field), o.value, o.standard_deviation);
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
    std::string text =
        "step,temperature,members,members_misfit,mean_misfit,spread,accepted,moves,correlation,ancestors,clipped,"
        "not_good\n";
    for (const InversionStep& step : report.steps) {
        text += fmt::format("{},{:.6g},{},{:.6g},{:.6g},{:.6g},{:.6g},{},{:.6g},{},{},{}\n", step.step,
                            step.temperature, step.members, step.members_misfit, step.mean_misfit, step.spread,
                            step.accepted, step.moves, step.correlation, step.ancestors, step.clipped, step.not_good);
    }
    return text;
}

std::string record_of(const InversionConfig& config, const InversionReport& report) {
    Json json;
    json["configuration"] = config.to_json();
    json["steps"] = json_of_steps(report);
    json["observations"] = static_cast<std::int64_t>(report.observations.size());
    json["calibration_cases"] = report.calibration_cases;
    json["members"] = Json::Array(report.numbers.begin(), report.numbers.end());
    json["warnings"] = Json::Array(report.warnings.begin(), report.warnings.end());
    return json.dump() + "\n";
}

Json json_of_report(const InversionReport& report) {
    Json json;
    json["steps"] = json_of_steps(report);
    json["calibration_cases"] = report.calibration_cases;
    json["warnings"] = Json::Array(report.warnings.begin(), report.warnings.end());
    return json;
}

void read_report(const Json& json, InversionReport& report) {
    JsonReader object(json, "state of an inversion");
    report.calibration_cases = object.get<std::int64_t>("calibration_cases");
    report.warnings = object.get<std::vector<std::string>>("warnings");
    report.steps.clear();
    for (JsonReader& item : object.objects("steps")) {
        FieldReader reader(item);
        visit_step(reader, report.steps.emplace_back());
    }
}

}  // namespace plumecast
