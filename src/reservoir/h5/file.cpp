#include "reservoir/h5/file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <system_error>
#include <utility>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/h5/failed_writes.hpp"
#include "reservoir/h5/failure.hpp"
#include "reservoir/h5/packing.hpp"
#include "reservoir/h5/remedies.hpp"
#include "reservoir/h5/session.hpp"
#include "reservoir/h5/type.hpp"

namespace plumecast::h5 {
namespace {

namespace fs = std::filesystem;

// Deflate packs at most 1032 to 1, so what a file declares beyond that was never written.
constexpr double largest_compression = 1032.0;
constexpr double largest_chunk_bytes = 1024.0 * 1024.0 * 1024.0;
constexpr double largest_unbounded_bytes = largest_chunk_bytes;  // where the stored bytes do not tell

/// Whether an enumeration has the members FALSE, 0, and TRUE, 1.
bool is_truth(hid_t type) {
    if (H5Tget_nmembers(type) != 2) {
        return false;
    }
    const auto is_member = [type](const char* name, std::int64_t wanted) {
        const Handle base(H5Tget_super(type), H5Tclose);
        std::int64_t value = -1;
        return H5Tget_member_index(type, name) >= 0 && H5Tenum_valueof(type, name, &value) >= 0 &&
               H5Tconvert(base.get(), H5T_NATIVE_INT64, 1, &value, nullptr, H5P_DEFAULT) >= 0 && value == wanted;
    };
    return is_member("FALSE", 0) && is_member("TRUE", 1);
}

Element element_of(hid_t type) {
    switch (H5Tget_class(type)) {
        case H5T_FLOAT:
            return Element::real;
        case H5T_INTEGER:
            return Element::integer;
        case H5T_STRING:
            return Element::text;
        case H5T_ENUM:
            return is_truth(type) ? Element::integer : Element::codes;
        case H5T_COMPOUND:
            return Element::compound;
        case H5T_REFERENCE:
            return Element::reference;
        default:
            return Element::other;
    }
}

std::vector<hsize_t> sizes(std::span<const std::int64_t> extents) { return {extents.begin(), extents.end()}; }

Handle dataspace(const std::vector<hsize_t>& extents) {
    return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose};
}

/// Rows of the slowest axis, in the file and in memory. Both have the same axes, which the library copies whole; from
/// one shape into another it goes element by element.
struct RowSelection {
    Handle file;
    Handle memory;
    hsize_t elements = 0;
};

RowSelection select_rows(hid_t array, std::int64_t begin, std::int64_t count, const std::string& where) {
    Handle space(check<InvalidData>(H5Dget_space(array), where + " has no shape", read_remedy), H5Sclose);
    std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
    expects(!extents.empty(), "an array with at least one axis");
    H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    expects(begin >= 0 && count >= 0 && static_cast<hsize_t>(begin + count) <= extents[0], "rows within the array");
    std::vector<hsize_t> start(extents.size(), 0);
    start[0] = static_cast<hsize_t>(begin);
    extents[0] = static_cast<hsize_t>(count);
    check<InvalidData>(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, extents.data(), nullptr),
                       where + " cannot be read in part", read_remedy);
    const auto elements = static_cast<hsize_t>(H5Sget_select_npoints(space.get()));
    return {std::move(space), dataspace(extents), elements};
}

void refuse_foreign_storage(hid_t array, const std::string& where) {
    const Handle plan(H5Dget_create_plist(array), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(plan.get());
    if (layout == H5D_VIRTUAL || H5Pget_external_count(plan.get()) > 0) {
        throw InvalidData(where +
                          ": the values live in another file (not followed for safety); store them in this file");
    }
    if (layout != H5D_CHUNKED) {
        return;
    }
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    const int rank = H5Pget_chunk(plan.get(), H5S_MAX_RANK, chunk.data());
    const Handle type(H5Dget_type(array), H5Tclose);
    double bytes = static_cast<double>(H5Tget_size(type.get()));
    for (int axis = 0; axis < rank; ++axis) {
        bytes *= static_cast<double>(chunk[static_cast<std::size_t>(axis)]);
    }
    if (bytes > largest_chunk_bytes) {
        throw InvalidData(where +
                          ": one chunk takes more than 1 GiB (cases are read one by one); store one case per chunk");
    }
}

/// Whether the stored bytes of an array bound what it holds: not where a stated fill value stands for parts that were
/// never written, nor where other filters than one deflate packed them.
bool is_bounded_by_storage(hid_t array) {
    const Handle plan(H5Dget_create_plist(array), H5Pclose);
    H5D_fill_value_t fill = H5D_FILL_VALUE_DEFAULT;
    H5Pfill_value_defined(plan.get(), &fill);
    int deflates = 0;
    bool has_others = false;
    for (int i = 0; i < H5Pget_nfilters(plan.get()); ++i) {
        std::size_t values = 0;
        unsigned flags = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(plan.get(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
        deflates += filter == H5Z_FILTER_DEFLATE ? 1 : 0;
        has_others = has_others ||
                     (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32);
    }
    return fill != H5D_FILL_VALUE_USER_DEFINED && deflates < 2 && !has_others;
}

void refuse_impossible_size(const ArrayInfo& info, bool is_bounded, const std::string& where) {
    double declared = static_cast<double>(info.element_bytes);
    for (const std::int64_t extent : info.extents) {
        declared *= static_cast<double>(extent);
    }
    const double most = largest_compression * static_cast<double>(info.stored_bytes);
    if (declared > (is_bounded ? most : std::max(most, largest_unbounded_bytes))) {
        throw InvalidData(where + ": the array declares " + number_text(declared) + " bytes but stores only " +
                          std::to_string(info.stored_bytes) +
                          " (its values were never written, or the file is damaged); write it again");
    }
}

}  // namespace

const char* description(Element element) {
    switch (element) {
        case Element::text:
            return "texts";
        case Element::codes:
            return "an enumeration (numbers that stand for names)";
        case Element::compound:
            return "compound values (as complex numbers and tables are)";
        case Element::reference:
            return "references (as a cell array of MATLAB does)";
        case Element::other:
            return "values of a type that is not read";
        default:
            return "numbers";
    }
}

Handle::~Handle() { close(); }

bool Handle::close() {
    if (id_ < 0 || close_ == nullptr) {
        return true;
    }
    const Session session;
    return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0;
}

File File::open(const fs::path& path) {
    const Session session;
    const std::string name = path.string();
    std::error_code problem;
    if (!fs::is_regular_file(path, problem)) {
        throw IoError(name + ": no such file (" + (problem ? problem.message() : "it is not a regular file") +
                      "); check the path");
    }
    const htri_t is_hdf5 = check<IoError>(H5Fis_hdf5(name.c_str()), name + " cannot be read", "check its permissions");
    if (is_hdf5 == 0) {
        throw InvalidData(name + ": not an HDF5 file " + why_no_hdf5(path));
    }
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), false, true);  // reading from a read-only or network disk needs no lock
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (file.get() < 0) {
        throw InvalidData(name + ": cannot be opened as HDF5 " + why_not_opened(path));
    }
    return {std::move(file), name};
}

File File::create(const fs::path& path, const fs::path& known_as) {
    const Session session;
    const std::string name = known_as.empty() ? path.string() : known_as.string();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V110);  // checksums over the metadata as well
    H5Pset_fapl_sec2(access.get());
    const Handle root(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(root.get(), false);  // the same content gives the same bytes
    h5::require_room(0, 0, name);
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, root.get(), access.get());
    if (id < 0) {
        throw IoError(name + ": cannot be created (" + write_problem().text + "); " + write_remedy);
    }
    return {Handle(id, close_unfinished), name};
}

void File::require_room(std::uint64_t bytes) const {
    hsize_t size = 0;
    H5Fget_filesize(id(), &size);
    h5::require_room(size, bytes, path_);
}

void File::require_room_for(hid_t array, std::uint64_t bytes) const {
    const Handle plan(H5Dget_create_plist(array), H5Pclose);
    const Handle space(H5Dget_space(array), H5Sclose);
    const Handle type(H5Dget_type(array), H5Tclose);
    const bool is_whole = H5Pget_layout(plan.get()) != H5D_CHUNKED && H5Dget_storage_size(array) == 0;
    const auto all = static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space.get())) * H5Tget_size(type.get());
    require_room(is_whole ? all : bytes);
}

void File::throw_unwritten(const std::string& problem) const {
    const WriteProblem reason = write_problem();
    discard_writes(id());
    throw IoError(problem + " (" + reason.text + "); " + write_remedy);
}

void File::create_groups_above(const std::string& array) {
    const Handle plan(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(plan.get(), false);
    for (auto end = array.find('/', 1); end != std::string::npos; end = array.find('/', end + 1)) {
        const std::string group = array.substr(0, end);
        if (H5Lexists(id(), group.c_str(), H5P_DEFAULT) <= 0) {
            const Handle made(written(H5Gcreate2(id(), group.c_str(), H5P_DEFAULT, plan.get(), H5P_DEFAULT),
                                      path_ + ": " + group + " cannot be created"),
                              H5Gclose);
        }
    }
}

ArrayInfo File::info(const std::string& array) const {
    const Session session;
    const std::string where = path_ + ": " + array;
    const Handle data = open_array(array);
    refuse_foreign_storage(data.get(), where);
    const Handle type(check<InvalidData>(H5Dget_type(data.get()), where + " has no type", read_remedy), H5Tclose);
    const Handle space(check<InvalidData>(H5Dget_space(data.get()), where + " has no shape", read_remedy), H5Sclose);
    const int rank = check<InvalidData>(H5Sget_simple_extent_ndims(space.get()), where + " has no shape", read_remedy);
    std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    ArrayInfo info{{}, element_of(type.get()), H5Tget_size(type.get()), H5Dget_storage_size(data.get())};
    for (const hsize_t extent : extents) {
        if (extent > static_cast<hsize_t>(std::numeric_limits<std::int64_t>::max())) {
            throw InvalidData(where + ": an extent is out of range (more than 2^63 entries); " + read_remedy);
        }
        info.extents.push_back(static_cast<std::int64_t>(extent));
    }
    refuse_impossible_size(info, is_bounded_by_storage(data.get()), where);
    return info;
}

StoredType File::type(const std::string& array) const {
    const Session session;
    const Handle data = open_array(array);
    const Handle type(check<InvalidData>(H5Dget_type(data.get()), path_ + ": " + array + " has no type", read_remedy),
                      H5Tclose);
    const bool is_signed = H5Tget_class(type.get()) == H5T_INTEGER && H5Tget_sign(type.get()) == H5T_SGN_2;
    return {element_of(type.get()), H5Tget_size(type.get()), is_signed};
}

template <class T>
void File::read_rows(const std::string& array, std::int64_t begin, std::int64_t count, std::span<T> out) const {
    const Session session;
    const std::string where = path_ + ": " + array;
    const Handle data = open_array(array);
    const RowSelection rows = select_rows(data.get(), begin, count, where);
    expects(rows.elements == out.size(), "room for exactly the rows read");
    check_read(
        H5Dread(data.get(), native_type<T>(), rows.memory.get(), rows.file.get(), H5P_DEFAULT, out.data()), data.get(),
        where + ": entries " + std::to_string(begin) + " to " + std::to_string(begin + count - 1) + " cannot be read");
}

template <class T>
std::vector<T> File::read(const std::string& array) const {
    const ArrayInfo declared = info(array);
    std::int64_t count = 1;
    for (const std::int64_t extent : declared.extents) {
        count *= extent;
    }
    std::vector<T> values(static_cast<std::size_t>(count));
    if (declared.extents.empty()) {  // a scalar has no rows to select
        const Session session;
        const Handle data = open_array(array);
        check_read(H5Dread(data.get(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), data.get(),
                   path_ + ": " + array + " cannot be read");
    } else if (count > 0) {
        read_rows<T>(array, 0, declared.extents[0], values);
    }
    return values;
}

template <class T>
void File::create_array(const std::string& array, const Layout& layout) {
    const Session session;
    const std::string problem = path_ + ": " + array + " cannot be created";
    require_room(0);
    create_groups_above(array);
    const Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(plan.get(), false);
    std::vector<hsize_t> extents = sizes(layout.extents);
    const Handle space = dataspace(extents);
    if (layout.compressed) {
        extents[0] = 1;
        check<IoError>(H5Pset_chunk(plan.get(), static_cast<int>(extents.size()), extents.data()), problem,
                       "make every extent positive");
        deflate_chunks(plan.get(), problem);
    }
    if (layout.fill) {
        H5Pset_fill_value(plan.get(), H5T_NATIVE_FLOAT, &*layout.fill);
    }
    {
        const Handle made(written(H5Dcreate2(id(), array.c_str(), native_type<T>(), space.get(), H5P_DEFAULT,
                                             plan.get(), H5P_DEFAULT),
                                  problem),
                          H5Dclose);
    }
    if (layout.fill) {
        set_real(array, "_FillValue", *layout.fill);
    }
}

template <class T>
void File::write_rows(const std::string& array, std::int64_t begin, std::int64_t count, std::span<const T> values) {
    const Session session;
    Handle data = open_array(array);
    const RowSelection rows = select_rows(data.get(), begin, count, path_ + ": " + array);
    expects(rows.elements == values.size(), "exactly the rows written");
    require_room_for(data.get(), values.size_bytes());
    written(H5Dwrite(data.get(), native_type<T>(), rows.memory.get(), rows.file.get(), H5P_DEFAULT, values.data()),
            path_ + ": " + array + " cannot be written");
    finish_writing(std::move(data), array);
}

void File::close() {
    const Session session;
    written(H5Fflush(id(), H5F_SCOPE_LOCAL), path_ + ": cannot be written");
    if (H5Fclose(handle_.release()) < 0) {
        throw IoError(path_ + ": cannot be closed (" + write_problem().text + "); " + write_remedy);
    }
}

template void File::read_rows(const std::string&, std::int64_t, std::int64_t, std::span<float>) const;
template void File::read_rows(const std::string&, std::int64_t, std::int64_t, std::span<double>) const;
template void File::read_rows(const std::string&, std::int64_t, std::int64_t, std::span<std::int64_t>) const;
template void File::read_rows(const std::string&, std::int64_t, std::int64_t, std::span<std::uint8_t>) const;
template std::vector<float> File::read(const std::string&) const;
template std::vector<double> File::read(const std::string&) const;
template std::vector<std::int64_t> File::read(const std::string&) const;
template std::vector<std::uint8_t> File::read(const std::string&) const;
template void File::create_array<float>(const std::string&, const Layout&);
template void File::create_array<double>(const std::string&, const Layout&);
template void File::create_array<std::int64_t>(const std::string&, const Layout&);
template void File::create_array<std::uint8_t>(const std::string&, const Layout&);
template void File::write_rows(const std::string&, std::int64_t, std::int64_t, std::span<const float>);
template void File::write_rows(const std::string&, std::int64_t, std::int64_t, std::span<const double>);
template void File::write_rows(const std::string&, std::int64_t, std::int64_t, std::span<const std::int64_t>);
template void File::write_rows(const std::string&, std::int64_t, std::int64_t, std::span<const std::uint8_t>);

}  // namespace plumecast::h5
