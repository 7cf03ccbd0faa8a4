#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

/// Bytes of unformatted ECLIPSE files, written down independently of the reader.
namespace plumecast::testing {

inline std::string big_endian_bytes(std::uint64_t value, int bytes) {
    std::string text;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        text += static_cast<char>((value >> shift) & 0xff);
    }
    return text;
}

inline std::string whole(std::int64_t value) { return big_endian_bytes(static_cast<std::uint32_t>(value), 4); }

inline std::string block(const std::string& data) {
    const auto size = static_cast<std::int64_t>(data.size());
    return whole(size) + data + whole(size);
}

inline std::string padded(std::string text, std::size_t width) {
    text.resize(width, ' ');
    return text;
}

inline std::string record_header(const std::string& keyword, std::int64_t count, const std::string& type) {
    return block(padded(keyword, 8) + whole(count) + type);
}

/// An array of values that are encoded already, in blocks of `per_block`.
inline std::string record(const std::string& keyword, const std::string& type, const std::vector<std::string>& values,
                          std::size_t per_block) {
    std::string text = record_header(keyword, static_cast<std::int64_t>(values.size()), type);
    for (std::size_t begin = 0; begin < values.size(); begin += per_block) {
        std::string data;
        for (std::size_t i = begin; i < std::min(values.size(), begin + per_block); ++i) {
            data += values[i];
        }
        text += block(data);
    }
    return text;
}

inline std::string doubles(const std::string& keyword, const std::vector<double>& values) {
    std::vector<std::string> encoded;
    for (const double value : values) {
        encoded.push_back(big_endian_bytes(std::bit_cast<std::uint64_t>(value), 8));
    }
    return record(keyword, "DOUB", encoded, 1000);
}

inline std::string integers(const std::string& keyword, const std::vector<int>& values) {
    std::vector<std::string> encoded;
    for (const int value : values) {
        encoded.push_back(whole(value));
    }
    return record(keyword, "INTE", encoded, 1000);
}

inline std::string reals(const std::string& keyword, const std::vector<float>& values) {
    std::vector<std::string> encoded;
    for (const float value : values) {
        encoded.push_back(big_endian_bytes(std::bit_cast<std::uint32_t>(value), 4));
    }
    return record(keyword, "REAL", encoded, 1000);
}

inline std::string texts(const std::string& keyword, const std::vector<std::string>& values, std::size_t width = 8) {
    std::vector<std::string> encoded;
    for (const std::string& value : values) {
        encoded.push_back(padded(value, width));
    }
    const std::string type = width == 8 ? "CHAR" : "C0" + std::string(width < 10 ? "0" : "") + std::to_string(width);
    return record(keyword, type, encoded, 105);
}

}  // namespace plumecast::testing
