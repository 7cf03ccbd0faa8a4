#include "reservoir/eclipse/byte_source.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"
#include "io/durable.hpp"
#include "io/foreign_format.hpp"

namespace plumecast::eclipse {
namespace {

constexpr std::int64_t window_bytes = 1 << 16;
constexpr std::size_t longest_number = 64;

bool is_blank(int c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

ByteSource::ByteSource(const std::filesystem::path& path) : path_(path.string()) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        if (!error && std::filesystem::exists(path, error)) {
            throw IoError("cannot read '" + path.string() + "' (it is not an ordinary file); name a file");
        }
        throw_io_error("read", path, error ? error.value() : ENOENT);
    }
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) {
        throw_io_error("read", path, errno);
    }
    size_ = static_cast<std::int64_t>(::lseek(file_, 0, SEEK_END));
    try {
        refuse_foreign_format();
    } catch (...) {
        ::close(file_);
        throw;
    }
}

/// Archives and pointers in the place of the file.
void ByteSource::refuse_foreign_format() const {
    std::string start(static_cast<std::size_t>(std::clamp<std::int64_t>(size_, 0, foreign_format_bytes)), '\0');
    read(0, start);
    if (const ForeignFormat format = foreign_format(start); !format.name.empty()) {
        throw InvalidData(path_ + ": not the file itself (it is " + std::string(format.name) + "); " +
                          std::string(format.remedy));
    }
}

ByteSource::~ByteSource() {
    if (file_ >= 0) {
        ::close(file_);
    }
}

void ByteSource::damaged(std::int64_t at, const std::string& problem, const std::string& why,
                         const std::string& remedy) const {
    throw InvalidData(path_ + ": byte " + std::to_string(at) + ": " + problem + " (" + why + "); " + remedy);
}

void ByteSource::read(std::int64_t at, std::span<char> out) const {
    const auto count = static_cast<std::int64_t>(out.size());
    if (at < 0 || count > size_ - at) {
        damaged(at, "the file ends within a record",
                std::to_string(count) + " bytes are declared, " +
                    std::to_string(std::max<std::int64_t>(size_ - at, 0)) + " are there");
    }
    for (std::size_t done = 0; done < out.size();) {
        const ssize_t got = ::pread(file_, out.data() + done, out.size() - done, at + static_cast<off_t>(done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            damaged(at + static_cast<std::int64_t>(done), "the file cannot be read here",
                    "it became shorter, or the disk failed");
        }
        done += static_cast<std::size_t>(got);
    }
}

int Scanner::refill() {
    if (position_ < 0 || position_ >= source_->size()) {
        return end_of_file;
    }
    const std::int64_t count = std::min(window_bytes, source_->size() - position_);
    window_.resize(static_cast<std::size_t>(count));
    source_->read(position_, window_);
    begin_ = position_;
    end_ = position_ + count;
    return static_cast<unsigned char>(here());
}

void Scanner::skip_blanks() {
    while (is_blank(peek())) {
        advance();
    }
}

std::string printable(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return !is_printable(c); }, '?');
    return text;
}

bool parse_fortran_number(std::string_view text, double& value) {
    std::array<char, longest_number + 1> buffer{};
    std::size_t length = 0;
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    if (text.empty() || text.size() > longest_number - 1) {
        return false;
    }
    bool has_exponent = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == 'D' || c == 'd' || c == 'E' || c == 'e') {
            c = 'e';
            has_exponent = true;
        } else if ((c == '-' || c == '+') && i > 0 && !has_exponent && text[i - 1] >= '.' && text[i - 1] <= '9') {
            buffer[length++] = 'e';  // three-digit exponents leave no room for the letter
            has_exponent = true;
        }
        buffer[length++] = c;
    }
    const char* begin = buffer.data();
    const char* end = begin + length;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error == std::errc::result_out_of_range && std::string_view(begin, length).find("e-") != std::string::npos) {
        value = 0.0;  // below what a double holds
        return stop == end;
    }
    return error == std::errc() && stop == end;
}

}  // namespace plumecast::eclipse
