#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace plumecast::eclipse {

/// A regular file read at any place. Errors name file and byte.
class ByteSource {
   public:
    /// Throws IoError when the file cannot be read, InvalidData for an archive or a pointer of Git LFS in its place.
    explicit ByteSource(const std::filesystem::path& path);
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    ~ByteSource();

    const std::string& path() const { return path_; }
    std::int64_t size() const { return size_; }
    /// Fills `out` with the bytes from `at` on. Throws InvalidData when the file ends before.
    void read(std::int64_t at, std::span<char> out) const;
    /// Throws InvalidData "PATH: byte AT: PROBLEM (WHY); REMEDY".
    [[noreturn]] void damaged(std::int64_t at, const std::string& problem, const std::string& why,
                              const std::string& remedy = "write or copy the file again") const;

   private:
    void refuse_foreign_format() const;

    std::string path_;
    int file_ = -1;
    std::int64_t size_ = 0;
};

/// Reads a ByteSource front to back, one character after the other.
class Scanner {
   public:
    static constexpr int end_of_file = -1;

    explicit Scanner(const ByteSource& source) : source_(&source) {}
    std::int64_t position() const { return position_; }
    void move_to(std::int64_t position) { position_ = position; }
    /// The character here, or end_of_file.
    int peek() { return position_ >= begin_ && position_ < end_ ? static_cast<unsigned char>(here()) : refill(); }
    void advance() { ++position_; }
    /// Moves to the next character that is no blank, tab or line end.
    void skip_blanks();

   private:
    char here() const { return window_[static_cast<std::size_t>(position_ - begin_)]; }
    int refill();

    const ByteSource* source_;
    std::string window_;
    std::int64_t begin_ = 0;  // the window holds the bytes [begin, end)
    std::int64_t end_ = 0;
    std::int64_t position_ = 0;
};

/// What may stand in a message: anything that is not printable becomes '?'.
std::string printable(std::string text);

/// A number as Fortran writes it, "0.25E+01", "0.25D+01", "1.5-120"; 0 for one too small for a double, false when the
/// text is none or the number too large.
bool parse_fortran_number(std::string_view text, double& value);

}  // namespace plumecast::eclipse
