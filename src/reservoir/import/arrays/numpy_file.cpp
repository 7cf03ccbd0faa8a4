#include "reservoir/import/arrays/numpy_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <string_view>

#include <zlib.h>

#include <plumecast/core/error.hpp>

#include "io/text_file.hpp"

namespace plumecast {
namespace {

constexpr std::string_view npy_mark = "\x93NUMPY";

[[noreturn]] void refuse(const std::string& name, const std::string& problem, const std::string& remedy) {
    throw InvalidData(name + ": " + problem + "; " + remedy);
}

/// A whole number of some bytes, the lowest first.
std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

/// What follows a key of the header, a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
std::string_view entry(std::string_view header, std::string_view key, const std::string& name) {
    const std::size_t at = header.find("'" + std::string(key) + "'");
    const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
    if (colon == std::string_view::npos) {
        refuse(name, "the header has no " + std::string(key), "write the file with numpy.save");
    }
    std::string_view rest = header.substr(colon + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
}

std::vector<std::int64_t> shape_of(std::string_view header, const std::string& name) {
    const std::string_view text = entry(header, "shape", name);
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) {
        refuse(name, "the header has no shape", "write the file with numpy.save");
    }
    constexpr std::size_t most_digits = 12;
    std::vector<std::int64_t> extents;
    std::string digits;
    for (const char c : text.substr(1, end)) {
        if (c == '-') {
            refuse(name, "has a negative extent", "write the file with numpy.save");
        }
        if (c >= '0' && c <= '9') {
            digits += c;
        } else if (!digits.empty()) {
            if (digits.size() > most_digits) {
                refuse(name, "an extent of " + digits + " is too large", "write the file with numpy.save");
            }
            extents.push_back(std::stoll(digits));
            digits.clear();
        }
    }
    return extents;
}

template <class T>
void convert(std::string_view bytes, bool is_swapped, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        char element[sizeof(T)];
        std::memcpy(element, bytes.data() + i * sizeof(T), sizeof(T));
        if (is_swapped) {
            std::reverse(std::begin(element), std::end(element));
        }
        out[i] = static_cast<float>(std::bit_cast<T>(element));
    }
}

/// Bytes of an element: the number at the end of "<f4".
std::size_t element_size(std::string_view type) {
    return type.size() == 3 && type[2] >= '1' && type[2] <= '8' ? static_cast<std::size_t>(type[2] - '0') : 0;
}

/// Throws for complex numbers and texts, of which astype would take a part or fail.
void refuse_other_kinds(std::string_view type, const std::string& name) {
    const char kind = type.size() > 1 ? type[1] : ' ';
    if (kind == 'c') {
        refuse(name, "holds complex numbers (" + std::string(type) + "), of which an array here takes one part",
               "save the parts as two arrays: numpy.save(path, array.real), and the same with array.imag");
    }
    if (kind == 'U' || kind == 'S') {
        refuse(name, "holds text (" + std::string(type) + "), not numbers", "name another array");
    }
}

void convert(std::string_view bytes, std::string_view type, std::span<float> out, const std::string& name) {
    const bool is_swapped = type[0] == '>' && std::endian::native == std::endian::little;
    const std::string_view kind = type.substr(1);
    kind == "f4"                   ? convert<float>(bytes, is_swapped, out)
    : kind == "f8"                 ? convert<double>(bytes, is_swapped, out)
    : kind == "i8"                 ? convert<std::int64_t>(bytes, is_swapped, out)
    : kind == "i4"                 ? convert<std::int32_t>(bytes, is_swapped, out)
    : kind == "i2"                 ? convert<std::int16_t>(bytes, is_swapped, out)
    : kind == "i1"                 ? convert<std::int8_t>(bytes, is_swapped, out)
    : kind == "u8"                 ? convert<std::uint64_t>(bytes, is_swapped, out)
    : kind == "u4"                 ? convert<std::uint32_t>(bytes, is_swapped, out)
    : kind == "u2"                 ? convert<std::uint16_t>(bytes, is_swapped, out)
    : kind == "u1" || kind == "b1" ? convert<std::uint8_t>(bytes, is_swapped, out)
                                   : refuse(name, "elements of type " + std::string(type) + " are read by nobody here",
                                            "save it as float32: numpy.save(path, array.astype('float32'))");
}

/// Of Fortran order, whose first axis is the fastest.
NumberArray in_c_order(NumberArray array) {
    const std::size_t rank = array.extents.size();
    std::vector<float> ordered(array.values.size());
    std::vector<std::int64_t> index(rank, 0);
    for (float& value : ordered) {
        std::int64_t at = 0, stride = 1;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            at += index[axis] * stride;
            stride *= array.extents[axis];
        }
        value = array.values[static_cast<std::size_t>(at)];
        for (std::size_t axis = rank; axis-- > 0 && ++index[axis] == array.extents[axis];) {
            index[axis] = 0;
        }
    }
    array.values = std::move(ordered);
    return array;
}

NumberArray npy_of(std::string_view bytes, const std::string& name) {
    constexpr std::size_t fixed = 10;
    if (!bytes.starts_with(npy_mark) || bytes.size() < fixed) {
        refuse(name, "is no array of NumPy", "write it with numpy.save");
    }
    const std::size_t of_length = bytes[6] == 1 ? 2 : 4, begin = 8 + of_length;
    const std::uint64_t length = bytes.size() < begin ? bytes.size() : little(bytes, 8, of_length);
    if (length > bytes.size() - std::min(begin, bytes.size())) {
        refuse(name, "ends within its header", "copy it again");
    }
    const std::string_view header = bytes.substr(begin, length), data = bytes.substr(begin + length);
    const std::string_view stated = entry(header, "descr", name);
    const std::string_view type = stated.starts_with('\'') ? stated.substr(1, stated.find('\'', 1) - 1) : "";
    refuse_other_kinds(type, name);
    const std::size_t size = element_size(type);
    if (size == 0) {
        refuse(name, "holds no plain numbers (" + std::string(stated.substr(0, stated.find(','))) + ")",
               "save it as float32: numpy.save(path, array.astype('float32'))");
    }
    NumberArray array{shape_of(header, name), {}};
    std::uint64_t count = 1;
    for (const std::int64_t extent : array.extents) {
        const auto times = static_cast<std::uint64_t>(extent);
        count = extent == 0 || count > data.size() / size / times ? 0 : count * times;
    }
    if (count == 0 || count * size != data.size()) {
        refuse(name, "holds " + std::to_string(data.size()) + " bytes of numbers, not those of its shape",
               "copy it again, or write it with numpy.save");
    }
    array.values.resize(count);
    convert(data, type, array.values, name);
    return entry(header, "fortran_order", name).starts_with("True") ? in_c_order(std::move(array)) : array;
}

/// A file within a ZIP archive, as the central directory at its end lists it (PKWARE APPNOTE 4.3).
struct Member {
    std::string name;
    std::size_t offset = 0, packed = 0, size = 0;
    std::uint64_t check = 0;  // CRC-32 of its bytes
    bool is_deflated = false;
};

std::vector<Member> members_of(std::string_view archive, const std::string& path) {
    const std::size_t end = archive.rfind("PK\5\6");
    constexpr std::size_t end_size = 22, entry_size = 46;
    std::vector<Member> members;
    if (end == std::string_view::npos || archive.size() - end < end_size) {
        refuse(path, "the list of its arrays is missing", "copy it again");
    }
    const std::size_t count = little(archive, end + 10, 2);
    std::size_t at = little(archive, end + 16, 4);
    for (std::size_t i = 0; i < count; ++i) {
        if (at + entry_size > archive.size() || archive.substr(at, 4) != "PK\1\2") {
            refuse(path, "the list of its arrays is damaged, or the archive larger than 4 GiB",
                   "save each array with numpy.save");
        }
        const std::size_t method = little(archive, at + 10, 2), length = little(archive, at + 28, 2);
        if (method != 0 && method != 8) {
            refuse(path, "an array is packed in a way that NumPy does not write", "write it with numpy.savez");
        }
        members.push_back({std::string(archive.substr(at + entry_size, length)), little(archive, at + 42, 4),
                           little(archive, at + 20, 4), little(archive, at + 24, 4), little(archive, at + 16, 4),
                           method == 8});
        at += entry_size + length + little(archive, at + 30, 2) + little(archive, at + 32, 2);
    }
    return members;
}

std::string inflated(std::string_view packed, std::size_t size, const std::string& name) {
    constexpr std::size_t most_ratio = 1100;  // of deflate; a larger one is declared by a damaged file
    if (size / most_ratio > packed.size()) {
        refuse(name, "declares more bytes than it can hold", "copy it again");
    }
    std::string bytes(size, '\0');
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(size);
    const bool is_started = inflateInit2(&stream, -MAX_WBITS) == Z_OK;
    const bool is_whole = is_started && inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    if (is_started) {
        inflateEnd(&stream);
    }
    if (!is_whole) {
        refuse(name, "cannot be unpacked", "copy it again");
    }
    return bytes;
}

NumberArray npz_of(std::string_view archive, const std::string& path, const std::string& array) {
    const std::vector<Member> members = members_of(archive, path);
    std::string known;
    const Member* found = nullptr;
    for (const Member& member : members) {
        const std::string_view stem = std::string_view(member.name).substr(0, member.name.rfind(".npy"));
        known += (known.empty() ? "" : ", ") + std::string(stem);
        if (stem == array || (array.empty() && members.size() == 1)) {
            found = &member;
        }
    }
    if (found == nullptr) {
        refuse(path,
               members.empty() ? "holds no array"
               : array.empty() ? "holds several arrays"
                               : "no array " + array + " in it",
               "name one of them as \"array\": " + known);
    }
    constexpr std::size_t local_size = 30;
    const std::size_t at = found->offset;
    if (at + local_size > archive.size()) {
        refuse(path, "ends within " + found->name, "copy it again");
    }
    const std::size_t begin = at + local_size + little(archive, at + 26, 2) + little(archive, at + 28, 2);
    if (begin > archive.size() || found->packed > archive.size() - begin) {
        refuse(path, "ends within " + found->name, "copy it again");
    }
    const std::string_view packed = archive.substr(begin, found->packed);
    const std::string name = path + ": " + found->name;
    const std::string bytes = found->is_deflated ? inflated(packed, found->size, name) : std::string(packed);
    if (crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != found->check) {
        refuse(name, "is damaged: its checksum is another", "copy it again");
    }
    return npy_of(bytes, name);
}

}  // namespace

bool is_numpy_file(const std::string& path) { return path.ends_with(".npy") || path.ends_with(".npz"); }

NumberArray read_numpy(const std::string& path, const std::string& array) {
    const std::string bytes = read_text(path);
    return bytes.starts_with("PK") ? npz_of(bytes, path, array) : npy_of(bytes, path);
}

}  // namespace plumecast
