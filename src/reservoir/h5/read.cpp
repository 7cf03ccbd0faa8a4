#include <algorithm>
#include <array>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/failure.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/h5/remedies.hpp"
#include "reservoir/h5/session.hpp"
#include "reservoir/h5/type.hpp"

namespace plumecast::h5 {
namespace {

constexpr std::size_t longest_list_of_texts = 1U << 30;  // bytes

/// Texts of variable length; the character set must be the file's.
std::vector<std::string> variable_texts(hid_t data, hid_t file_type, std::size_t count, const std::string& where) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5Tget_cset(file_type));
    const Handle space(H5Dget_space(data), H5Sclose);
    std::vector<char*> raw(count, nullptr);
    check_read(H5Dread(data, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()), data, where + " cannot be read");
    std::vector<std::string> texts;
    for (const char* text : raw) {
        texts.emplace_back(text == nullptr ? "" : text);
    }
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, raw.data());
    return texts;
}

}  // namespace

bool File::has_unwritten(const std::string& array) const {
    const Session session;
    const Handle data = open_array(array);
    const Handle plan(H5Dget_create_plist(data.get()), H5Pclose);
    const Handle space(H5Dget_space(data.get()), H5Sclose);
    const H5D_layout_t layout = H5Pget_layout(plan.get());
    if (layout != H5D_CHUNKED) {
        return layout == H5D_CONTIGUOUS && H5Sget_simple_extent_npoints(space.get()) > 0 &&
               H5Dget_storage_size(data.get()) == 0;
    }
    hsize_t written = 0;
    if (H5Dget_num_chunks(data.get(), space.get(), &written) < 0) {
        return false;
    }
    std::array<hsize_t, H5S_MAX_RANK> chunk{}, extents{};
    const int rank = H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    H5Pget_chunk(plan.get(), H5S_MAX_RANK, chunk.data());
    hsize_t chunks = 1;
    for (int axis = 0; axis < rank; ++axis) {
        const auto at = static_cast<std::size_t>(axis);
        chunks *= (extents[at] + chunk[at] - 1) / std::max<hsize_t>(chunk[at], 1);
    }
    return written < chunks;
}

std::optional<double> File::fill_value(const std::string& array) const {
    const Session session;
    const Handle data = open_array(array);
    const Handle plan(H5Dget_create_plist(data.get()), H5Pclose);
    H5D_fill_value_t fill = H5D_FILL_VALUE_DEFAULT;
    H5Pfill_value_defined(plan.get(), &fill);
    double value = 0.0;
    const bool is_read =
        fill == H5D_FILL_VALUE_USER_DEFINED && H5Pget_fill_value(plan.get(), H5T_NATIVE_DOUBLE, &value) >= 0;
    return is_read ? std::optional(value) : std::nullopt;
}

std::vector<double> File::read_slice(const std::string& array, std::size_t axis, std::int64_t entry) const {
    const ArrayInfo declared = info(array);
    const Session session;
    const std::string where = path_ + ": " + array;
    expects(axis < declared.extents.size() && entry >= 0 && entry < declared.extents[axis], "an entry of the array");
    std::vector<hsize_t> start(declared.extents.size(), 0);
    std::vector<hsize_t> count(declared.extents.begin(), declared.extents.end());
    start[axis] = static_cast<hsize_t>(entry);
    count[axis] = 1;
    const Handle data = open_array(array);
    const Handle space(H5Dget_space(data.get()), H5Sclose);
    check<InvalidData>(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
                       where + " cannot be read in part", read_remedy);
    const hssize_t points = H5Sget_select_npoints(space.get());
    std::vector<double> values(static_cast<std::size_t>(std::max<hssize_t>(points, 0)));
    const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    check_read(H5Dread(data.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values.data()),
               data.get(), where + ": entry " + std::to_string(entry) + " cannot be read");
    return values;
}

std::vector<std::string> File::read_texts(const std::string& array) const {
    const ArrayInfo declared = info(array);  // also refuses a size that the file cannot hold
    const bool is_list = declared.element == Element::text && declared.extents.size() == 1;
    if (!is_list || declared.extents[0] < 1) {
        return {};
    }
    const Session session;
    const std::string where = path_ + ": " + array;
    const Handle data = open_array(array);
    const Handle type(H5Dget_type(data.get()), H5Tclose);
    const auto count = static_cast<std::size_t>(declared.extents[0]);
    const std::size_t length = declared.element_bytes;
    if (length == 0 || count > longest_list_of_texts / length) {
        throw InvalidData(where + " holds more than 1 GiB of texts; store shorter ones");
    }
    if (H5Tis_variable_str(type.get()) > 0) {
        return variable_texts(data.get(), type.get(), count, where);
    }
    std::string raw(count * length, '\0');
    check_read(H5Dread(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()), data.get(),
               where + " cannot be read");
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < raw.size(); at += length) {
        texts.push_back(fixed_text(raw.substr(at, length), type.get()));
    }
    return texts;
}

}  // namespace plumecast::h5
