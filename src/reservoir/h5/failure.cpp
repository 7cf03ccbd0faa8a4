#include "reservoir/h5/failure.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <new>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "io/foreign_format.hpp"
#include "reservoir/h5/handle.hpp"
#include "reservoir/h5/remedies.hpp"
#include "reservoir/h5/session.hpp"

namespace plumecast::h5 {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";

/// What the first block of a file says (HDF5 File Format Specification, section II.A).
struct Superblock {
    unsigned version = 0;
    unsigned flags = 0;      // of versions 2 and 3
    std::uint64_t size = 0;  // of the file, 0 where it is not said in a form that is known
};

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    }
    return value;
}

std::optional<Superblock> superblock_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    for (std::uint64_t at = 0; file; at = at == 0 ? 512 : 2 * at) {
        std::string bytes(96, '\0');
        file.seekg(static_cast<std::streamoff>(at));
        file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.resize(static_cast<std::size_t>(file.gcount()));
        if (bytes.size() < 52 || !bytes.starts_with(signature)) {
            continue;
        }
        Superblock block{static_cast<unsigned char>(bytes[8])};
        const bool is_old = block.version < 2;
        block.flags = is_old ? 0 : static_cast<unsigned char>(bytes[11]);
        const unsigned address_bytes = static_cast<unsigned char>(bytes[is_old ? 13 : 9]);
        if (block.version <= 3 && address_bytes == 8) {
            const std::size_t end = is_old ? (block.version == 0 ? 40 : 44) : 28;
            block.size = little_endian(std::string_view(bytes).substr(end, 8));
        }
        return block;
    }
    return std::nullopt;
}

std::string library_version() {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    return fmt::format("HDF5 {}.{}.{}", major, minor, release);
}

std::string too_new(const std::string& what) {
    return fmt::format(
        "({}, newer than {} reads); write it for older readers (h5repack with the upper bound v110, libver='v110' of "
        "h5py), or use a "
        "newer HDF5",
        what, library_version());
}

/// For the innermost message of the library.
std::string why(const std::string& message) {
    if (message.find("version number") != std::string::npos || message.find("unknown version") != std::string::npos) {
        return too_new("HDF5: " + message);
    }
    return "(" + (message.empty() ? "the HDF5 library refused" : "HDF5: " + message) + "); " + read_remedy;
}

/// Names of filters that are not among the library's own, after the list of registered filters of The HDF Group.
std::string name_of_filter(H5Z_filter_t filter, const char* stored) {
    struct Registered {
        H5Z_filter_t id;
        const char* name;
    };
    constexpr std::array<Registered, 12> registered = {{{H5Z_FILTER_SZIP, "szip"},
                                                        {305, "lzo"},
                                                        {307, "bzip2"},
                                                        {32000, "lzf"},
                                                        {32001, "blosc"},
                                                        {32004, "lz4"},
                                                        {32008, "bitshuffle"},
                                                        {32013, "zfp"},
                                                        {32015, "zstd"},
                                                        {32017, "sz"},
                                                        {32024, "sz3"},
                                                        {32026, "blosc2"}}};
    const auto found = std::ranges::find(registered, filter, &Registered::id);
    const std::string name = found != registered.end() ? found->name : stored;
    return (name.empty() ? "of number " : name + ", number ") + std::to_string(filter);
}

/// The first filter of an array that the library lacks; empty for none.
std::string missing_filter(hid_t array) {
    const Handle plan(H5Dget_create_plist(array), H5Pclose);
    for (int i = 0; i < H5Pget_nfilters(plan.get()); ++i) {
        std::size_t values = 0;
        unsigned flags = 0;
        std::array<char, 64> name{};
        const H5Z_filter_t filter = H5Pget_filter2(plan.get(), static_cast<unsigned>(i), &flags, &values, nullptr,
                                                   name.size() - 1, name.data(), nullptr);
        if (filter >= 0 && H5Zfilter_avail(filter) <= 0) {
            return name_of_filter(filter, name.data());
        }
    }
    return {};
}

/// Throws std::bad_alloc where memory lacks for a chunk of an array and what it is unpacked from: HDF5 1.14 calls lack
/// of memory in a filter by the name of damage.
void expect_room_for_a_chunk(hid_t array) {
    const Handle plan(H5Dget_create_plist(array), H5Pclose), type(H5Dget_type(array), H5Tclose);
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    const int rank = H5Pget_chunk(plan.get(), H5S_MAX_RANK, chunk.data());
    std::size_t bytes = 2 * H5Tget_size(type.get());
    for (int axis = 0; axis < rank; ++axis) {
        bytes *= static_cast<std::size_t>(chunk[static_cast<std::size_t>(axis)]);
    }
    ::operator delete(::operator new(bytes));
}

/// What users take for HDF5 files, by their first bytes, beside what foreign_format() knows.
struct ArrayFormat {
    std::string_view start;
    const char* name;
    const char* remedy;
};

using namespace std::string_view_literals;
constexpr const char* to_netcdf_4 = "turn it into netCDF-4 with 'nccopy -k nc4 OLD NEW'";
constexpr std::array<ArrayFormat, 7> array_formats = {{
    {"CDF\x01"sv, "a netCDF file of the classic format", to_netcdf_4},
    {"CDF\x02"sv, "a netCDF file of the classic format", to_netcdf_4},
    {"CDF\x05"sv, "a netCDF file of the classic format", to_netcdf_4},
    {"MATLAB 5.0"sv, "a MATLAB file before version 7.3", "save it with '-v7.3'"},
    {"\x0e\x03\x13\x01"sv, "an HDF4 file", "turn it into HDF5 with 'h4toh5 OLD NEW'"},
    {"PK\x03\x04"sv, "a zip archive (as .npz, .pt and zipped files are)", "unpack it, or write HDF5 with h5py"},
    {"\x93NUMPY"sv, "an array of NumPy", "write HDF5 with h5py"},
}};

}  // namespace

std::string why_not_opened(const fs::path& file) {
    const std::string message = innermost_message();
    const std::optional<Superblock> block = superblock_of(file);
    constexpr unsigned open_for_writing = 1U | 4U;
    constexpr unsigned newest = 3;
    std::error_code ignored;
    if (block && block->version > newest) {
        return too_new(fmt::format("its superblock has version {}", block->version));
    }
    if (block && block->version == newest && (block->flags & open_for_writing) != 0) {
        return "(a program has it open for writing, or ended without closing it); let that program close it, or, if "
               "it is gone, clear the mark with 'h5clear -s' on a copy";
    }
    const std::uint64_t size = fs::file_size(file, ignored);
    if (block && !ignored && block->size != UINT64_MAX && size < block->size) {
        return fmt::format("(truncated: {} of {} bytes are there); fetch it again", size, block->size);
    }
    return why(message);
}

std::string why_no_hdf5(const fs::path& file) {
    std::string start(foreign_format_bytes, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(stream.gcount()));
    if (start.empty()) {
        return "(it is empty); write or fetch it again";
    }
    for (const ArrayFormat& format : array_formats) {
        if (start.starts_with(format.start)) {
            return fmt::format("(it is {}); {}", format.name, format.remedy);
        }
    }
    if (const ForeignFormat format = foreign_format(start); !format.name.empty()) {
        return fmt::format("(it is {}); {}", format.name, format.remedy);
    }
    return "(its signature is missing); give an HDF5 data set file";
}

std::string why_not_read(hid_t array) {
    const std::string message = innermost_message();
    const std::string filter = array < 0 ? std::string() : missing_filter(array);
    if (!filter.empty()) {
        return "(the file is sound, but " + library_version() + " has no filter " + filter +
               "); install the plugin of that filter and set HDF5_PLUGIN_PATH to its folder, or write the file with "
               "gzip (h5repack -f GZIP=4)";
    }
    if (array >= 0 && message == failed_filter) {
        expect_room_for_a_chunk(array);
    }
    return why(message);
}

}  // namespace plumecast::h5
