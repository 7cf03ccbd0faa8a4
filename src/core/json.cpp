#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "core/text/ascii.hpp"

namespace plumecast {
namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_quoted = 80;

/// Walks a text and leaves its position where the handler can see it: SAX events carry none.
class CountingIterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        *furthest_ = ++at_;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

   private:
    const char* at_;
    const char** furthest_;
};

std::string in_quotes(const std::string& text) {
    return "'" + (text.size() <= max_quoted ? text : text.substr(0, max_quoted) + "...") + "'";
}

/// The library's message without its own prefix and position, which we state ourselves.
std::string reason_of(const std::string& message) {
    const auto position = message.find(": ", message.find("column"));
    std::string reason = position == std::string::npos ? message : message.substr(position + 2);
    if (reason.size() > 2 * max_quoted) {
        reason = reason.substr(0, 2 * max_quoted) + "...";
    }
    return reason;
}

/// True for a number that is out of range because it is too close to 0, not because it is too large.
bool is_tiny(std::string_view number) {
    const std::size_t exponent = number.find_first_of("eE");
    if (exponent != std::string_view::npos) {
        return number[exponent + 1] == '-';
    }
    return number.starts_with("0.") || number.starts_with("-0.");
}

/// Builds the value from the events of the parser; refuses what the syntax allows and we do not.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
   public:
    Builder(std::string_view text, std::string_view origin) : text_(text), origin_(origin), position_(text.data()) {}

    CountingIterator begin() { return {text_.data(), &position_}; }
    CountingIterator end() { return {text_.data() + text_.size(), &position_}; }
    Json take() { return std::move(root_); }

    bool null() override { return add(Json()); }
    bool boolean(bool value) override { return add(Json(value)); }
    bool number_integer(number_integer_t value) override { return add(Json(std::int64_t{value})); }
    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(INT64_MAX)) {
            refuse_integer(std::to_string(value));
        }
        return add(Json(static_cast<std::int64_t>(value)));
    }
    bool number_float(number_float_t, const string_t& digits) override {
        const std::string_view number = last_number(digits.size());
        if (number.find_first_of(".eE") == std::string_view::npos) {
            refuse_integer(std::string(number));
        }
        return add(Json(value_of(number)));
    }
    bool string(string_t& value) override { return add(Json(std::move(value))); }
    bool binary(binary_t&) override { return false; }

    bool start_object(std::size_t) override { return open(Json(Json::Object())); }
    bool start_array(std::size_t) override { return open(Json(Json::Array())); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override {
        if (!stack_.back().keys.insert(value).second) {
            fail("key " + in_quotes(value) + " appears twice (only one value can count); remove one");
        }
        stack_.back().key = std::move(value);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        if (dynamic_cast<const nlohmann::json::parse_error*>(&error) == nullptr) {
            refuse_number();
        }
        position_ = text_.data() + std::min(position, text_.size());
        if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
            fail("no JSON (the text is empty); write at least {}");
        }
        fail("not valid JSON (" + reason_of(error.what()) + "); correct the text there");
    }

   private:
    struct Level {
        Json value;
        std::string key;
        std::unordered_set<std::string> keys;
    };

    [[noreturn]] void fail(const std::string& problem) const {
        const std::string_view read(text_.data(), static_cast<std::size_t>(position_ - text_.data()));
        const auto line = 1 + std::count(read.begin(), read.end(), '\n');
        const auto start = read.rfind('\n') + 1;  // npos + 1 is 0: the first line
        throw InvalidInput(std::string(origin_) + ", line " + std::to_string(line) + ", column " +
                           std::to_string(std::max<std::size_t>(read.size() - start, 1)) + ": " + problem);
    }
    /// The digits that the parser has just read, as they stand in the text: it hands on a copy with the decimal sign of
    /// the locale, and a value that follows the locale too.
    std::string_view last_number(std::size_t size) const {
        const char* end = position_;
        if (!is_digit(end[-1])) {
            --end;  // the parser looks one character ahead unless the text ends
        }
        return {end - size, size};
    }
    double value_of(std::string_view number) const {
        double value = 0.0;
        const auto error = std::from_chars(number.data(), number.data() + number.size(), value).ec;
        if (error == std::errc::result_out_of_range) {
            if (!is_tiny(number)) {
                refuse_number();
            }
            return number.front() == '-' ? -0.0 : 0.0;
        }
        return value;
    }
    [[noreturn]] void refuse_number() const {
        fail("a number is out of range (it does not fit a 64-bit floating-point number); correct it");
    }
    [[noreturn]] void refuse_integer(const std::string& digits) const {
        fail("integer " + in_quotes(digits) + " is out of range (64 bits with a sign are read); correct it");
    }
    bool open(Json value) {
        if (stack_.size() == max_depth) {
            fail("nested deeper than 64 levels (no file of ours is); correct the text there");
        }
        stack_.push_back({std::move(value), {}, {}});
        return true;
    }
    bool close() {
        Json value = std::move(stack_.back().value);
        stack_.pop_back();
        return add(std::move(value));
    }
    bool add(Json value) {
        if (stack_.empty()) {
            root_ = std::move(value);
        } else if (auto* list = stack_.back().value.get_if<Json::Array>()) {
            list->push_back(std::move(value));
        } else {
            stack_.back().value.get_if<Json::Object>()->emplace_back(std::move(stack_.back().key), std::move(value));
        }
        return true;
    }

    std::string_view text_;
    std::string_view origin_;
    const char* position_;
    std::vector<Level> stack_;
    Json root_;
};

std::string text_of(double value) {
    if (!std::isfinite(value)) {
        throw InvalidInput(
            "a NaN or infinity cannot be written as JSON (the format has no word for it); "
            "check where the number comes from");
    }
    char digits[32];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
    const std::string text(digits, end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string text_of(const std::string& value) {
    try {
        return nlohmann::json(value).dump();
    } catch (const nlohmann::json::type_error&) {
        throw InvalidInput("a text cannot be written as JSON (it is not valid UTF-8); use UTF-8 names");
    }
}

bool is_nested(const Json& value) {
    return value.get_if<Json::Array>() != nullptr || value.get_if<Json::Object>() != nullptr;
}

class Writer {
   public:
    explicit Writer(int indent) : indent_(indent) {}

    void write(const Json& value, int level) {
        if (const auto* object = value.get_if<Json::Object>()) {
            sequence('{', '}', *object, indent_ >= 0, level, [&](const auto& entry) {
                text += text_of(entry.first) + ": ";
                write(entry.second, level + 1);
            });
        } else if (const auto* list = value.get_if<Json::Array>()) {
            const bool lines = indent_ >= 0 && std::any_of(list->begin(), list->end(), is_nested);
            sequence('[', ']', *list, lines, level, [&](const Json& entry) { write(entry, level + 1); });
        } else {
            text += scalar(value);
        }
    }

    std::string text;

   private:
    static std::string scalar(const Json& value) {
        if (const auto* truth = value.get_if<bool>()) {
            return *truth ? "true" : "false";
        }
        if (const auto* integer = value.get_if<std::int64_t>()) {
            return std::to_string(*integer);
        }
        if (const auto* number = value.get_if<double>()) {
            return text_of(*number);
        }
        const auto* string = value.get_if<std::string>();
        return string != nullptr ? text_of(*string) : "null";
    }
    void new_line(int level) {
        text += '\n';
        text.append(static_cast<std::size_t>(level * indent_), ' ');
    }
    template <class List, class WriteEntry>
    void sequence(char open, char close, const List& list, bool lines, int level, WriteEntry write_entry) {
        text += open;
        bool first = true;
        for (const auto& entry : list) {
            text += first ? "" : lines ? "," : ", ";
            first = false;
            if (lines) {
                new_line(level + 1);
            }
            write_entry(entry);
        }
        if (lines && !first) {
            new_line(level);
        }
        text += close;
    }

    int indent_;
};

}  // namespace

Json::Json(const Json& other) {
    std::visit(
        [this](const auto& held) {
            auto copy = held;  // alone may run out of memory
            value_ = std::move(copy);
        },
        other.value_);
}

Json& Json::operator=(const Json& other) {
    Json copy(other);
    value_ = std::move(copy.value_);
    return *this;
}

Json Json::parse(std::string_view text, std::string_view origin) {
    Builder builder(text, origin);
    nlohmann::json::sax_parse(builder.begin(), builder.end(), &builder);
    return builder.take();
}

std::string Json::dump(int indent) const {
    Writer writer(indent);
    writer.write(*this, 0);
    return std::move(writer.text);
}

const Json* Json::find(std::string_view key) const {
    if (const auto* object = get_if<Object>()) {
        for (const auto& [name, value] : *object) {
            if (name == key) {
                return &value;
            }
        }
    }
    return nullptr;
}

Json& Json::operator[](std::string_view key) {
    if (is_null()) {
        value_ = Object();
    }
    auto* object = get_if<Object>();
    expects(object != nullptr, "an object to set a key of");
    for (auto& [name, value] : *object) {
        if (name == key) {
            return value;
        }
    }
    return object->emplace_back(std::string(key), Json()).second;
}

std::string_view Json::kind() const {
    constexpr std::string_view kinds[] = {"null",     "true or false", "an integer", "a number",
                                          "a string", "a list",        "an object"};
    return kinds[value_.index()];
}

}  // namespace plumecast
