#include "reservoir/h5/packing.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

#include <zlib.h>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/session.hpp"

namespace plumecast::h5 {
namespace {

constexpr std::size_t width = sizeof(float);

/// The first bytes of all values, then their second bytes, and so on.
std::vector<std::byte> shuffled(std::span<const float> values) {
    const auto bytes = std::as_bytes(values);
    std::vector<std::byte> planes(bytes.size());
    for (std::size_t place = 0; place < width; ++place) {
        std::byte* plane = planes.data() + place * values.size();
        for (std::size_t i = 0; i < values.size(); ++i) {
            plane[i] = bytes[width * i + place];
        }
    }
    return planes;
}

/// Compressed bytes, with room kept for a checksum.
std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
    constexpr int level = 1, window_bits = 15, memory_level = 9;  // the level decides no more than the stream's header
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, window_bits, memory_level, Z_RLE) != Z_OK) {
        throw std::bad_alloc();
    }
    const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, &deflateEnd);
    std::vector<std::byte> out(deflateBound(&stream, bytes.size()) + sizeof(std::uint32_t));
    expects(out.size() <= std::numeric_limits<uInt>::max(), "a chunk that zlib can count, as HDF5 wants it");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));  // zlib does not change it
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int end = deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    expects(end == Z_STREAM_END, "room for all compressed bytes");
    return out;
}

std::uint64_t folded(std::uint64_t sum) {
    while (sum > 0xFFFF) {
        sum = (sum & 0xFFFF) + (sum >> 16);  // 2^16 is 1 modulo 2^16 - 1
    }
    return sum;
}

/// Fletcher's checksum (1982) of big-endian words of 16 bits modulo 2^16 - 1, an odd byte being the upper half of a
/// last word, as the HDF5 file format lays it down.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
    constexpr std::size_t words_between_folds = 1U << 20;  // the sums stay below 2^60
    std::uint64_t sum = 0, sum_of_sums = 0;
    const auto word = [&](std::size_t i) {
        const auto low = 2 * i + 1 < bytes.size() ? std::to_integer<std::uint64_t>(bytes[2 * i + 1]) : 0U;
        return std::to_integer<std::uint64_t>(bytes[2 * i]) << 8 | low;
    };
    const std::size_t words = (bytes.size() + 1) / 2;
    for (std::size_t begin = 0; begin < words; begin += words_between_folds) {
        const std::size_t end = std::min(words, begin + words_between_folds);
        for (std::size_t i = begin; i < end; ++i) {
            sum += word(i);
            sum_of_sums += sum;
        }
        sum = folded(sum);
        sum_of_sums = folded(sum_of_sums);
    }
    return static_cast<std::uint32_t>(sum_of_sums << 16 | sum);
}

}  // namespace

void deflate_chunks(hid_t plan, const std::string& problem) {
    H5Pset_shuffle(plan);
    check<IoError>(H5Pset_deflate(plan, 4), problem, "install HDF5 with zlib");
    H5Pset_fletcher32(plan);
}

std::vector<std::byte> packed(std::span<const float> values) {
    std::vector<std::byte> bytes = deflated(shuffled(values));
    const std::uint32_t checksum = fletcher32(bytes);
    for (int shift = 0; shift < 32; shift += 8) {  // least significant byte first
        bytes.push_back(static_cast<std::byte>(checksum >> shift & 0xFF));
    }
    return bytes;
}

}  // namespace plumecast::h5
