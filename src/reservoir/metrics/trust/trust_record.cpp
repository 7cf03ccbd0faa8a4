#include "reservoir/metrics/trust/trust_record.hpp"

namespace plumecast {

Json TrustRecord::to_json() const {
    Json json = Json::Object{};
    if (!cloud.empty()) {
        json["cloud"] = cloud.to_json();
    }
    if (!expected.empty()) {
        Json::Array models;
        for (const ErrorModel& one : expected) {
            models.push_back(one.to_json());
        }
        json["expected"] = std::move(models);
    }
    if (limits != TrustLimits{}) {
        json["limits"] = limits.to_json();
    }
    if (!calibration.is_null()) {
        json["calibration"] = calibration;
    }
    return json;
}

TrustRecord TrustRecord::of(const Json& training, const std::string& path) {
    TrustRecord record;
    if (training.find("trust") == nullptr) {
        return record;
    }
    JsonReader parent(training, path);
    JsonReader object = parent.object("trust");
    if (object.has("cloud")) {
        JsonReader cloud = object.object("cloud");
        record.cloud = TrainingCloud::read(cloud);
    }
    if (object.has("expected")) {
        for (JsonReader& one : object.objects("expected")) {
            record.expected.push_back(ErrorModel::read(one));
        }
    }
    if (object.has("limits")) {
        JsonReader limits = object.object("limits");
        record.limits = TrustLimits::read(limits);
    }
    if (object.has("calibration")) {
        record.calibration = object.raw("calibration");
    }
    object.reject_unknown();
    return record;
}

}  // namespace plumecast
