#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plumecast {

/// What a store declares about one of its arrays.
struct StoredArray {
    std::vector<std::int64_t> extents;
    bool is_number = false;
};

/// Where the arrays of a data set lie, known by their paths in the format, "/inputs/porosity". Reading may be done from
/// several threads.
class DatasetStore {
   public:
    virtual ~DatasetStore() = default;

    /// What messages call it: the path of a file.
    virtual const std::string& name() const = 0;
    /// True for a file on the disk.
    virtual bool is_file() const = 0;
    virtual bool has(const std::string& array) const = 0;
    /// What is wrong with a link on the way to an array, the end of a message; empty where there is no such link.
    virtual std::string link_problem(const std::string& /*array*/) const { return {}; }
    /// Paths of all arrays, sorted.
    virtual std::vector<std::string> arrays() const = 0;
    /// Throws InvalidData when there is no such array, or when its values cannot be there.
    virtual StoredArray info(const std::string& array) const = 0;
    /// Reads the entries [begin, begin + count) of the slowest axis into `out`, converted. Throws InvalidData.
    virtual void read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                           std::span<float> out) const = 0;
    virtual void read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                           std::span<double> out) const = 0;

    /// Attribute of an array or of the whole ("/"); nothing when absent or of another kind.
    virtual std::optional<std::string> text(const std::string& object, const std::string& attribute) const = 0;
    /// A real number that is whole counts too.
    virtual std::optional<std::int64_t> integer(const std::string& object, const std::string& attribute) const = 0;
    /// What an attribute holds, for messages: "\"m\"", "1.5", a list; "missing" when absent.
    virtual std::string attribute_text(const std::string& object, const std::string& attribute) const {
        const auto found = text(object, attribute);
        return found ? "\"" + *found + "\"" : "missing";
    }
    /// Numbers, one or several; none when absent or of another kind.
    virtual std::vector<double> numbers(const std::string& object, const std::string& attribute) const = 0;
    /// Names of the attributes of the whole.
    virtual std::vector<std::string> attributes() const = 0;

    /// Reads all values of an array with at least one axis, converted to float or double. Throws InvalidData.
    template <class T>
    std::vector<T> read(const std::string& array) const {
        const StoredArray declared = info(array);
        std::int64_t count = 1;
        for (const std::int64_t extent : declared.extents) {
            count *= extent;
        }
        std::vector<T> values(static_cast<std::size_t>(count));
        if (count > 0) {
            read_rows(array, 0, declared.extents[0], std::span<T>(values));
        }
        return values;
    }
};

}  // namespace plumecast
