#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/failure.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/h5/joined_type.hpp"
#include "reservoir/h5/packing.hpp"
#include "reservoir/h5/remedies.hpp"
#include "reservoir/h5/session.hpp"
#include "reservoir/h5/type.hpp"

namespace plumecast::h5 {
namespace {

constexpr hsize_t largest_attribute = 64 * 1024;
constexpr std::size_t most_copied_bytes = 1 << 24;  // at once

std::vector<hsize_t> extents_of(hid_t array) {
    const Handle space(H5Dget_space(array), H5Sclose);
    std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
    H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    return extents;
}

/// Chunks of one entry of the slowest axis each, all else whole.
bool has_a_chunk_per_row(hid_t array, hid_t plan) {
    std::vector<hsize_t> extents = extents_of(array);
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    const int rank = H5Pget_layout(plan) == H5D_CHUNKED ? H5Pget_chunk(plan, H5S_MAX_RANK, chunk.data()) : 0;
    if (rank != static_cast<int>(extents.size()) || extents.empty()) {
        return false;
    }
    extents[0] = 1;
    return std::equal(extents.begin(), extents.end(), chunk.begin());
}

bool is_plain(hid_t type) {
    const H5T_class_t kind = H5Tget_class(type);
    const bool is_fixed_text = kind == H5T_STRING && H5Tis_variable_str(type) == 0;
    return kind == H5T_FLOAT || kind == H5T_INTEGER || kind == H5T_ENUM || is_fixed_text;
}

herr_t collect_name(hid_t, const char* name, const H5A_info_t*, void* target) {
    auto& told = *static_cast<ToldNames*>(target);
    return called_back(told.failure, [&] { told.names.emplace_back(name); });
}

/// What stands for entries that nobody wrote, of a type.
std::vector<char> fill_of(hid_t plan, hid_t type) {
    std::vector<char> value(H5Tget_size(type), 0);  // stays where none is defined
    H5Pget_fill_value(plan, type, value.data());
    return value;
}

/// Chunks of one array may stand in the other as they are, those that were never written too.
bool is_stored_alike(hid_t a, hid_t b) {
    const Handle types[] = {{H5Dget_type(a), H5Tclose}, {H5Dget_type(b), H5Tclose}};
    const Handle plans[] = {{H5Dget_create_plist(a), H5Pclose}, {H5Dget_create_plist(b), H5Pclose}};
    if (H5Tequal(types[0].get(), types[1].get()) <= 0 || !has_a_chunk_per_row(a, plans[0].get()) ||
        !has_a_chunk_per_row(b, plans[1].get()) || H5Pget_nfilters(plans[0].get()) != H5Pget_nfilters(plans[1].get()) ||
        fill_of(plans[0].get(), types[0].get()) != fill_of(plans[1].get(), types[1].get())) {
        return false;
    }
    for (int i = 0; i < H5Pget_nfilters(plans[0].get()); ++i) {
        std::array<std::array<unsigned, 8>, 2> values{};
        std::array<std::size_t, 2> counts = {8, 8};
        std::array<H5Z_filter_t, 2> filters{};
        for (std::size_t of = 0; of < 2; ++of) {
            unsigned flags = 0;
            filters[of] = H5Pget_filter2(plans[of].get(), static_cast<unsigned>(i), &flags, &counts[of],
                                         values[of].data(), 0, nullptr, nullptr);
        }
        if (filters[0] != filters[1] || counts[0] != counts[1] || values[0] != values[1]) {
            return false;
        }
    }
    return true;
}

/// Whether filters other than those that give back every bit are among those of a plan.
bool may_lose(hid_t plan) {
    constexpr H5Z_filter_t exact[] = {H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE, H5Z_FILTER_FLETCHER32};
    for (int i = 0; i < H5Pget_nfilters(plan); ++i) {
        std::size_t values = 0;
        unsigned flags = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(plan, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
        if (std::ranges::find(exact, filter) == std::end(exact)) {
            return true;
        }
    }
    return false;
}

/// Bytes of one entry of the slowest axis in memory.
std::size_t row_bytes(const std::vector<hsize_t>& extents, hid_t type) {
    std::size_t bytes = H5Tget_size(type);
    for (std::size_t axis = 1; axis < extents.size(); ++axis) {
        bytes *= static_cast<std::size_t>(extents[axis]);
    }
    return bytes;
}

/// A dataspace of an array with some entries of the slowest axis selected.
Handle rows_selected(hid_t array, const std::vector<hsize_t>& extents, std::int64_t row, std::int64_t rows) {
    Handle space(H5Dget_space(array), H5Sclose);
    expects(row >= 0 && static_cast<hsize_t>(row + rows) <= extents[0], "rows of the array");
    std::vector<hsize_t> start(extents.size(), 0);
    std::vector<hsize_t> count = extents;
    start[0] = static_cast<hsize_t>(row);
    count[0] = static_cast<hsize_t>(rows);
    check<InvalidData>(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
                       "an array cannot be read in part", read_remedy);
    return space;
}

/// Whether double precision holds a negative number, of which the library counts the bits of the two's complement.
bool is_exact(hid_t type, const void* number) {
    std::int64_t value = 0;
    if (H5Tequal(type, H5T_NATIVE_INT64) <= 0) {
        return false;
    }
    std::memcpy(&value, number, sizeof(value));
    return value < 0 && static_cast<std::int64_t>(static_cast<double>(value)) == value;
}

/// Stops a conversion at the first number that the other type does not hold.
H5T_conv_ret_t refuse_loss(H5T_conv_except_t kind, hid_t from, hid_t, void* number, void*, void* is_lost) {
    const bool is_loss = kind == H5T_CONV_EXCEPT_RANGE_HI || kind == H5T_CONV_EXCEPT_RANGE_LOW ||
                         kind == H5T_CONV_EXCEPT_TRUNCATE ||
                         (kind == H5T_CONV_EXCEPT_PRECISION && !is_exact(from, number));
    *static_cast<bool*>(is_lost) |= is_loss;
    return is_loss ? H5T_CONV_ABORT : H5T_CONV_UNHANDLED;
}

/// Whether a chunk was never written, for which the library has no size.
bool is_unwritten(hid_t array, const hsize_t* offset) {
    unsigned filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    return H5Dget_chunk_info_by_coord(array, offset, &filters, &address, &size) >= 0 && address == HADDR_UNDEF;
}

/// The stored bytes of a chunk. HDF5 2 asks how many there is room for, the versions before do not.
template <class Bytes>
herr_t read_chunk(hid_t array, const hsize_t* offset, std::uint32_t& filters, Bytes& bytes) {
    std::size_t size = bytes.size();
    if constexpr (requires { H5Dread_chunk(array, H5P_DEFAULT, offset, &filters, bytes.data(), &size); }) {
        return H5Dread_chunk(array, H5P_DEFAULT, offset, &filters, bytes.data(), &size);
    } else {
        return H5Dread_chunk(array, H5P_DEFAULT, offset, &filters, bytes.data());
    }
}

}  // namespace

Handle File::joined_type_of(const std::string& array, const std::vector<std::string>& others) const {
    const Handle source = open_array(array);
    Handle joined(check<InvalidData>(H5Dget_type(source.get()), path_ + ": " + array + " has no type", read_remedy),
                  H5Tclose);
    const auto of_one_row = [](hid_t owner) {
        std::vector<hsize_t> extents = extents_of(owner);
        std::fill_n(extents.begin(), std::min<std::size_t>(extents.size(), 1), 1);
        return extents;
    };
    for (const std::string& path : others) {
        const File other = open(path);
        const Handle array_there = other.open_array(array);
        const Handle type(H5Dget_type(array_there.get()), H5Tclose);
        if (of_one_row(array_there.get()) != of_one_row(source.get())) {
            throw InvalidData(path + ": " + array + " has another shape for a case than in " + path_ +
                              " (the cases of a file share one shape); shape both alike, or remove one of them");
        }
        joined = joined_type(joined.get(), type.get());
        if (joined.get() < 0) {
            throw InvalidData(path + ": " + array + " holds values of another kind than in " + path_ +
                              " (the cases of a file share one type); store both alike, or remove one of them");
        }
    }
    return joined;
}

bool File::is_stored_alike_in(const std::vector<std::string>& others, const std::string& array) const {
    const Handle source = open_array(array);
    return is_stored_alike(source.get(), source.get()) && std::ranges::all_of(others, [&](const std::string& path) {
               const File other = open(path);
               const Handle there = other.open_array(array);
               return is_stored_alike(source.get(), there.get());
           });
}

void File::create_like(const File& from, const std::string& array, std::int64_t rows,
                       const std::vector<std::string>& others) {
    const Session session;
    const std::string problem = path_ + ": " + array + " cannot be created";
    from.info(array);  // refuses what was never stored
    const Handle source = from.open_array(array);
    const Handle type = from.joined_type_of(array, others);
    std::vector<hsize_t> extents = extents_of(source.get());
    if (!is_plain(type.get()) || extents.empty() || rows < 1) {
        throw InvalidData(
            from.path_ + ": " + array +
            " holds neither plain numbers nor texts of fixed length, case by case (others cannot be copied); "
            "store it so, or remove it");
    }
    const Handle plan(H5Dget_create_plist(source.get()), H5Pclose);
    if (H5Pget_layout(plan.get()) == H5D_CHUNKED) {
        std::vector<hsize_t> chunk = extents;
        const auto axes = static_cast<int>(chunk.size());
        if (has_a_chunk_per_row(source.get(), plan.get())) {
            written(H5Pget_chunk(plan.get(), axes, chunk.data()), problem);
        } else {
            chunk[0] = 1;
        }
        // Set anew in either case, since HDF5 2 keeps the size of the source's elements with its chunks.
        written(H5Pset_chunk(plan.get(), axes, chunk.data()), problem);
    }
    if (may_lose(plan.get()) && !from.is_stored_alike_in(others, array)) {
        written(H5Premove_filter(plan.get(), H5Z_FILTER_ALL), problem);
        deflate_chunks(plan.get(), problem);
    }
    H5Pset_obj_track_times(plan.get(), false);
    extents[0] = static_cast<hsize_t>(rows);
    const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
    require_room(0);
    create_groups_above(array);
    {
        const Handle made(
            written(H5Dcreate2(id(), array.c_str(), type.get(), space.get(), H5P_DEFAULT, plan.get(), H5P_DEFAULT),
                    problem),
            H5Dclose);
    }
}

void File::copy_chunk(const File& from, hid_t source, hid_t target, const std::string& array, std::int64_t from_row,
                      std::int64_t row) const {
    const std::string where = from.path_ + ": " + array + " entry " + std::to_string(from_row);
    std::vector<hsize_t> offset(extents_of(source).size(), 0);
    offset[0] = static_cast<hsize_t>(from_row);
    hsize_t size = 0;
    const herr_t status = H5Dget_chunk_storage_size(source, offset.data(), &size);
    if (size == 0 && is_unwritten(source, offset.data())) {
        return;  // never written; the fill value stands for it in both files
    }
    check<InvalidData>(status, where + " cannot be found", read_remedy);
    if (size > std::filesystem::file_size(from.path_)) {
        throw InvalidData(where + " is larger than its file; " + read_remedy);
    }
    std::vector<char> bytes(static_cast<std::size_t>(size));
    std::uint32_t filters = 0;
    check<InvalidData>(read_chunk(source, offset.data(), filters, bytes), where + " cannot be read", read_remedy);
    offset[0] = static_cast<hsize_t>(row);
    require_room(bytes.size());
    written(H5Dwrite_chunk(target, H5P_DEFAULT, filters, offset.data(), bytes.size(), bytes.data()),
            path_ + ": " + array + " cannot be written");
}

void File::copy_values(const File& from, hid_t source, hid_t target, const std::string& array, std::int64_t from_row,
                       std::int64_t row, std::int64_t rows) const {
    const Handle type(H5Dget_type(target), H5Tclose);
    std::vector<hsize_t> count = extents_of(source);
    const Handle from_space = rows_selected(source, count, from_row, rows);
    const Handle to_space = rows_selected(target, extents_of(target), row, rows);
    std::vector<char> bytes(static_cast<std::size_t>(rows) * row_bytes(count, type.get()));
    count[0] = static_cast<hsize_t>(rows);
    const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    bool is_lost = false;
    H5Pset_type_conv_cb(transfer.get(), refuse_loss, &is_lost);
    const std::string where = from.path_ + ": " + array + " entry " + std::to_string(from_row);
    const herr_t status = H5Dread(source, type.get(), memory.get(), from_space.get(), transfer.get(), bytes.data());
    if (is_lost) {
        throw InvalidData(where + " holds a number that no type holds together with those of the other files; store " +
                          array + " in one type in all of them");
    }
    check_read(status, source, where + " cannot be read");
    require_room_for(target, bytes.size());
    written(H5Dwrite(target, type.get(), memory.get(), to_space.get(), H5P_DEFAULT, bytes.data()),
            path_ + ": " + array + " cannot be written");
}

void File::copy_row(const File& from, const std::string& array, std::int64_t from_row, std::int64_t row) {
    const Session session;
    const Handle source = from.open_array(array);
    Handle target = open_array(array);
    if (is_stored_alike(source.get(), target.get())) {
        copy_chunk(from, source.get(), target.get(), array, from_row, row);
    } else {
        copy_values(from, source.get(), target.get(), array, from_row, row, 1);
    }
    finish_writing(std::move(target), array);
}

// Not by H5Ocopy(), which HDF5 1.10 does not survive on a full disk.
void File::copy_array(const File& from, const std::string& array) {
    const Session session;
    const Handle source = from.open_array(array);
    const std::vector<hsize_t> extents = extents_of(source.get());
    const auto rows = static_cast<std::int64_t>(extents.empty() ? 0 : extents[0]);
    create_like(from, array, rows);
    Handle target = open_array(array);
    const Handle type(H5Dget_type(target.get()), H5Tclose);
    const bool is_alike = is_stored_alike(source.get(), target.get());
    const auto at_once = static_cast<std::int64_t>(
        is_alike
            ? 1
            : std::max<std::size_t>(1, most_copied_bytes / std::max<std::size_t>(1, row_bytes(extents, type.get()))));
    for (std::int64_t row = 0; row < rows; row += at_once) {
        if (is_alike) {
            copy_chunk(from, source.get(), target.get(), array, row, row);
        } else {
            copy_values(from, source.get(), target.get(), array, row, row, std::min(at_once, rows - row));
        }
    }
    finish_writing(std::move(target), array);
}

void File::write_packed(const std::string& array, std::int64_t row, std::span<const std::byte> chunk) {
    const Session session;
    Handle target = open_array(array);
    const std::vector<hsize_t> extents = extents_of(target.get());
    const Handle plan(H5Dget_create_plist(target.get()), H5Pclose);
    expects(has_a_chunk_per_row(target.get(), plan.get()) && H5Pget_nfilters(plan.get()) == 3,
            "an array made by create_array() to be compressed");
    expects(row >= 0 && static_cast<hsize_t>(row) < extents[0], "a row of the array");
    std::vector<hsize_t> offset(extents.size(), 0);
    offset[0] = static_cast<hsize_t>(row);
    constexpr std::uint32_t no_filter_left_out = 0;
    require_room(chunk.size());
    written(H5Dwrite_chunk(target.get(), H5P_DEFAULT, no_filter_left_out, offset.data(), chunk.size(), chunk.data()),
            path_ + ": " + array + " cannot be written");
    finish_writing(std::move(target), array);
}

void File::finish_writing(Handle target, const std::string& array) const {
    const std::string problem = path_ + ": " + array + " cannot be written";
    written(H5Dflush(target.get()), problem);  // chunks leave the cache here, so a full disk may only show now
    written(target.close() ? 0 : -1, problem);
}

void File::write_texts(const std::string& array, const std::vector<std::string>& values) {
    const Session session;
    const FixedTexts texts(values);
    const std::string problem = path_ + ": " + array + " cannot be written";
    require_room(texts.raw.size());
    create_groups_above(array);
    const hsize_t extent = values.size();
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(plan.get(), false);
    Handle made(
        written(H5Dcreate2(id(), array.c_str(), texts.type.get(), space.get(), H5P_DEFAULT, plan.get(), H5P_DEFAULT),
                problem),
        H5Dclose);
    written(H5Dwrite(made.get(), texts.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.raw.data()), problem);
    finish_writing(std::move(made), array);
}

std::vector<std::string> File::attributes(const std::string& object) const {
    const Session session;
    const Handle owner = open_object(object);
    if (owner.get() < 0) {
        return {};
    }
    ToldNames told;
    const herr_t status = H5Aiterate2(owner.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect_name, &told);
    std::vector<std::string> names = std::move(told).sorted();
    check<InvalidData>(status, path_ + ": the attributes of " + object + " cannot be listed", read_remedy);
    return names;
}

void File::copy_attributes(const File& from, const std::string& object, const std::vector<std::string>& without) {
    const Session session;
    for (const std::string& name : from.attributes(object)) {
        const Handle owner = from.open_object(object);
        const Handle source(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
        const Handle type(H5Aget_type(source.get()), H5Tclose);
        const Handle space(H5Aget_space(source.get()), H5Sclose);
        const Handle target = open_object(object);
        // Dimension scales refer to other objects of their file, and CLASS and NAME belong to them.
        const bool is_scale = name == "CLASS" || name == "NAME" || name.starts_with("DIMENSION_");
        const bool is_skipped = is_scale || std::ranges::find(without, name) != without.end() || source.get() < 0 ||
                                H5Aexists(target.get(), name.c_str()) > 0;
        if (is_skipped) {
            continue;
        }
        if (H5Tget_class(type.get()) == H5T_STRING) {
            const std::vector<std::string> values = from.texts(object, name);
            values.size() == 1 && H5Sget_simple_extent_type(space.get()) == H5S_SCALAR
                ? set_text(object, name, values[0])
                : set_texts(object, name, values);
            continue;
        }
        const hsize_t bytes = H5Aget_storage_size(source.get());
        if (!is_plain(type.get()) || bytes == 0 || bytes > largest_attribute) {
            continue;
        }
        std::vector<char> value(static_cast<std::size_t>(bytes));
        check<InvalidData>(H5Aread(source.get(), type.get(), value.data()),
                           from.path_ + ": attribute " + name + " of " + object + " cannot be read", read_remedy);
        const Handle made(
            written(H5Acreate2(target.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                    path_ + ": attribute " + name + " cannot be written"),
            H5Aclose);
        written(H5Awrite(made.get(), type.get(), value.data()), path_ + ": attribute " + name + " cannot be written");
    }
}

}  // namespace plumecast::h5
