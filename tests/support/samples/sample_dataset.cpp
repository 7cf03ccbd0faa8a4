#include "sample_dataset.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/physics/compute_physics.hpp"

namespace plumecast::testing {
namespace {

constexpr std::size_t cases = 3;
constexpr std::size_t rows = 4;
constexpr std::size_t columns = 5;
constexpr std::size_t times = 3;

// Distinct values in the active rows, 0 in the last one.
std::vector<float> box_values(std::size_t repeats, float start, float step) {
    std::vector<float> values(repeats * rows * columns, 0.0F);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i / columns % rows != rows - 1) {
            values[i] = start + step * static_cast<float>(i);
        }
    }
    return values;
}

}  // namespace

ScratchFolder::ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "plumecast-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("no scratch folder");
    }
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

DatasetContent sample_content() {
    DatasetContent content;
    content.attributes = {{"title", "sample"}, {"source", "made up"}, {"geometry", "radial"}};
    content.r_edges = {0.1, 1.0, 3.0, 10.0, 40.0, 100.0};
    content.z_edges = {0.0, 2.0, 4.0, 6.0, 8.0};
    content.times = {1.0, 10.0, 100.0};
    content.arrays = {{"permeability_r", box_values(cases, 10.0F, 1.0F)},
                      {"permeability_z", box_values(cases, 1.0F, 0.5F)},
                      {"porosity", box_values(cases, 0.1F, 0.002F)},
                      {"perforation", box_values(cases, 0.0F, 0.01F)},
                      {"active", box_values(cases, 1.0F, 0.0F)},
                      {"injection_rate", {0.5F, 1.0F, 1.5F}},
                      {"initial_pressure", {110.0F, 150.0F, 200.0F}},
                      {"temperature", {40.0F, 60.0F, 90.0F}},
                      {"irreducible_water_saturation", {0.1F, 0.2F, 0.3F}},
                      {"van_genuchten_lambda", {0.3F, 0.5F, 0.7F}},
                      {"thickness", {6.0F, 6.0F, 6.0F}},
                      {"gas_saturation", box_values(cases * times, 0.0F, 0.004F)},
                      {"pressure_buildup", box_values(cases * times, -1.0F, 0.1F)}};
    return content;
}

std::string write_sample(const ScratchFolder& folder) {
    std::string path = folder.file("sample.h5");
    write_dataset(path, sample_content());
    return path;
}

DatasetContent guided_content() {
    DatasetContent content = sample_content();
    content.r_edges = {0.1, 30.0, 120.0, 500.0, 5000.0, 100000.0};
    content.z_edges = {0.0, 10.0, 20.0, 30.0, 40.0};
    content.times = {10.0, 100.0, 1000.0};
    content.arrays["permeability_r"] = box_values(cases, 100.0F, 1.0F);
    content.arrays["permeability_z"] = box_values(cases, 10.0F, 0.5F);
    content.arrays["porosity"] = box_values(cases, 0.2F, 0.0005F);
    content.arrays["thickness"] = {30.0F, 30.0F, 30.0F};
    content.arrays["injection_rate"] = {0.05F, 0.1F, 0.15F};
    std::vector<float> perforation(cases * rows * columns, 0.0F);
    for (std::size_t row = 0; row < cases * rows; ++row) {
        perforation[row * columns] = row % rows == rows - 1 ? 0.0F : 1.0F;
    }
    content.arrays["perforation"] = perforation;
    content.arrays["gas_saturation"] = box_values(cases * times, 0.0F, 0.002F);
    content.arrays["pressure_buildup"] = box_values(cases * times, 0.5F, 0.01F);
    return content;
}

DatasetContent dissolving_content() {
    DatasetContent content = guided_content();
    content.arrays["injection_rate"] = {1e-5F, 2e-5F, 3e-5F};
    return content;
}

namespace {

/// Writes a data set whose outputs are nine tenths of what two phases of the reduced physics say.
void write_near_physics(const std::string& path, DatasetContent content) {
    write_dataset(path, content);
    const Dataset inputs(path);
    for (std::int64_t which = 0; which < inputs.cases(); ++which) {
        const auto physics = CasePhysics(inputs, {2}).load({&which, 1}).front();
        for (const char* name : {"gas_saturation", "pressure_buildup"}) {
            const std::vector<float>& known = physics->fields.at("physics_" + std::string(name));
            std::ranges::transform(known,
                                   content.arrays[name].begin() + which * static_cast<std::ptrdiff_t>(known.size()),
                                   [](float value) { return 0.9F * value; });
        }
    }
    write_dataset(path, content);
}

}  // namespace

std::string write_guided_sample(const ScratchFolder& folder) {
    std::string path = folder.file("guided.h5");
    write_near_physics(path, guided_content());
    return path;
}

DatasetContent cartesian_content() {
    constexpr std::size_t cells = 24;
    const auto boxes = [](std::size_t repeats, float start, float step) {
        std::vector<float> values(repeats * cells, 0.0F);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i / 4 % 3 != 2) {
                values[i] = start + step * static_cast<float>(i);
            }
        }
        return values;
    };
    DatasetContent content;
    content.attributes = {{"title", "sample in three dimensions"}, {"source", "made up"}};
    content.x_edges = {-100.0, 0.0, 100.0, 300.0, 700.0};
    content.y_edges = {0.0, 50.0, 100.0, 200.0};
    content.z_edges = {0.0, 5.0, 15.0};
    content.times = {30.0, 365.0};
    content.arrays = {{"permeability_x", boxes(2, 10.0F, 1.0F)},
                      {"permeability_y", boxes(2, 20.0F, 1.0F)},
                      {"permeability_z", boxes(2, 1.0F, 0.5F)},
                      {"porosity", boxes(2, 0.1F, 0.002F)},
                      {"perforation", std::vector<float>(2 * cells, 0.0F)},
                      {"cell_injection_rate", std::vector<float>(2 * cells, 0.0F)},
                      {"active", boxes(2, 1.0F, 0.0F)},
                      {"injection_rate", {0.75F, 1.5F}},
                      {"initial_pressure", {110.0F, 150.0F}},
                      {"temperature", {40.0F, 60.0F}},
                      {"gas_saturation", boxes(4, 0.0F, 0.004F)},
                      {"pressure_buildup", boxes(4, -1.0F, 0.1F)}};
    for (std::size_t which = 0; which < 2; ++which) {
        const auto scale = static_cast<float>(which + 1);
        for (const auto& [cell, rate] : {std::pair{1U, 0.25F}, std::pair{12U + 7U, 0.5F}}) {
            content.arrays["perforation"][which * cells + cell] = 1.0F;
            content.arrays["cell_injection_rate"][which * cells + cell] = scale * rate;
        }
    }
    return content;
}

std::string write_cartesian_sample(const ScratchFolder& folder) {
    std::string path = folder.file("cartesian.h5");
    write_dataset(path, cartesian_content());
    return path;
}

DatasetContent guided_cartesian_content() {
    DatasetContent content = cartesian_content();
    content.arrays["irreducible_water_saturation"] = {0.2F, 0.2F};
    content.arrays["van_genuchten_lambda"] = {0.5F, 0.5F};
    for (const char* rate : {"injection_rate", "cell_injection_rate"}) {
        for (float& value : content.arrays.at(rate)) {
            value *= 0.005F;
        }
    }
    return content;
}

std::string write_guided_cartesian_sample(const ScratchFolder& folder) {
    std::string path = folder.file("guided_box.h5");
    write_near_physics(path, guided_cartesian_content());
    return path;
}

std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace plumecast::testing
