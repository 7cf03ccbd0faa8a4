#include "inference/prediction/prediction_task.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "inference/guided/written_fields.hpp"
#include "inference/prediction/array_results.hpp"
#include "inference/prediction/file_results.hpp"
#include "inference/prediction/output_checks.hpp"
#include "reservoir/dataset/channel_layout.hpp"
#include "reservoir/metrics/trust/figure_bands.hpp"

namespace plumecast {

OpenInput::OpenInput(const PredictionInput& input, const LogSink& log) : memory(std::get_if<MemoryCases>(&input)) {
    name = memory != nullptr ? memory->name : std::get<std::string>(input);
    if (memory == nullptr && is_channel_file(name)) {
        const auto channels = channel_file_source(name);
        cases = channels->cases();
        extents = channels->extents();
        return;
    }
    memory != nullptr ? dataset.emplace(*memory) : dataset.emplace(name);
    for (const Violation& one : memory != nullptr ? require_valid_inputs(*memory) : require_valid_inputs(name)) {
        if (log) {
            log(Severity::warning, fmt::format("{}: {}: {}; {}", name, one.path, one.problem, one.remedy));
        }
    }
    cases = dataset->cases();
    extents = dataset->space().append(dataset->snapshots());
}

OpenInput::OpenInput(Dataset open)
    : memory(nullptr),
      name(open.path()),
      dataset(std::move(open)),
      cases(dataset->cases()),
      extents(dataset->space().append(dataset->snapshots())) {}

namespace {

void require_bands(const Bundle& bundle, const FieldBands& calibrated) {
    if (calibrated.empty()) {
        throw InvalidInput(
            fmt::format("{}: records no bands of its fields (it has not been calibrated for them); "
                        "calibrate a copy of it with {} simulated cases or more that it never saw",
                        bundle.path, FigureBands::least_cases));
    }
}

}  // namespace

std::vector<std::string> names_asked_for(const PredictionOutput& output, const std::vector<std::string>& of_file) {
    const auto* arrays = std::get_if<PredictedArrays>(&output);
    if (arrays == nullptr) {
        return of_file;
    }
    std::vector<std::string> names;
    for (const auto& [name, array] : arrays->arrays) {
        names.push_back(name);
    }
    return names;
}

WantedNetworks wanted_of(const Bundle& bundle, const std::vector<std::string>& asked, const FieldBands* calibrated,
                         bool bands) {
    WantedNetworks wanted{written_fields(bundle), {}, written_physics(bundle), false, {}};
    const auto is_asked = [&](const std::string& name) {
        return asked.empty() || std::ranges::find(asked, name) != asked.end();
    };
    const auto is_end = [](const std::string& name) { return !banded_field(name).empty(); };
    wanted.has_bands = calibrated != nullptr && (bands || std::ranges::any_of(asked, is_end));
    std::vector<std::string> known = wanted.fields, ends;
    if (wanted.has_bands) {
        require_bands(bundle, *calibrated);
        for (const std::string& field : wanted.fields) {
            for (const std::string& end : calibrated->of(field) ? ends_of_band(field) : std::vector<std::string>()) {
                known.push_back(end);
                if (bands ? is_asked(field) || is_asked(end) : is_asked(end)) {
                    ends.push_back(end);
                }
            }
        }
    }
    require_known_fields(asked, known);
    if (wanted.has_bands) {
        std::ranges::copy_if(wanted.fields, std::back_inserter(wanted.judged), std::not_fn(is_asked));
    }
    std::erase_if(wanted.fields, [&](const std::string& name) { return !is_asked(name); });
    wanted.fields.insert(wanted.fields.end(), ends.begin(), ends.end());
    const auto is_left_out = [&](const std::string& name) { return !wanted.has_bands && !is_asked(name); };
    for (std::size_t i = 0; i < bundle.networks.size(); ++i) {
        std::erase_if(wanted.physics_fields[i],
                      [&](const std::string& source) { return is_left_out(output_of(source)); });
        const std::vector<Field>& fields = bundle.networks[i].network->description().fields;
        const auto is_wanted = [&](const Field& field) { return !is_left_out(field.name); };
        if (!wanted.physics_fields[i].empty() || std::ranges::any_of(fields, is_wanted)) {
            wanted.networks.push_back(i);
        }
    }
    return wanted;
}

std::vector<std::string> ends_of_band(const std::string& field) { return {field + "_low", field + "_high"}; }

std::map<std::string, std::string> units_of(const Bundle& bundle) {
    std::map<std::string, std::string> units;
    for (const BundleNetwork& one : bundle.networks) {
        for (const Field& field : one.network->description().fields) {
            units.emplace(field.name, field.unit);
        }
    }
    return units;
}

std::unique_ptr<ResultStore> store_of(const PredictionOutput& output, const OpenInput& input,
                                      const std::vector<std::string>& fields, const FileAttributes& attributes,
                                      const std::map<std::string, std::string>& units) {
    const auto* arrays = std::get_if<PredictedArrays>(&output);
    if (arrays == nullptr) {
        return std::make_unique<FileResults>(std::get<std::string>(output), input.data(), input.name, fields,
                                             attributes, units);
    }
    const Shape space = input.extents.slice(0, input.extents.rank() - 1);
    std::vector<std::int64_t> extents = {input.cases, input.extents[-1]};
    extents.insert(extents.end(), space.extents().begin(), space.extents().end());
    require_outputs(*arrays, extents, input.memory);
    return std::make_unique<ArrayResults>(*arrays, space, input.extents[-1]);
}

}  // namespace plumecast
