#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

/// Reading and writing of structures by one list of their fields: a function template visit_thing(Visitor&, Thing&)
/// that a FieldReader fills a Thing with, and a FieldWriter writes one with, in the order in which it names the fields.
namespace plumecast {

/// Place of a word among the known ones. Throws InvalidInput naming `path` and the nearest known word.
std::size_t index_of(const std::string& word, const std::vector<std::string>& known, const std::string& path);

/// A closed interval with the ends `low` and `high`, a list of two numbers in a file.
template <class T>
concept Interval = requires(T interval) {
    interval.low;
    interval.high;
};

/// Calls `visit` with a reader of an object, and refuses what it does not read.
template <class Visit>
void read_whole(JsonReader& object, const Visit& visit);

/// Reads the entries of an object, strictly as its JsonReader does.
class FieldReader {
   public:
    static constexpr bool reads = true;

    explicit FieldReader(JsonReader& object) : object_(object) {}
    bool has(std::string_view key) { return object_.has(key); }

    /// An entry that may be left out; its field then stays as it is.
    template <class T>
    void field(std::string_view key, T& value) {
        if (object_.has(key)) {
            required(key, value);
        }
    }
    template <class T>
    void required(std::string_view key, T& value) {
        value = object_.get<T>(key);
    }
    void required(std::string_view key, Json& value) { value = object_.raw(key); }
    void required(std::string_view key, std::optional<Json>& value) { value = object_.raw(key); }
    template <class T>
    void required(std::string_view key, std::optional<T>& value) {
        value = object_.get<T>(key);
    }
    template <Interval T>
    void required(std::string_view key, T& value) {
        const auto list = object_.get<std::vector<decltype(value.low)>>(key);
        if (list.size() != 2) {
            throw InvalidInput(object_.path(key) + " has " + std::to_string(list.size()) +
                               " numbers (a range has two); write [lowest, highest]");
        }
        value = {list[0], list[1]};
    }
    /// An entry that is only written where it differs from the usual value.
    template <class T>
    void field_or(std::string_view key, T& value, const T& usual) {
        value = object_.get<T>(key, usual);
    }
    void seed(std::string_view key, std::uint64_t& value) {
        const auto seed = object_.get<std::int64_t>(key, static_cast<std::int64_t>(value));
        if (seed < 0) {
            throw InvalidInput(object_.path(key) + " is " + std::to_string(seed) +
                               " (seeds are 0 or more); use a positive one");
        }
        value = static_cast<std::uint64_t>(seed);
    }
    /// One of an enumeration whose names stand in its order; `find` gives the one of a word, and throws with the path.
    template <class E, class Names, class Find>
    void word(std::string_view key, E& value, const Names&, const Find& find) {
        if (object_.has(key)) {
            value = find(object_.get<std::string>(key), object_.path(key));
        }
    }
    template <class E>
    void choice(std::string_view key, E& value, const std::vector<std::string>& names) {
        word(key, value, names, [&](const std::string& name, const std::string& path) {
            return static_cast<E>(index_of(name, names, path));
        });
    }
    /// A nested object that may be left out; what `visit` does not read in it is refused.
    template <class Visit>
    void section(std::string_view key, const Visit& visit) {
        if (object_.has(key)) {
            required_section(key, visit);
        }
    }
    template <class Visit>
    void required_section(std::string_view key, const Visit& visit) {
        JsonReader nested = object_.object(key);
        read_whole(nested, visit);
    }
    /// A nested structure with read() and to_json() of its own, or a list of them, that may be left out.
    template <class T>
    void nested(std::string_view key, T& value) {
        if (object_.has(key)) {
            JsonReader object = object_.object(key);
            value = T::read(object);
        }
    }
    template <class T>
    void nested(std::string_view key, std::vector<T>& list) {
        if (object_.has(key)) {
            for (JsonReader& item : object_.objects(key)) {
                list.push_back(T::read(item));
            }
        }
    }
    /// A list of structures.
    template <class T, class Visit>
    void objects(std::string_view key, std::vector<T>& list, const Visit& visit) {
        list.clear();
        for (JsonReader& item : object_.objects(key)) {
            read_whole(item, [&](FieldReader& reader) { visit(reader, list.emplace_back()); });
        }
    }
    /// A list that may be left out, and is where it is empty.
    template <class T, class Visit>
    void objects_if_any(std::string_view key, std::vector<T>& list, const Visit& visit) {
        if (object_.has(key)) {
            objects(key, list, visit);
        }
    }

   private:
    JsonReader& object_;
};

template <class Visit>
void read_whole(JsonReader& object, const Visit& visit) {
    FieldReader reader(object);
    visit(reader);
    object.reject_unknown();
}

/// Writes entries in the order in which they are named; the functions are those of FieldReader.
class FieldWriter {
   public:
    static constexpr bool reads = false;

    template <class T>
    void field(std::string_view key, const T& value) {
        entries_.emplace_back(key, json_of(value));
    }
    template <class T>
    void field(std::string_view key, const std::optional<T>& value) {
        if (value) {
            field(key, *value);
        }
    }
    template <class T>
    void required(std::string_view key, const T& value) {
        field(key, value);
    }
    template <class T>
    void field_or(std::string_view key, const T& value, const T& usual) {
        if (value != usual) {
            field(key, value);
        }
    }
    void seed(std::string_view key, std::uint64_t value) { field(key, static_cast<std::int64_t>(value)); }
    template <class E, class Names, class Find>
    void word(std::string_view key, E value, const Names& names, const Find&) {
        field(key, std::string(names[static_cast<std::size_t>(value)]));
    }
    template <class E>
    void choice(std::string_view key, E value, const std::vector<std::string>& names) {
        word(key, value, names, nullptr);
    }
    template <class Visit>
    void section(std::string_view key, const Visit& visit) {
        FieldWriter nested;
        visit(nested);
        field(key, Json(nested.take()));
    }
    template <class Visit>
    void required_section(std::string_view key, const Visit& visit) {
        section(key, visit);
    }
    template <class T>
    void nested(std::string_view key, const T& value) {
        field(key, value.to_json());
    }
    template <class T>
    void nested(std::string_view key, const std::vector<T>& list) {
        Json::Array objects;
        for (const T& one : list) {
            objects.push_back(one.to_json());
        }
        field(key, Json(std::move(objects)));
    }
    template <class T, class Visit>
    void objects(std::string_view key, const std::vector<T>& list, const Visit& visit) {
        field(key, list_of(list, visit));
    }
    template <class T, class Visit>
    void objects_if_any(std::string_view key, const std::vector<T>& list, const Visit& visit) {
        if (!list.empty()) {
            objects(key, list, visit);
        }
    }
    Json::Object take() { return std::move(entries_); }

    template <class T, class Visit>
    static Json list_of(const std::vector<T>& list, const Visit& visit) {
        Json::Array objects;
        for (const T& one : list) {
            FieldWriter writer;
            visit(writer, one);
            objects.emplace_back(writer.take());
        }
        return objects;
    }

   private:
    template <class T>
    static Json json_of(const T& value) {
        if constexpr (Interval<T>) {
            return Json::Array{value.low, value.high};
        } else {
            return value;
        }
    }
    template <class T>
    static Json json_of(const std::vector<T>& values) {
        return Json::Array(values.begin(), values.end());
    }

    Json::Object entries_;
};

/// The object of the entries that `visit` names.
template <class Visit>
Json::Object written(const Visit& visit) {
    FieldWriter writer;
    visit(writer);
    return writer.take();
}

}  // namespace plumecast
