#include "reservoir/import/tensor_import.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/io/safetensors.hpp>
#include <plumecast/reservoir/batches/channels.hpp>

#include "core/number_text.hpp"
#include "io/text_file.hpp"
#include "reservoir/import/case_loop.hpp"
#include "reservoir/import/case_values.hpp"

namespace plumecast {
namespace {

constexpr double published_well_radius = 0.1;  // [m]
constexpr const char* maps[] = {"permeability_r", "permeability_z", "porosity", "perforation"};
constexpr const char* scalars[] = {"injection_rate", "temperature", "initial_pressure", "irreducible_water_saturation",
                                   "van_genuchten_lambda"};

/// Undoes the published scale of a channel.
class PublishedScale {
   public:
    explicit PublishedScale(const std::string& source) {
        const std::vector<Channel> channels = published_channels();
        channel_ = *std::ranges::find(channels, source, &Channel::source);
    }
    double physical(double value) const {
        const double unscaled = value * channel_.scale + channel_.offset;
        return channel_.transform == Transform::log     ? std::exp(unscaled)
               : channel_.transform == Transform::log10 ? std::pow(10.0, unscaled)
                                                        : unscaled;
    }

   private:
    Channel channel_;
};

class TensorImport {
   public:
    explicit TensorImport(const ImportOptions& options) : options_(options), path_(options.sources[0]), file_(path_) {
        const auto format = file_.metadata().find("format");
        if (format == file_.metadata().end() || format->second != "plumecast-tensors") {
            refuse("no tensors of cases", "its metadata has no format plumecast-tensors",
                   "write it with scripts/convert/convert_tensors.py");
        }
    }
    ImportReport run();

   private:
    [[noreturn]] void refuse(const std::string& problem, const std::string& why, const std::string& remedy) const {
        throw InvalidData(path_ + ": " + problem + " (" + why + "); " + remedy);
    }
    void learn_frame();
    void check_shape(const std::string& name, const Shape& wanted) const;
    std::vector<double> vector(const std::string& name) const;
    std::vector<double> edges(const std::string& widths, double first) const;
    std::map<std::string, std::vector<float>> case_arrays(std::int64_t which) const;
    std::vector<float> output(const std::string& name, std::int64_t which, const std::vector<float>& active) const;

    const ImportOptions& options_;
    std::string path_;
    SafetensorsFile file_;
    DatasetContent frame_;
    std::int64_t cases_ = 0;
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    std::int64_t times_ = 0;
    std::vector<std::string> outputs_;
};

void TensorImport::check_shape(const std::string& name, const Shape& wanted) const {
    if (!file_.contains(name) || file_.shape(name) != wanted || file_.dtype(name) != "F32") {
        refuse("no " + name + " of shape " + wanted.text() + " and type F32", "the other arrays ask for it",
               "convert the tensors again");
    }
}

std::vector<double> TensorImport::vector(const std::string& name) const {
    const Tensor values = file_.read(name);
    const auto floats = values.values<float>();
    const PublishedScale scale(name);
    std::vector<double> physical;
    std::ranges::transform(floats, std::back_inserter(physical), [&](float value) { return scale.physical(value); });
    return physical;
}

/// Cells that no case uses have no width in the tensors; they take that of the one before.
std::vector<double> TensorImport::edges(const std::string& name, double first) const {
    std::vector<double> result = {first};
    double last = 0.0;
    for (const double width : vector(name)) {
        last = width > 0.0 ? width : last;
        if (!(last > 0.0) || !std::isfinite(last)) {
            refuse(name + " holds no widths", "each must be above 0", "check the order in which channels are given");
        }
        result.push_back(result.back() + last);
    }
    return result;
}

void TensorImport::learn_frame() {
    const Shape shape = file_.contains("porosity") ? file_.shape("porosity") : Shape();
    const Shape time = file_.contains("time") ? file_.shape("time") : Shape();
    if (shape.rank() != 3 || shape.count() < 1 || time.rank() != 1 || time.count() < 1) {
        refuse("no porosity [N, Z, R] and time [T]", "they give the extents", "convert the tensors again");
    }
    cases_ = shape[0];
    rows_ = shape[1];
    columns_ = shape[2];
    times_ = time[0];
    for (const char* name : maps) {
        check_shape(name, shape);
    }
    for (const char* name : scalars) {
        check_shape(name, Shape{cases_});
    }
    check_shape("cell_width_r", Shape{columns_});
    check_shape("cell_width_z", Shape{rows_});
    check_shape("time", Shape{times_});
    for (const char* name : {"gas_saturation", "pressure_buildup"}) {
        if (file_.contains(name)) {
            check_shape(name, Shape{cases_, rows_, columns_, times_});
            outputs_.emplace_back(name);
        }
    }
    const std::string& values = options_.values;
    const Json json =
        merged({values.empty() ? Json(Json::Object{}) : Json::parse(read_text(values), values), options_.set});
    JsonReader reader(json, "values of " + path_);
    frame_.r_edges = edges("cell_width_r", reader.get<double>("well_radius", published_well_radius));
    reader.reject_unknown();
    frame_.z_edges = edges("cell_width_z", 0.0);
    frame_.times = vector("time");
    const std::string program = "plumecast " + std::string(version());
    frame_.attributes = {{"title", options_.title.empty() ? "imported tensors" : options_.title},
                         {"source", "tensors of other programs, read by " + program},
                         {"history", fmt::format("{} import of {}", program, counted(cases_, "case"))}};
}

std::vector<float> TensorImport::output(const std::string& name, std::int64_t which,
                                        const std::vector<float>& active) const {
    const Tensor tensor = file_.read_entries(name, which, 1);
    const auto values = tensor.values<float>();
    const auto scale = file_.metadata().find("pressure_scale");
    const Field field = published_fields()[1];
    const bool is_standardised =
        name == field.name && scale != file_.metadata().end() && scale->second == "standardised";
    const auto times = static_cast<std::size_t>(times_);
    std::vector<float> result(values.size(), 0.0F);
    for (std::size_t cell = 0; cell < active.size(); ++cell) {
        for (std::size_t t = 0; t < times && active[cell] != 0.0F; ++t) {
            const double value = values[cell * times + t];
            if (!std::isfinite(value)) {
                refuse(fmt::format("{} of case {} is not finite in active cell {}", name, which, cell),
                       "a field has a value there", "leave the case out");
            }
            result[t * active.size() + cell] =
                static_cast<float>(is_standardised ? value * field.scale + field.offset : value);
        }
    }
    return result;
}

std::map<std::string, std::vector<float>> TensorImport::case_arrays(std::int64_t which) const {
    std::map<std::string, std::vector<float>> arrays;
    const Tensor stored = file_.read_entries("porosity", which, 1);
    const auto porosity = stored.values<float>();
    // Not the permeability, whose logarithm is 0 in an active cell of exactly 1 mD too.
    std::vector<float> active(porosity.size());
    std::ranges::transform(porosity, active.begin(), [](float value) { return value != 0.0F ? 1.0F : 0.0F; });
    for (const char* name : maps) {
        const Tensor tensor = file_.read_entries(name, which, 1);
        const auto values = tensor.values<float>();
        const PublishedScale scale(name);
        std::vector<float>& map = arrays[name];
        map.resize(values.size());
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            map[cell] = active[cell] != 0.0F ? static_cast<float>(scale.physical(values[cell])) : 0.0F;
        }
    }
    for (const char* name : scalars) {
        const Tensor tensor = file_.read_entries(name, which, 1);
        arrays[name] = {static_cast<float>(PublishedScale(name).physical(tensor.values<float>()[0]))};
    }
    double base = 0.0;
    for (std::size_t cell = 0; cell < active.size(); ++cell) {
        const std::size_t row = cell / static_cast<std::size_t>(columns_);
        base = active[cell] != 0.0F ? std::max(base, frame_.z_edges[row + 1]) : base;
    }
    arrays["thickness"] = {static_cast<float>(base)};
    for (const std::string& name : outputs_) {
        arrays[name] = output(name, which, active);
    }
    arrays["active"] = std::move(active);
    return arrays;
}

ImportReport TensorImport::run() {
    learn_frame();
    std::vector<std::string> names(std::begin(maps), std::end(maps));
    names.insert(names.end(), std::begin(scalars), std::end(scalars));
    names.insert(names.end(), {"active", "thickness"});
    names.insert(names.end(), outputs_.begin(), outputs_.end());
    return import_cases(options_, {frame_, cases_, names, {}},
                        [this](std::int64_t which) { return case_arrays(which); });
}

}  // namespace

bool is_tensor_file(const std::string& path) { return path.ends_with(".safetensors"); }

ImportReport import_tensors(const ImportOptions& options) {
    if (options.sources.size() != 1 || !options.like.empty()) {
        throw InvalidInput(
            "tensors are imported one file at a time and without ImportOptions::like (a file holds its cases, grid and "
            "times); join data sets with 'plumecast merge'");
    }
    return TensorImport(options).run();
}

}  // namespace plumecast
