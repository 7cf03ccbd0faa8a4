#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "io/durable.hpp"
#include "reservoir/eclipse/output/record_writer.hpp"

namespace plumecast::eclipse {
namespace {

constexpr std::size_t numbers_per_block = 1000;
constexpr std::size_t texts_per_block = 105;
constexpr std::size_t text_width = 8;
constexpr std::size_t buffered_bytes = std::size_t{1} << 20;

std::uint32_t big_endian(std::uint32_t value) {
    return std::endian::native == std::endian::little ? __builtin_bswap32(value) : value;
}
std::uint64_t big_endian(std::uint64_t value) {
    return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

void append_big_endian(std::string& to, std::uint32_t value) {
    value = big_endian(value);
    to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// Appends a block of numbers; the loop over whole words is one that compilers turn into vector instructions.
template <class Value>
void append_big_endian(std::string& to, std::span<const Value> values) {
    using Word = std::conditional_t<sizeof(Value) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    std::array<Word, numbers_per_block> words;
    for (std::size_t i = 0; i < values.size(); ++i) {
        words[i] = big_endian(std::bit_cast<Word>(values[i]));
    }
    to.append(reinterpret_cast<const char*>(words.data()), values.size_bytes());
}

std::string padded(std::string_view text) {
    std::string result(text.substr(0, text_width));
    result.resize(text_width, ' ');
    return result;
}

std::string type_of(std::int32_t) { return "INTE"; }
std::string type_of(float) { return "REAL"; }
std::string type_of(double) { return "DOUB"; }

/// Values per line of a formatted file.
std::size_t line_length(std::int32_t) { return 6; }
std::size_t line_length(float) { return 4; }
std::size_t line_length(double) { return 3; }

void append_text(std::string& to, std::int32_t value) { fmt::format_to(std::back_inserter(to), "{:12d}", value); }
void append_text(std::string& to, float value) { fmt::format_to(std::back_inserter(to), "{:17.8E}", value); }
void append_text(std::string& to, double value) {
    std::string text = fmt::format("{:23.14E}", value);
    std::ranges::replace(text, 'E', 'D');  // Fortran's exponent of double precision
    to += text;
}

/// Calls `value(i)` for all i, a line of `per_line` at a time; blocks begin on lines of their own.
template <class Append>
void append_lines(std::string& to, std::size_t count, std::size_t per_line, std::size_t per_block, Append value) {
    for (std::size_t i = 0; i < count; ++i) {
        value(i);
        const std::size_t in_block = i % per_block + 1;
        if (in_block % per_line == 0 || in_block == per_block || i + 1 == count) {
            to += '\n';
        }
    }
}

}  // namespace

RecordWriter::RecordWriter(const std::filesystem::path& path, RecordFormat format)
    : path_(path), target_(path), format_(format), file_(target_.path(), std::ios::binary | std::ios::trunc) {
    if (!file_) {
        throw_io_error("write", path, errno);
    }
}

void RecordWriter::flush(std::size_t above) {
    if (buffer_.size() <= above) {
        return;
    }
    errno = 0;
    if (!file_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size())) || !file_.flush()) {
        throw_io_error("write", path_, errno == 0 ? EIO : errno);
    }
    buffer_.clear();
}

void RecordWriter::header(std::string_view keyword, std::size_t count, std::string_view type) {
    expects(count <= INT32_MAX, "an array that a 32-bit count can describe");
    if (format_ == RecordFormat::formatted) {
        fmt::format_to(std::back_inserter(buffer_), " '{}' {:11d} '{}'\n", padded(keyword), count, type);
        return;
    }
    constexpr std::uint32_t header_bytes = 16;
    append_big_endian(buffer_, header_bytes);
    buffer_ += padded(keyword);
    append_big_endian(buffer_, static_cast<std::uint32_t>(count));
    buffer_ += type;
    append_big_endian(buffer_, header_bytes);
}

template <class Value>
void RecordWriter::write_numbers(std::string_view keyword, std::span<const Value> values) {
    header(keyword, values.size(), type_of(Value{}));
    if (format_ == RecordFormat::formatted) {
        append_lines(buffer_, values.size(), line_length(Value{}), numbers_per_block,
                     [&](std::size_t i) { append_text(buffer_, values[i]); });
        flush(buffered_bytes);
        return;
    }
    for (std::size_t begin = 0; begin < values.size(); begin += numbers_per_block) {
        const auto block = values.subspan(begin, std::min(numbers_per_block, values.size() - begin));
        const auto bytes = static_cast<std::uint32_t>(block.size_bytes());
        append_big_endian(buffer_, bytes);
        append_big_endian(buffer_, block);
        append_big_endian(buffer_, bytes);
        flush(buffered_bytes);
    }
}

void RecordWriter::integers(std::string_view keyword, std::span<const std::int32_t> values) {
    write_numbers(keyword, values);
}

void RecordWriter::reals(std::string_view keyword, std::span<const float> values) { write_numbers(keyword, values); }

void RecordWriter::doubles(std::string_view keyword, std::span<const double> values) { write_numbers(keyword, values); }

void RecordWriter::logicals(std::string_view keyword, const std::vector<bool>& values) {
    header(keyword, values.size(), "LOGI");
    if (format_ == RecordFormat::formatted) {
        constexpr std::size_t per_line = 25;
        append_lines(buffer_, values.size(), per_line, numbers_per_block,
                     [&](std::size_t i) { buffer_ += values[i] ? "  T" : "  F"; });
        return;
    }
    for (std::size_t begin = 0; begin < values.size(); begin += numbers_per_block) {
        const std::size_t end = std::min(values.size(), begin + numbers_per_block);
        const auto bytes = static_cast<std::uint32_t>(4 * (end - begin));
        append_big_endian(buffer_, bytes);
        for (std::size_t i = begin; i < end; ++i) {
            append_big_endian(buffer_, values[i] ? ~std::uint32_t{0} : std::uint32_t{0});
        }
        append_big_endian(buffer_, bytes);
    }
}

void RecordWriter::texts(std::string_view keyword, std::span<const std::string> values) {
    header(keyword, values.size(), "CHAR");
    if (format_ == RecordFormat::formatted) {
        constexpr std::size_t per_line = 7;
        append_lines(buffer_, values.size(), per_line, texts_per_block,
                     [&](std::size_t i) { buffer_ += " '" + padded(values[i]) + "'"; });
        return;
    }
    for (std::size_t begin = 0; begin < values.size(); begin += texts_per_block) {
        const auto block = values.subspan(begin, std::min(texts_per_block, values.size() - begin));
        const auto bytes = static_cast<std::uint32_t>(text_width * block.size());
        append_big_endian(buffer_, bytes);
        for (const std::string& text : block) {
            buffer_ += padded(text);
        }
        append_big_endian(buffer_, bytes);
    }
}

void RecordWriter::message(std::string_view keyword) { header(keyword, 0, "MESS"); }

void RecordWriter::commit() {
    flush(0);
    file_.close();
    if (!file_) {
        throw_io_error("write", path_, errno == 0 ? EIO : errno);
    }
    target_.commit();
}

}  // namespace plumecast::eclipse
