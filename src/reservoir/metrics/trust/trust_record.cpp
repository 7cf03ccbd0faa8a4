#include "reservoir/metrics/trust/trust_record.hpp"

#include "core/json_fields.hpp"

namespace plumecast {
namespace {

/// What is empty or usual is not written.
template <class Visitor, class Record>
void visit_record(Visitor& v, Record& record) {
    if (Visitor::reads || !record.cloud.empty()) {
        v.nested("cloud", record.cloud);
    }
    if (Visitor::reads || !record.expected.empty()) {
        v.nested("expected", record.expected);
    }
    if (Visitor::reads || record.limits != TrustLimits{}) {
        v.nested("limits", record.limits);
    }
    if (Visitor::reads || !record.bands.empty()) {
        v.nested("figure_bands", record.bands);
    }
    if (Visitor::reads || !record.field_bands.empty()) {
        v.nested("field_bands", record.field_bands);
    }
    if (Visitor::reads || !record.calibration.is_null()) {
        v.field("calibration", record.calibration);
    }
}

}  // namespace

Json TrustRecord::to_json() const {
    return written([&](FieldWriter& v) { visit_record(v, *this); });
}

TrustRecord TrustRecord::of(const Json& training, const std::string& path) {
    TrustRecord record;
    if (training.find("trust") != nullptr) {
        JsonReader parent(training, path);
        JsonReader object = parent.object("trust");
        read_whole(object, [&](FieldReader& v) { visit_record(v, record); });
    }
    return record;
}

}  // namespace plumecast
