#include "reservoir/mesh/xdmf_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/markup.hpp"
#include "io/atomic_file.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

std::string relative_name(const std::filesystem::path& file, const std::filesystem::path& to) {
    // Through links, as readers go up from where the folder really is.
    const auto folder = std::filesystem::weakly_canonical(std::filesystem::absolute(to).parent_path());
    return escape_markup(
        std::filesystem::weakly_canonical(std::filesystem::absolute(file)).lexically_relative(folder).string());
}

std::string mesh_item(const std::string& file, const char* array, const std::string& extents, const char* type) {
    return fmt::format("<DataItem Format=\"HDF\" {} Dimensions=\"{}\">{}:/{}</DataItem>", type, extents, file, array);
}

/// An array of the data set file: [N, T, cells] when it varies in time, else [N, cells].
struct Source {
    std::string name;
    std::string path;
    std::vector<std::int64_t> extents;
    bool varies_in_time;
    std::string type;
};

std::vector<Source> sources_of(const XdmfSeries& series) {
    const h5::File file = h5::File::open(series.fields);
    std::vector<Source> sources;
    for (const std::string& name : series.arrays) {
        const ArraySpec* spec = find_array(name);
        expects(spec != nullptr, "an array of the format");
        const h5::ArrayInfo info = file.info(spec->path);
        const bool is_byte = info.element == h5::Element::integer && info.element_bytes == 1;
        const char* kind = info.element == h5::Element::integer ? "Int" : "Float";
        sources.push_back({name, spec->path, info.extents, spec->role == Role::output,
                           is_byte ? "NumberType=\"UChar\""
                                   : fmt::format("NumberType=\"{}\" Precision=\"{}\"", kind, info.element_bytes)});
    }
    return sources;
}

/// The values of one case at one time: a slab of the whole array.
std::string slab(const XdmfSeries& series, const Source& array, std::size_t time, const std::string& file) {
    std::vector<std::int64_t> start(array.extents.size(), 0);
    const std::vector<std::int64_t> stride(array.extents.size(), 1);
    std::vector<std::int64_t> count = array.extents;
    start[0] = static_cast<std::int64_t>(series.which);
    count[0] = 1;
    if (array.varies_in_time) {
        start[1] = static_cast<std::int64_t>(time);
        count[1] = 1;
    }
    return fmt::format(
        "<Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
        "<DataItem ItemType=\"HyperSlab\" Type=\"HyperSlab\" Dimensions=\"{}\">\n"
        "<DataItem Dimensions=\"3 {}\" Format=\"XML\">{} {} {}</DataItem>\n"
        "<DataItem Format=\"HDF\" {} Dimensions=\"{}\">{}:{}</DataItem>\n</DataItem>\n</Attribute>\n",
        array.name, series.cells, array.extents.size(), fmt::join(start, " "), fmt::join(stride, " "),
        fmt::join(count, " "), array.type, fmt::join(array.extents, " "), file, array.path);
}

}  // namespace

void write_mesh(const std::filesystem::path& path, const HexMesh& mesh, const std::vector<float>& volumes) {
    AtomicFile target(path);
    h5::File file = h5::File::create(target.path(), path);
    const auto points = static_cast<std::int64_t>(mesh.points.size() / 3);
    const auto cells = static_cast<std::int64_t>(mesh.cells());
    file.create_array<double>("/points", {.extents = {points, 3}, .compressed = false, .fill = {}});
    file.write_rows<double>("/points", 0, points, mesh.points);
    const std::vector<std::int64_t> corners(mesh.corners.begin(), mesh.corners.end());
    file.create_array<std::int64_t>("/corners", {.extents = {cells, 8}, .compressed = false, .fill = {}});
    file.write_rows<std::int64_t>("/corners", 0, cells, corners);
    file.create_array<float>("/cell_volume", {.extents = {cells}, .compressed = false, .fill = {}});
    file.write_rows<float>("/cell_volume", 0, cells, volumes);
    file.set_text("/points", "units", "m");
    file.set_text("/cell_volume", "units", "m3");
    file.close();
    target.commit();
}

void write_xdmf(const std::filesystem::path& path, const XdmfSeries& series) {
    const std::string fields = relative_name(series.fields, path);
    const std::string mesh = relative_name(series.mesh, path);
    const std::string cells = std::to_string(series.cells);
    const std::vector<Source> sources = sources_of(series);
    std::string text =
        "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
        "<Grid Name=\"case\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    for (std::size_t time = 0; time < series.times.size(); ++time) {
        text += fmt::format("<Grid Name=\"case\" GridType=\"Uniform\">\n<Time Value=\"{}\"/>\n", series.times[time]);
        text += fmt::format("<Topology TopologyType=\"Hexahedron\" NumberOfElements=\"{}\">\n{}\n</Topology>\n", cells,
                            mesh_item(mesh, "corners", cells + " 8", "NumberType=\"Int\" Precision=\"8\""));
        text += fmt::format(
            "<Geometry GeometryType=\"XYZ\">\n{}\n</Geometry>\n",
            mesh_item(mesh, "points", std::to_string(series.points) + " 3", "NumberType=\"Float\" Precision=\"8\""));
        for (const Source& array : sources) {
            text += slab(series, array, time, fields);
        }
        text +=
            fmt::format("<Attribute Name=\"cell_volume\" AttributeType=\"Scalar\" Center=\"Cell\">\n{}\n</Attribute>\n",
                        mesh_item(mesh, "cell_volume", cells, "NumberType=\"Float\" Precision=\"4\""));
        text += "</Grid>\n";
    }
    write_text_atomically(path, text + "</Grid>\n</Domain>\n</Xdmf>\n");
}

}  // namespace plumecast
