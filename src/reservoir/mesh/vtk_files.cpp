#include "reservoir/mesh/vtk_files.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/markup.hpp"
#include "io/atomic_file.hpp"
#include "io/durable.hpp"

namespace plumecast {
namespace {

template <class Value>
constexpr const char* type_name();
template <>
constexpr const char* type_name<float>() {
    return "Float32";
}
template <>
constexpr const char* type_name<double>() {
    return "Float64";
}
template <>
constexpr const char* type_name<std::int32_t>() {
    return "Int32";
}
template <>
constexpr const char* type_name<std::uint8_t>() {
    return "UInt8";
}

/// Collects the description of arrays and, behind it, their bytes, each led by its length.
class VtkXml {
   public:
    explicit VtkXml(const char* type) : type_(type) {
        static_assert(std::endian::native == std::endian::little, "the files are declared little-endian");
        text_ = fmt::format(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt64\">\n<{}",
            type, type);
    }

    /// Adds XML as it is.
    void add(std::string_view text) { text_ += text; }

    template <class Value>
    void array(std::string_view name, std::span<const Value> values, int components = 1) {
        text_ += fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
            "offset=\"{}\"/>\n",
            type_name<Value>(), name, components, data_.size());
        append(values);
    }

    /// The time as a field of the whole grid, the way ParaView looks for it.
    void time(double days) {
        text_ += fmt::format(
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"appended\" offset=\"{}\"/>\n</FieldData>\n",
            data_.size());
        append(std::span<const double>(&days, 1));
    }

    void write(const std::filesystem::path& path) {
        text_ += fmt::format("</{}>\n<AppendedData encoding=\"raw\">\n_", type_);
        AtomicFile target(path);
        std::ofstream file(target.path(), std::ios::binary | std::ios::trunc);
        errno = 0;
        file << text_ << data_ << "\n</AppendedData>\n</VTKFile>\n";
        file.close();
        if (!file) {
            throw_io_error("write", path, errno == 0 ? EIO : errno);
        }
        target.commit();
    }

   private:
    template <class Value>
    void append(std::span<const Value> values) {
        const std::uint64_t bytes = values.size_bytes();
        data_.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
        data_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }

    std::string type_;
    std::string text_;
    std::string data_;
};

void add_cell_arrays(VtkXml& xml, std::span<const CellArray> arrays, std::size_t cells) {
    for (const CellArray& array : arrays) {
        expects(array.values.size() == cells, "one value per cell of the mesh");
        xml.array(array.name, array.values);
    }
}

}  // namespace

void write_vtu(const std::filesystem::path& path, const HexMesh& mesh, double time, std::span<const CellArray> arrays) {
    constexpr std::uint8_t hexahedron = 12;
    std::vector<std::int32_t> ends(mesh.cells());
    for (std::size_t cell = 0; cell < ends.size(); ++cell) {
        ends[cell] = static_cast<std::int32_t>(8 * (cell + 1));
    }
    VtkXml xml("UnstructuredGrid");
    xml.add(">\n");
    xml.time(time);
    xml.add(fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<CellData>\n", mesh.points.size() / 3,
                        mesh.cells()));
    add_cell_arrays(xml, arrays, mesh.cells());
    xml.add("</CellData>\n<Points>\n");
    xml.array("Points", std::span(mesh.points), 3);
    xml.add("</Points>\n<Cells>\n");
    xml.array("connectivity", std::span(mesh.corners));
    xml.array("offsets", std::span<const std::int32_t>(ends));
    xml.array("types", std::span<const std::uint8_t>(std::vector<std::uint8_t>(mesh.cells(), hexahedron)));
    xml.add("</Cells>\n</Piece>\n");
    xml.write(path);
}

void write_vtr(const std::filesystem::path& path, std::span<const double> x, std::span<const double> z, double time,
               std::span<const CellArray> arrays, std::span<const std::uint8_t> hidden) {
    const std::size_t cells = (x.size() - 1) * (z.size() - 1);
    expects(hidden.size() == cells, "one mark per cell");
    constexpr std::uint8_t hidden_cell = 32;  // a bit of vtkGhostType
    std::vector<std::uint8_t> ghosts(cells);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        ghosts[cell] = hidden[cell] != 0 ? hidden_cell : std::uint8_t{0};
    }
    const std::string extent = fmt::format("0 {} 0 0 0 {}", x.size() - 1, z.size() - 1);
    const double plane = 0.0;
    VtkXml xml("RectilinearGrid");
    xml.add(fmt::format(" WholeExtent=\"{}\">\n", extent));
    xml.time(time);
    xml.add(fmt::format("<Piece Extent=\"{}\">\n<CellData>\n", extent));
    add_cell_arrays(xml, arrays, cells);
    xml.array("vtkGhostType", std::span<const std::uint8_t>(ghosts));
    xml.add("</CellData>\n<Coordinates>\n");
    xml.array("x", x);
    xml.array("y", std::span<const double>(&plane, 1));
    xml.array("z", z);
    xml.add("</Coordinates>\n</Piece>\n");
    xml.write(path);
}

void write_pvd(const std::filesystem::path& path, std::span<const std::pair<double, std::string>> steps) {
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<Collection>\n";
    for (const auto& [time, name] : steps) {
        text += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", time, escape_markup(name));
    }
    write_text_atomically(path, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace plumecast
