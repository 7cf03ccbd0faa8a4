#include <plumecast/io/safetensors.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <limits>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "io/durable.hpp"
#include "io/foreign_format.hpp"
#include "io/io_error.hpp"
#include "io/safetensors_header.hpp"

namespace plumecast {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

constexpr std::uint64_t max_header_bytes = 100'000'000;
constexpr std::uint64_t length_bytes = 8;
constexpr std::size_t piece_elements = 1 << 16;
constexpr double first_inexact = 0x1p53;  // from here on float64 skips integers

struct StoredType {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr std::array<StoredType, 13> stored_types{{{"F64", 8},
                                                   {"F32", 4},
                                                   {"F16", 2},
                                                   {"BF16", 2},
                                                   {"I64", 8},
                                                   {"I32", 4},
                                                   {"I16", 2},
                                                   {"I8", 1},
                                                   {"U64", 8},
                                                   {"U32", 4},
                                                   {"U16", 2},
                                                   {"U8", 1},
                                                   {"BOOL", 1}}};

bool is_negative(std::int64_t extent) { return extent < 0; }

/// A name from a file, safe to print: quoted, on one line, not too long.
std::string shown(const std::string& name) {
    constexpr std::size_t longest = 120;
    const std::string text = Json(name).dump(-1);
    return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

std::optional<std::uint64_t> bytes_of(std::string_view dtype) {
    const auto* type = std::find_if(stored_types.begin(), stored_types.end(),
                                    [&](const StoredType& candidate) { return candidate.name == dtype; });
    return type != stored_types.end() ? std::optional(type->bytes) : std::nullopt;
}

/// Elements times bytes of one; nothing when the product leaves 63 bits.
std::optional<std::uint64_t> product(const std::vector<std::int64_t>& extents, std::uint64_t element) {
    constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t bytes = element;
    // An extent of 0 hides an overflow of the others from the total, yet partial products are taken later on.
    for (std::int64_t extent : extents) {
        const auto factor = static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 1));
        if (bytes > limit / factor) {
            return std::nullopt;
        }
        bytes *= factor;
    }
    const bool is_empty = std::find(extents.begin(), extents.end(), 0) != extents.end();
    return is_empty ? 0 : bytes;
}

struct Half {
    std::uint16_t bits;
};
struct Brain {
    std::uint16_t bits;
};

float widened(Brain value) { return std::bit_cast<float>(std::uint32_t{value.bits} << 16); }

/// IEEE 754 binary16 to binary32: exact, subnormals, infinities and NaN included.
float widened(Half value) {
    const std::uint32_t sign = (value.bits & 0x8000u) << 16;
    const std::uint32_t exponent = (value.bits >> 10) & 0x1Fu;
    const std::uint32_t fraction = value.bits & 0x3FFu;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t biased = exponent == 31 ? 255 : exponent + 112;
    return std::bit_cast<float>(sign | (biased << 23) | (fraction << 13));
}

template <class Integer>
double widened(Integer value) {
    return static_cast<double>(value);
}

/// Reads elements of type Stored piece by piece through `read(target, bytes, offset)` and widens them.
template <class Stored, class Read>
Tensor read_widened(const Shape& shape, std::uint64_t begin, Read read) {
    using Wide = decltype(widened(Stored{}));
    Tensor tensor(host_memory(), shape, dtype_of<Wide>());
    const std::span<Wide> values = tensor.values<Wide>();
    std::vector<Stored> piece(std::min(piece_elements, values.size()));
    for (std::size_t done = 0; done < values.size();) {
        const std::size_t count = std::min(piece_elements, values.size() - done);
        read(piece.data(), count * sizeof(Stored), begin + done * sizeof(Stored));
        std::transform(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count),
                       values.begin() + static_cast<std::ptrdiff_t>(done), [](Stored value) { return widened(value); });
        done += count;
    }
    return tensor;
}

template <class Read>
Tensor read_as_float64(std::string_view dtype, const Shape& shape, std::uint64_t begin, Read read) {
    const bool is_signed = dtype.front() == 'I';
    switch (*bytes_of(dtype)) {
        case 8:
            return is_signed ? read_widened<std::int64_t>(shape, begin, read)
                             : read_widened<std::uint64_t>(shape, begin, read);
        case 4:
            return is_signed ? read_widened<std::int32_t>(shape, begin, read)
                             : read_widened<std::uint32_t>(shape, begin, read);
        case 2:
            return is_signed ? read_widened<std::int16_t>(shape, begin, read)
                             : read_widened<std::uint16_t>(shape, begin, read);
        default:
            return is_signed ? read_widened<std::int8_t>(shape, begin, read)
                             : read_widened<std::uint8_t>(shape, begin, read);
    }
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path) {
    // Not to wait for a writer when the path is a pipe, which is refused below.
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_ < 0) {
        throw_io_error("read", path, errno);
    }
    try {
        parse_header(read_header());
        check_layout();
    } catch (...) {
        ::close(file_);
        throw;
    }
}

SafetensorsFile::~SafetensorsFile() { ::close(file_); }

void SafetensorsFile::refuse(const std::string& problem) const {
    throw InvalidModel(path_.string() + ": " + problem + "; export the file again");
}

const SafetensorsFile::Entry& SafetensorsFile::entry(std::string_view name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
        const std::string meant = nearest(name, names_);
        throw InvalidModel(path_.string() + ": no array " + shown(std::string(name)) + " (it holds " +
                           std::to_string(names_.size()) + " arrays" +
                           (meant.empty() ? "" : ", the nearest is " + shown(meant)) + "); " +
                           (path_.filename().string().find("-of-0") == std::string::npos
                                ? "use a file of the same architecture"
                                : "this is one shard of a model by its name: merge all of them into one file"));
    }
    return found->second;
}

void SafetensorsFile::read_bytes(void* target, std::uint64_t count, std::uint64_t offset) const {
    auto* to = static_cast<char*>(target);
    while (count > 0) {
        const ssize_t got = ::pread(file_, to, count, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            throw_io_error("read", path_, errno);
        }
        if (got == 0) {
            refuse("ends at byte " + std::to_string(offset) + " (it became shorter while it was read)");
        }
        to += got;
        offset += static_cast<std::uint64_t>(got);
        count -= static_cast<std::uint64_t>(got);
    }
}

void SafetensorsFile::refuse_foreign_format() const {
    std::string start(std::min<std::uint64_t>(foreign_format_bytes, file_bytes_), '\0');
    read_bytes(start.data(), start.size(), 0);
    if (const ForeignFormat format = foreign_format(start); !format.name.empty()) {
        throw InvalidModel(path_.string() + ": no safetensors file (it is " + std::string(format.name) + "); " +
                           std::string(format.remedy));
    }
}

std::string SafetensorsFile::read_header() {
    struct stat status {};
    if (::fstat(file_, &status) != 0) {
        throw_io_error("read", path_, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throw InvalidModel(path_.string() + ": not an ordinary file (a safetensors file is one); name a file");
    }
    file_bytes_ = static_cast<std::uint64_t>(status.st_size);
    if (file_bytes_ < length_bytes) {
        refuse("only " + std::to_string(file_bytes_) + " bytes (the length of the header alone takes 8)");
    }
    std::uint64_t header = 0;
    read_bytes(&header, length_bytes, 0);
    if (header > max_header_bytes || header > file_bytes_ - length_bytes) {
        refuse_foreign_format();  // not before: a length may be any bytes
        refuse("the header claims " + std::to_string(header) + " bytes (the file has " +
               std::to_string(file_bytes_ - length_bytes) + " left and 100 MB is the limit: truncated or no " +
               "safetensors file)");
    }
    data_begin_ = length_bytes + header;
    std::string text(header, '\0');
    read_bytes(text.data(), header, length_bytes);
    if (text.empty() || text.front() != '{') {
        refuse("the header does not start with '{' (it must be a JSON object)");
    }
    return text;
}

void SafetensorsFile::parse_header(const std::string& text) try {
    const std::string origin = path_.string() + ": header";
    const Json header = Json::parse(text, origin);
    for (const auto& [name, value] : *header.get_if<Json::Object>()) {
        JsonReader reader(value, origin + "." + shown(name));
        if (name == metadata_key) {
            for (const std::string& key : reader.keys()) {
                metadata_[key] = reader.get<std::string>(key);
            }
            continue;
        }
        const std::string dtype = reader.get<std::string>("dtype");
        const auto extents = reader.get<std::vector<std::int64_t>>("shape");
        const auto offsets = reader.get<std::vector<std::int64_t>>("data_offsets");
        reader.reject_unknown();
        entries_.emplace(name, checked_entry(name, dtype, extents, offsets));
        names_.push_back(name);
    }
} catch (const InvalidModel&) {
    throw;
} catch (const InvalidInput& error) {
    throw InvalidModel(error.what());
}

SafetensorsFile::Entry SafetensorsFile::checked_entry(const std::string& name, const std::string& dtype,
                                                      const std::vector<std::int64_t>& extents,
                                                      const std::vector<std::int64_t>& offsets) const {
    if (dtype == "C64") {  // pairs of real and imaginary part
        std::vector<std::int64_t> pairs = extents;
        pairs.push_back(2);
        return checked_entry(name, "F32", pairs, offsets);
    }
    const auto element = bytes_of(dtype);
    if (!element && (dtype.starts_with("F8") || dtype.starts_with("F6") || dtype.starts_with("F4"))) {
        throw InvalidModel(path_.string() + ": array " + shown(name) + " holds " + shown(dtype) +
                           ", floats of 8 bits or less (too coarse for weights without their scales); save the "
                           "tensors as float32, tensor.float() in PyTorch");
    }
    if (!element) {
        refuse("array " + shown(name) + " has the unknown element type " + shown(dtype) +
               " (F32, F64, F16, BF16, C64, integers and BOOL are read)");
    }
    const std::uint64_t space = file_bytes_ - data_begin_;
    if (offsets.size() != 2 || offsets[0] < 0 || offsets[1] < offsets[0] ||
        static_cast<std::uint64_t>(offsets[1]) > space) {
        refuse("array " + shown(name) + " lies outside the file (data_offsets must be two rising numbers up to " +
               std::to_string(space) + ")");
    }
    if (extents.size() > Shape::max_rank || std::any_of(extents.begin(), extents.end(), is_negative)) {
        refuse("array " + shown(name) + " has an impossible shape (at most 8 axes of 0 or more cells)");
    }
    const Shape shape{std::span<const std::int64_t>(extents)};
    const auto bytes = product(extents, *element);
    if (!bytes || *bytes != static_cast<std::uint64_t>(offsets[1] - offsets[0])) {
        refuse("array " + shown(name) + " has " + std::to_string(offsets[1] - offsets[0]) + " bytes (its shape " +
               shape.text() + " of " + dtype + " takes " + (bytes ? std::to_string(*bytes) : "far more") + ")");
    }
    return {dtype, shape, data_begin_ + static_cast<std::uint64_t>(offsets[0]),
            data_begin_ + static_cast<std::uint64_t>(offsets[1])};
}

void SafetensorsFile::check_layout() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const auto& [name, stored] : entries_) {
        ranges.emplace_back(stored.begin, stored.end);
    }
    std::sort(ranges.begin(), ranges.end());
    std::uint64_t next = data_begin_;
    for (const auto& [begin, end] : ranges) {
        if (begin != next) {
            refuse((begin < next ? "arrays overlap at byte " : "a hole before byte ") + std::to_string(begin) +
                   " (every byte must belong to one array)");
        }
        next = end;
    }
    if (next != file_bytes_) {
        refuse(std::to_string(file_bytes_ - next) +
               " bytes after the last array (every byte must belong to one array)");
    }
}

Tensor SafetensorsFile::read(std::string_view name) const {
    const Entry& stored = entry(name);
    const auto read_piece = [this](void* target, std::uint64_t count, std::uint64_t offset) {
        read_bytes(target, count, offset);
    };
    if (stored.dtype == "F32" || stored.dtype == "F64") {
        Tensor tensor(host_memory(), stored.shape, stored.dtype == "F32" ? DType::float32 : DType::float64);
        read_bytes(tensor.view().data, tensor.bytes(), stored.begin);
        return tensor;
    }
    if (stored.dtype == "F16") {
        return read_widened<Half>(stored.shape, stored.begin, read_piece);
    }
    if (stored.dtype == "BF16") {
        return read_widened<Brain>(stored.shape, stored.begin, read_piece);
    }
    Tensor tensor = read_as_float64(stored.dtype, stored.shape, stored.begin, read_piece);
    for (double value : tensor.values<double>()) {
        if (std::abs(value) >= first_inexact) {
            refuse("array " + shown(std::string(name)) +
                   " holds integers of 2^53 or more (float64 holds only smaller " + "ones exactly)");
        }
    }
    return tensor;
}

Tensor SafetensorsFile::read_entries(std::string_view name, std::int64_t begin, std::int64_t count) const {
    const Entry& stored = entry(name);
    if (stored.dtype != "F32" || stored.shape.rank() < 1 || begin < 0 || count < 0 || begin > stored.shape[0] - count) {
        refuse("array " + shown(std::string(name)) + " has no entries " + std::to_string(begin) + " to " +
               std::to_string(begin + count - 1) + " of type F32");
    }
    Tensor tensor(host_memory(), stored.shape.with(0, count), DType::float32);
    const auto entry_bytes = static_cast<std::uint64_t>(stored.shape.count(1, stored.shape.rank())) * sizeof(float);
    read_bytes(tensor.view().data, tensor.bytes(), stored.begin + static_cast<std::uint64_t>(begin) * entry_bytes);
    return tensor;
}

}  // namespace plumecast
