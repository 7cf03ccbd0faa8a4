#include "repeated_case.hpp"

#include <utility>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/reservoir/batches/channels.hpp>

namespace plumecast::bench {

void require(plumecast_status status) {
    if (status != PLUMECAST_OK) {
        throw InvalidInput(plumecast_last_error());
    }
}

RepeatedCase::RepeatedCase(const std::string& path, std::int64_t count) : dataset_(path), count_(count) {
    for (const ArraySpec& spec : dataset_arrays(dataset_.geometry())) {
        const std::string name(spec.name());
        if (spec.role == Role::map && dataset_.has(name)) {
            add_map(name, spec.unit);
        } else if (spec.role == Role::scalar && dataset_.has(name)) {
            values_[name] = {dataset_.scalar(name).front()};
            add(name, spec.unit, values_[name].data(), {}, {});
        }
    }
    add_axis("r_edges", dataset_.r_edges(), "m");
    add_axis("x_edges", dataset_.x_edges(), "m");
    add_axis("y_edges", dataset_.y_edges(), "m");
    add_axis("z_edges", dataset_.z_edges(), "m");
    add_axis("times", dataset_.times(), "day");
    for (const char* name :
         {"residual_gas_saturation", "entry_pressure", "rock_compressibility", "initial_brine_temperature"}) {
        if (const std::string text = dataset_.attribute(name); !text.empty()) {
            cases_.attributes[name] = text;
        }
    }
    extents_ = {count, dataset_.snapshots()};
    const Shape whole = dataset_.space();
    extents_.insert(extents_.end(), whole.extents().begin(), whole.extents().end());
}

void RepeatedCase::add_map(const std::string& name, const std::string& unit) {
    const std::int64_t first = 0;
    std::vector<float>& values = values_[name];
    values.resize(static_cast<std::size_t>(dataset_.cells()));
    dataset_.read_map(name, {&first, 1}, values);
    const Shape whole = dataset_.space();
    const std::vector<std::int64_t> space(whole.extents().begin(), whole.extents().end());
    std::vector<std::int64_t> strides(space.size(), 1);
    for (std::size_t axis = space.size(); axis-- > 1;) {
        strides[axis - 1] = strides[axis] * space[axis];
    }
    add(name, unit, values.data(), space, strides);
}

plumecast_cases* RepeatedCase::in_c() const {
    plumecast_cases* made = nullptr;
    require(plumecast_cases_create(&made));
    for (const auto& [name, view] : cases_.arrays) {
        std::vector<std::int64_t> extents = view.extents, strides = view.strides;
        plumecast_array array{};
        array.data = const_cast<void*>(view.data);
        array.device = {PLUMECAST_HOST, 0};
        array.ndim = static_cast<std::int32_t>(extents.size());
        array.dtype = {PLUMECAST_FLOAT, static_cast<std::uint8_t>(8 * size_of(view.type)), 1};
        array.shape = extents.data();
        array.strides = strides.empty() ? nullptr : strides.data();
        require(plumecast_cases_set(made, name.c_str(), view.unit.c_str(), &array));
    }
    return made;
}

void RepeatedCase::add(const std::string& name, const std::string& unit, const float* values,
                       std::vector<std::int64_t> extents, std::vector<std::int64_t> strides) {
    extents.insert(extents.begin(), count_);
    strides.insert(strides.begin(), 0);
    cases_.arrays[name] = view_of(values, std::move(extents), unit, std::move(strides));
}

void RepeatedCase::add_axis(const std::string& name, const std::vector<double>& entries, const std::string& unit) {
    if (!entries.empty()) {
        cases_.arrays[name] = view_of(entries.data(), {static_cast<std::int64_t>(entries.size())}, unit);
    }
}

Fields::Fields(const Predictor& predictor, const RepeatedCase& cases) {
    for (const BundleNetwork& network : predictor.bundle().networks) {
        for (const Field& field : network.network->description().fields) {
            values_[field.name].resize(cases.values());
            outputs_.arrays[field.name] = output_to(values_[field.name].data(), cases.extents());
        }
    }
}

}  // namespace plumecast::bench
