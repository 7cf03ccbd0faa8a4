#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "reservoir/h5/handle.hpp"

/// The HDF5 C library behind values of our own; the only place that calls it. Safe to use from several threads.
namespace plumecast::h5 {

/// What an array's elements are, as far as this library cares. Truth values, which h5py writes as an enumeration of
/// FALSE and TRUE, are integers; codes are other enumerations.
enum class Element { real, integer, text, codes, compound, reference, other };

/// What an array holds whose elements are no numbers, "references (as a cell array of MATLAB)".
const char* description(Element element);

/// How elements are stored.
struct StoredType {
    Element element = Element::other;
    std::size_t bytes = 0;
    bool is_signed = false;  ///< of integers
};

/// What a file declares about one array.
struct ArrayInfo {
    std::vector<std::int64_t> extents;
    Element element = Element::other;
    std::size_t element_bytes = 0;
    /// Bytes the array takes in the file, after compression.
    std::uint64_t stored_bytes = 0;
};

/// How a new array is stored.
struct Layout {
    std::vector<std::int64_t> extents;
    /// One chunk per entry of the slowest axis, shuffled, deflated at level 4, with Fletcher-32 checksums.
    bool compressed = true;
    /// Value of entries nobody writes; also written as the attribute `_FillValue`.
    std::optional<float> fill;
};

/// An open HDF5 file. Reading errors are InvalidData naming file and array, writing errors IoError.
class File {
   public:
    /// Opens for reading. Throws IoError when the file cannot be read at all, InvalidData when it is not HDF5.
    static File open(const std::filesystem::path& path);
    /// Creates or replaces a file, which messages call `known_as` where that is given. Throws IoError.
    static File create(const std::filesystem::path& path, const std::filesystem::path& known_as = {});

    const std::string& path() const { return path_; }
    /// True when `array` names an array of this file, also by soft links; links into other files are not followed.
    bool has(const std::string& array) const;
    /// What is wrong with a link on the way to an array, the end of a message: it leads into another file, in a circle,
    /// or to nothing. Empty where there is no such link.
    std::string link_problem(const std::string& array) const;
    /// Paths of all arrays, sorted, those of soft links to arrays among them.
    std::vector<std::string> arrays() const;
    /// Paths of links that lead to no array and no group of this file, sorted.
    std::vector<std::string> dead_links() const;
    /// What the file declares. Throws InvalidData when absent, when its values live in another file, or when the
    /// declared size cannot have come from the bytes stored (so a caller may allocate what is declared).
    ArrayInfo info(const std::string& array) const;
    /// Type of the elements of an array. Throws InvalidData when absent.
    StoredType type(const std::string& array) const;
    /// True where parts of an array were never written, for which HDF5 gives the fill value, or 0.
    bool has_unwritten(const std::string& array) const;
    /// The fill value that the file states for an array of numbers, in the storage and not as an attribute; nothing
    /// where it states none.
    std::optional<double> fill_value(const std::string& array) const;

    /// Reads the entries [begin, begin + count) of the slowest axis into `out`, converted to T.
    /// T is float, double, std::int64_t or std::uint8_t.
    template <class T>
    void read_rows(const std::string& array, std::int64_t begin, std::int64_t count, std::span<T> out) const;
    /// Reads all values of an array, converted to T.
    template <class T>
    std::vector<T> read(const std::string& array) const;

    /// Reads one entry of any axis of an array, all of the other axes in their order.
    std::vector<double> read_slice(const std::string& array, std::size_t axis, std::int64_t entry) const;
    /// Reads a list of texts, of fixed or variable length; none where the array is no list of texts.
    std::vector<std::string> read_texts(const std::string& array) const;

    /// Creates an array stored as T, with the groups above it.
    template <class T>
    void create_array(const std::string& array, const Layout& layout);
    /// Writes the entries [begin, begin + count) of the slowest axis.
    template <class T>
    void write_rows(const std::string& array, std::int64_t begin, std::int64_t count, std::span<const T> values);
    /// Writes an entry of the slowest axis of an array of float32 made to be compressed, as packed() gives it.
    void write_packed(const std::string& array, std::int64_t row, std::span<const std::byte> chunk);
    /// Copies an array without its attributes, and without unpacking it where each entry of the slowest axis is a
    /// chunk. Throws as create_like().
    void copy_array(const File& from, const std::string& array);

    /// Creates an array of the type, storage and attributes (but dimension scales) of another file's, with `rows`
    /// entries of the slowest axis, and a type that holds the values of the files `others` too (joined_type()). Filters
    /// that may lose bits stay where the chunks of all files can be copied as they are; else it is compressed as by
    /// create_array(). Throws InvalidData when its values are not plain numbers or texts of fixed length, or when
    /// another file has them of another kind or shape.
    void create_like(const File& from, const std::string& array, std::int64_t rows,
                     const std::vector<std::string>& others = {});
    /// Copies an entry of the slowest axis into an array made by create_like(): without unpacking it where each entry
    /// is a chunk. Throws InvalidData for a number that its type does not hold.
    void copy_row(const File& from, const std::string& array, std::int64_t from_row, std::int64_t row);
    /// Creates and writes an array of texts.
    void write_texts(const std::string& array, const std::vector<std::string>& values);

    /// Attribute of an array or of the file ("/"); nothing when absent or of another kind.
    std::optional<std::string> text(const std::string& object, const std::string& name) const;
    std::optional<std::int64_t> integer(const std::string& object, const std::string& name) const;
    /// Numbers, one or several; none when absent or of another kind.
    std::vector<double> numbers(const std::string& object, const std::string& name) const;
    /// Bytes of each of the real numbers of an attribute; 0 where it holds none.
    std::size_t real_bytes(const std::string& object, const std::string& name) const;
    /// What an attribute holds, for messages: "\"m\"", "1.5", "a list of 2 texts (\"m\", \"ft\")"; "missing" when
    /// absent.
    std::string attribute_text(const std::string& object, const std::string& name) const;
    /// A list of strings.
    std::vector<std::string> texts(const std::string& object, const std::string& name) const;
    void set_text(const std::string& object, const std::string& name, const std::string& value);
    void set_integer(const std::string& object, const std::string& name, std::int64_t value);
    void set_real(const std::string& object, const std::string& name, float value);
    void set_texts(const std::string& object, const std::string& name, const std::vector<std::string>& values);
    /// Names of the attributes of an array or of the file ("/").
    std::vector<std::string> attributes(const std::string& object) const;
    /// Copies texts and numbers among the attributes of an object of another file, but those it has already, those of
    /// dimension scales, and those named in `without`.
    void copy_attributes(const File& from, const std::string& object, const std::vector<std::string>& without);

    /// Names the axis of an array.
    void label_axis(const std::string& array, int axis, const std::string& label);
    /// Declares a one-dimensional array to be the coordinates of an axis of another.
    void attach_scale(const std::string& array, int axis, const std::string& scale, const std::string& label);

    /// Writes everything out and closes. Throws IoError.
    void close();

   private:
    /// Paths of arrays and links.
    struct Listing {
        std::vector<std::string> arrays;
        std::vector<std::string> dead_links;
    };
    /// Where a path leads: the object, or why there is none.
    struct Resolved {
        Handle object;
        std::string problem;             // the end of a message
        std::vector<std::string> parts;  // of the path by hard links alone
    };

    File(Handle handle, std::string path) : handle_(std::move(handle)), path_(std::move(path)) {}
    Resolved resolve(const std::string& path) const;
    Listing listed() const;
    /// The result of a call that writes. Where that failed, lets further writes go nowhere and throws IoError.
    template <class Result>
    Result written(Result result, const std::string& problem) const {
        if (result < 0) {
            throw_unwritten(problem);
        }
        return result;
    }
    /// Throws IoError where that many bytes more would pass what the process may write to a file.
    void require_room(std::uint64_t bytes) const;
    /// The same for entries of an array, the whole of which is stored with the first where it has no chunks.
    void require_room_for(hid_t array, std::uint64_t bytes) const;
    [[noreturn]] void throw_unwritten(const std::string& problem) const;
    void copy_chunk(const File& from, hid_t source, hid_t target, const std::string& array, std::int64_t from_row,
                    std::int64_t row) const;
    void copy_values(const File& from, hid_t source, hid_t target, const std::string& array, std::int64_t from_row,
                     std::int64_t row, std::int64_t count) const;
    bool is_stored_alike_in(const std::vector<std::string>& others, const std::string& array) const;
    Handle joined_type_of(const std::string& array, const std::vector<std::string>& others) const;
    void finish_writing(Handle target, const std::string& array) const;
    void create_groups_above(const std::string& array);
    hid_t id() const { return handle_.get(); }
    Handle open_array(const std::string& array) const;
    Handle open_object(const std::string& object) const;
    void store_attribute(const std::string& object, const std::string& name, hid_t type, std::size_t count,
                         const void* value);

    Handle handle_;
    std::string path_;
};

}  // namespace plumecast::h5
