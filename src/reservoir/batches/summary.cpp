#include <filesystem>
#include <numeric>

#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/batches/summary.hpp"
#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/dataset/channel_layout.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

std::uint64_t unpacked_size(const h5::File& file) {
    std::uint64_t total = 0;
    for (const std::string& array : file.arrays()) {
        const h5::ArrayInfo info = file.info(array);
        total += std::accumulate(info.extents.begin(), info.extents.end(), std::uint64_t{info.element_bytes},
                                 [](std::uint64_t bytes, auto n) { return bytes * static_cast<std::uint64_t>(n); });
    }
    return total;
}

void describe_channels(const std::string& path, DataSummary& summary) {
    const auto source = channel_file_source(path);
    const Shape box = source->extents();
    summary.kind = "ready-made channels";
    summary.cases = source->cases();
    summary.rows = box[0];
    summary.columns = box[-2];
    summary.lines = box.rank() > 3 ? box[1] : 0;
    summary.snapshots = box[-1];
    summary.channels = source->channels();
}

void describe_dataset(const std::string& path, DataSummary& summary) {
    const Dataset dataset(path);
    summary.kind = "data set";
    summary.title = dataset.attribute("title");
    summary.source = dataset.attribute("source");
    summary.cases = dataset.cases();
    summary.rows = dataset.rows();
    summary.columns = dataset.columns();
    summary.snapshots = dataset.snapshots();
    if (dataset.geometry() == Geometry::generic) {
        summary.kind = "generic data";
        summary.lines = dataset.space().rank() > 2 ? dataset.space()[1] : 0;
    } else if (dataset.geometry() == Geometry::radial) {
        summary.radius = dataset.r_edges().back();
    } else {
        summary.lines = dataset.space()[1];
        summary.length_x = dataset.x_edges().back() - dataset.x_edges().front();
        summary.length_y = dataset.y_edges().back() - dataset.y_edges().front();
        summary.place = dataset.place();
        summary.has_cell_volumes = !dataset.cell_values("cell_volume").empty();
        summary.is_corner_point = !is_box(dataset);
        if (summary.is_corner_point && !dataset.cell_values("cell_centre_x").empty()) {
            summary.place.rotation.reset();  // the centres say how it lies
        }
        summary.connections = static_cast<std::int64_t>(dataset.cell_values("connection_first").size());
    }
    summary.depth = dataset.z_edges().back();
    summary.first_time = dataset.times().front();
    summary.last_time = dataset.times().back();
    summary.periods = static_cast<std::int64_t>(dataset.schedule_ends().size());
    std::vector<std::int64_t> all(static_cast<std::size_t>(dataset.cases()));
    std::iota(all.begin(), all.end(), 0);
    summary.inputs = InputRanges::over(dataset, all).ranges();
    summary.outputs = dataset.outputs();
    summary.notes = data_notes(path);
}

}  // namespace

DataSummary describe(const std::string& path) {
    DataSummary summary;
    if (is_channel_file(path)) {
        describe_channels(path, summary);
    } else {
        describe_dataset(path, summary);
    }
    summary.file_bytes = std::filesystem::file_size(path);
    summary.unpacked_bytes = unpacked_size(h5::File::open(path));
    return summary;
}

}  // namespace plumecast
