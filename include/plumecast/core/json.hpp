#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace plumecast {

/// A JSON value (RFC 8259); objects keep the order of their keys.
class Json {
   public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;

    Json() = default;
    /// Not the copy constructor of std::variant: libstdc++ 12 destroys what that has not made where memory runs out.
    Json(const Json& other);
    Json(Json&&) noexcept = default;
    Json& operator=(const Json& other);
    Json& operator=(Json&&) noexcept = default;
    ~Json() = default;
    Json(bool value) : value_(value) {}                      // NOLINT
    Json(int value) : value_(std::int64_t{value}) {}         // NOLINT
    Json(std::int64_t value) : value_(value) {}              // NOLINT
    Json(double value) : value_(value) {}                    // NOLINT
    Json(const char* value) : value_(std::string(value)) {}  // NOLINT
    Json(std::string value) : value_(std::move(value)) {}    // NOLINT
    Json(Array value) : value_(std::move(value)) {}          // NOLINT
    Json(Object value) : value_(std::move(value)) {}         // NOLINT

    /// Parses a whole document. Throws InvalidInput naming `origin`, line and column for a syntax error, a duplicate
    /// key, a number out of range, or nesting deeper than 64.
    static Json parse(std::string_view text, std::string_view origin);
    /// Text of the value; `indent` < 0 for one line. Doubles round-trip; a NaN or infinity throws InvalidInput.
    std::string dump(int indent = 2) const;

    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
    bool is_object() const { return std::holds_alternative<Object>(value_); }
    /// The alternative held, or nullptr.
    template <class T>
    const T* get_if() const {
        return std::get_if<T>(&value_);
    }
    template <class T>
    T* get_if() {
        return std::get_if<T>(&value_);
    }
    /// Value of an object's key; nullptr when absent or not an object.
    const Json* find(std::string_view key) const;
    /// Sets a key of an object (a null value becomes an object first).
    Json& operator[](std::string_view key);
    /// "null", "true or false", "an integer", "a number", "a string", "a list", "an object".
    std::string_view kind() const;

    friend bool operator==(const Json&, const Json&) = default;

   private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

/// Reads one JSON object strictly: every wrong type, missing key or unknown key is an InvalidInput naming its dotted
/// path, and for an unknown key the nearest key that exists.
class JsonReader {
   public:
    /// `path` names the object in messages: "recipe.json" or "recipe.json: training". The Json must outlive the reader.
    JsonReader(const Json& object, std::string path);

    bool has(std::string_view key);
    /// Typed value of a key; T is bool, int, std::int64_t, double, std::string or a std::vector of one of the last
    /// four.
    template <class T>
    T get(std::string_view key);
    /// The same, or `fallback` when the key is absent.
    template <class T>
    T get(std::string_view key, T fallback) {
        return has(key) ? get<T>(key) : fallback;
    }
    /// A nested object.
    JsonReader object(std::string_view key);
    /// A list of objects.
    std::vector<JsonReader> objects(std::string_view key);
    /// The raw value of a key.
    const Json& raw(std::string_view key);
    /// All keys present, in order (for maps with free keys); marks them all as known.
    std::vector<std::string> keys();
    /// Path of a key, for messages.
    std::string path(std::string_view key) const;
    /// Throws InvalidInput when the object holds a key nobody asked for.
    void reject_unknown() const;

   private:
    const Json* object_;
    std::string path_;
    std::vector<std::string> known_;
};

/// The candidate nearest to a misspelt word by edit distance; empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace plumecast
