#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/tensor.hpp>

/// The safetensors format: named arrays behind a JSON header, nothing executable.
/// https://github.com/huggingface/safetensors#format
namespace plumecast {

/// A file of named arrays. Everything the header says is checked against the file when it is opened, before any memory
/// is taken for an array; the arrays are read one at a time. Safe to read from several threads.
class SafetensorsFile {
   public:
    /// Opens and checks a file. Throws InvalidModel naming file and problem when its content cannot be trusted,
    /// IoError when the system cannot read it.
    explicit SafetensorsFile(const std::filesystem::path& path);
    SafetensorsFile(const SafetensorsFile&) = delete;
    SafetensorsFile& operator=(const SafetensorsFile&) = delete;
    ~SafetensorsFile();

    const std::filesystem::path& path() const { return path_; }
    /// Names of the arrays, in the order of the header.
    const std::vector<std::string>& names() const { return names_; }
    bool contains(std::string_view name) const { return entries_.find(name) != entries_.end(); }
    /// Shape of an array. Throws InvalidModel when there is none of that name.
    const Shape& shape(std::string_view name) const { return entry(name).shape; }
    /// Element type as stored: "F64", "F32", "F16", "BF16", "I64" ... "U8" or "BOOL"; complex numbers (C64) are "F32"
    /// with a last axis of real and imaginary part. Throws InvalidModel as shape().
    std::string_view dtype(std::string_view name) const { return entry(name).dtype; }
    /// Free texts of the header.
    const std::map<std::string, std::string>& metadata() const { return metadata_; }
    /// Reads an array into host memory: F32, F16 and BF16 as float32, F64, integers and truth values as float64. Throws
    /// InvalidModel as shape(), and for an integer that float64 cannot hold exactly; IoError when the system cannot
    /// read.
    Tensor read(std::string_view name) const;
    /// Reads the entries [begin, begin + count) of the slowest axis of an F32 array. Throws InvalidModel for another
    /// type or entries that are not there; IoError.
    Tensor read_entries(std::string_view name, std::int64_t begin, std::int64_t count) const;

   private:
    struct Entry {
        std::string dtype;
        Shape shape;
        std::uint64_t begin = 0;  // bytes from the start of the file
        std::uint64_t end = 0;
    };

    const Entry& entry(std::string_view name) const;
    std::string read_header();
    void refuse_foreign_format() const;
    void parse_header(const std::string& text);
    Entry checked_entry(const std::string& name, const std::string& dtype, const std::vector<std::int64_t>& extents,
                        const std::vector<std::int64_t>& offsets) const;
    void check_layout() const;
    void read_bytes(void* target, std::uint64_t count, std::uint64_t offset) const;
    [[noreturn]] void refuse(const std::string& problem) const;

    std::filesystem::path path_;
    int file_ = -1;
    std::uint64_t file_bytes_ = 0;
    std::uint64_t data_begin_ = 0;
    std::vector<std::string> names_;
    std::map<std::string, Entry, std::less<>> entries_;
    std::map<std::string, std::string> metadata_;
};

/// An array in host memory and the name it is stored under.
struct NamedView {
    std::string name;
    ConstView values;
};

/// Order of the arrays in a file: as given, or float64 before float32 and then by name, so that every array is aligned
/// to its element type as the format's own writer does it.
enum class ArrayOrder { given, aligned };

/// Writes arrays (float32 or float64, host memory) and metadata in one step: the file appears whole or not at all. The
/// data starts at a multiple of 8 bytes. Throws InvalidInput for a name used twice, reserved or not UTF-8; IoError.
void write_safetensors(const std::filesystem::path& path, std::span<const NamedView> arrays,
                       const std::map<std::string, std::string>& metadata = {}, ArrayOrder order = ArrayOrder::aligned);

}  // namespace plumecast
