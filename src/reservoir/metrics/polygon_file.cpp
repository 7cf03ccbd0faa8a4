#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "core/text/ascii.hpp"
#include "io/text_file.hpp"

namespace plumecast {
namespace {

using Ring = std::vector<std::array<double, 2>>;

constexpr double most_degrees = 180.0;
constexpr int deepest = 16;  // collections within collections

std::optional<double> number_of(const Json& value) {
    if (const auto* whole = value.get_if<std::int64_t>()) {
        return static_cast<double>(*whole);
    }
    const auto* real = value.get_if<double>();
    return real == nullptr ? std::nullopt : std::optional(*real);
}

/// Reads the areas of a GeoJSON document.
class GeoJson {
   public:
    explicit GeoJson(const std::string& path) : path_(path) {}

    void read(const Json& value, int depth = 0) {
        const Json* type = value.find("type");
        const std::string* name = type == nullptr ? nullptr : type->get_if<std::string>();
        if (name == nullptr || depth > deepest) {
            refuse("an object without \"type\"", "GeoJSON says what each is");
        }
        if (*name == "FeatureCollection" || *name == "GeometryCollection") {
            for (const Json& one : list_in(value, *name == "FeatureCollection" ? "features" : "geometries")) {
                read(one, depth + 1);
            }
        } else if (*name == "Feature") {
            const Json* geometry = value.find("geometry");
            if (geometry == nullptr || !geometry->is_object()) {
                refuse("a feature without geometry", "an area is needed");
            }
            read(*geometry, depth + 1);
        } else if (*name == "Polygon") {
            add_polygon(list_in(value, "coordinates"));
        } else if (*name == "MultiPolygon") {
            for (const Json& one : list_in(value, "coordinates")) {
                add_polygon(list_of(one));
            }
        } else {
            refuse("a " + *name, "Polygon and MultiPolygon are areas");
        }
    }

    MapPolygon polygon;

   private:
    [[noreturn]] void refuse(const std::string& what, const std::string& why) const {
        throw InvalidData(path_ + ": " + what + " (" + why + "); give polygons with x and y in metres of the map");
    }
    const Json::Array& list_of(const Json& value) const {
        const auto* list = value.get_if<Json::Array>();
        if (list == nullptr) {
            refuse(std::string(value.kind()) + " where a list is expected", "coordinates are lists of points");
        }
        return *list;
    }
    const Json::Array& list_in(const Json& value, const char* key) const {
        const Json* found = value.find(key);
        if (found == nullptr) {
            refuse(fmt::format("no \"{}\"", key), "GeoJSON has it");
        }
        return list_of(*found);
    }
    void add_polygon(const Json::Array& rings) {
        const std::size_t part = polygon.parts.empty() ? 0 : polygon.parts.back() + 1;
        for (const Json& ring : rings) {
            polygon.parts.push_back(part);
            Ring& points = polygon.rings.emplace_back();
            for (const Json& one : list_of(ring)) {
                const Json::Array& point = list_of(one);
                const auto x = point.size() < 2 ? std::nullopt : number_of(point[0]);
                const auto y = point.size() < 2 ? std::nullopt : number_of(point[1]);
                if (!x || !y) {
                    refuse("a point that is no [x, y]", "a position has two numbers");
                }
                points.push_back({*x, *y});
            }
        }
    }

    const std::string& path_;
};

/// The number that a text begins with, where it is finite; `text` is what follows.
std::optional<double> number_in(std::string_view& text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double value = 0.0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return error == std::errc() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The first two numbers of a line, between spaces, commas or semicolons, where both are finite.
std::optional<std::array<double, 2>> point_of(std::string_view line) {
    std::array<double, 2> point{};
    for (double& value : point) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t,;"), line.size()));
        const std::optional<double> number = number_in(line);
        const bool is_apart = line.empty() || line.find_first_of(" \t,;") == 0;
        if (!number || !is_apart) {
            return std::nullopt;
        }
        value = *number;
    }
    return point;
}

/// Where a character first is outside of quotes; the end of the text where it is not.
std::size_t find_unquoted(std::string_view text, char wanted) {
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        is_quoted = is_quoted != (text[i] == '"');
        if (text[i] == wanted && !is_quoted) {
            return i;
        }
    }
    return text.size();
}

/// What is between columns: a semicolon, tab or comma, whichever a line has first of these, else a space.
char separator_of(std::string_view line) {
    for (const char between : {';', '\t', ','}) {
        if (find_unquoted(line, between) < line.size()) {
            return between;
        }
    }
    return ' ';
}

/// Without spaces, or the quotes of a column, at both ends.
std::string_view trimmed(std::string_view text, const char* ends = " \t\"") {
    text.remove_prefix(std::min(text.find_first_not_of(ends), text.size()));
    return text.substr(0, text.find_last_not_of(ends) + 1);
}

/// What stands between the separators of a line, which may be nothing but between spaces.
std::vector<std::string_view> columns_of(std::string_view line) {
    const char between = separator_of(line);
    line = between == ' ' ? trimmed(line, " ") : line;
    std::vector<std::string_view> columns;
    for (bool is_last = false; !is_last;) {
        const std::size_t end = find_unquoted(line, between);
        columns.push_back(trimmed(line.substr(0, end)));
        is_last = end == line.size();
        line.remove_prefix(std::min(end + 1, line.size()));
        line.remove_prefix(between == ' ' ? std::min(line.find_first_not_of(' '), line.size()) : 0);
    }
    return columns;
}

/// Names of columns between spaces without units, which are in brackets after them, as in "x (m) y (m)".
std::string without_units(std::string_view heading) {
    std::string names;
    bool is_unit = false;
    for (const char c : heading) {
        is_unit = is_unit || c == '(' || c == '[';
        names += is_unit ? ' ' : c;
        is_unit = is_unit && c != ')' && c != ']';
    }
    return names;
}

/// Whether a column is named by one of the usual names of a coordinate, without a unit or an addition in brackets.
bool is_named(std::string_view column, std::string_view letter, std::string_view word) {
    const std::string all = lower(std::string(column));
    std::string name(trimmed(std::string_view(all).substr(0, all.find_first_of("(["))));
    std::erase_if(name, [](char c) { return c == '_' || c == '-' || c == ' '; });
    const std::string x(letter);
    return name == x || name == word || name == "point" + x || name == x + "coord" || name == x + "coordinate" ||
           name == "coord" + x;
}

/// Whether the name of a column begins with that of a coordinate and goes on, as in "x_utm".
bool begins_as(std::string_view column, std::string_view letter, std::string_view word) {
    const std::string name = lower(std::string(column));
    const bool goes_on = name.size() > 1 && (is_letter(name[1]) || is_digit(name[1]));
    return name.starts_with(word) || (name.starts_with(letter) && !goes_on);
}

/// Places of x and y among the columns that a heading names; nothing where it names neither, one alone, or several of
/// which nothing says which it is.
std::optional<std::array<std::size_t, 2>> places_in(std::string_view heading) {
    const std::string names = separator_of(heading) == ' ' ? without_units(heading) : std::string(heading);
    const std::vector<std::string_view> columns = columns_of(names);
    const auto place_of = [&](std::string_view letter, std::string_view word) -> std::optional<std::size_t> {
        for (const auto& is_it : {is_named, begins_as}) {
            const auto fits = [&](std::string_view column) { return is_it(column, letter, word); };
            const auto first = std::ranges::find_if(columns, fits);
            if (first != columns.end()) {
                const bool is_one = std::none_of(first + 1, columns.end(), fits);
                return is_one ? std::optional(static_cast<std::size_t>(first - columns.begin())) : std::nullopt;
            }
        }
        return std::nullopt;
    };
    const std::optional<std::size_t> x = place_of("x", "easting"), y = place_of("y", "northing");
    return x && y ? std::optional(std::array{*x, *y}) : std::nullopt;
}

/// Whether a column is a number with a decimal comma.
bool has_decimal_comma(std::string_view column) {
    const std::size_t comma = column.find(',');
    return comma != std::string_view::npos && comma > 0 && comma + 1 < column.size() && is_digit(column[comma - 1]) &&
           is_digit(column[comma + 1]);
}

/// Whether a line is two numbers with decimal commas between spaces, as in "433000,5 6523000,5".
bool are_decimal_commas(const std::vector<std::string_view>& between_commas) {
    if (between_commas.size() != 3) {
        return false;
    }
    const std::string_view middle = between_commas[1];
    const std::size_t space = middle.find(' ');
    return space != std::string_view::npos && is_digit(middle.front()) && is_digit(middle.back());
}

/// Throws for decimal commas in the columns of x and y, which would else be taken for separators.
void refuse_decimal_commas(std::string_view line, const std::array<std::size_t, 2>& places, const std::string& where) {
    const std::vector<std::string_view> columns = columns_of(line);
    const bool is_in_column = std::ranges::any_of(
        places, [&](std::size_t place) { return place < columns.size() && has_decimal_comma(columns[place]); });
    if (is_in_column || (separator_of(line) == ',' && are_decimal_commas(columns))) {
        throw InvalidData(
            fmt::format("{}: '{}' has decimal commas (numbers have a point here, and a comma stands between them); "
                        "write points for them",
                        where, line.substr(0, 40)));
    }
}

/// The numbers in two columns of a line.
std::optional<std::array<double, 2>> point_at(std::string_view line, const std::array<std::size_t, 2>& places) {
    const std::vector<std::string_view> columns = columns_of(line);
    std::array<double, 2> point{};
    for (std::size_t i = 0; i < 2; ++i) {
        std::string_view text = places[i] < columns.size() ? columns[places[i]] : "";
        const std::optional<double> number = number_in(text);
        if (!number || !text.empty()) {
            return std::nullopt;
        }
        point[i] = *number;
    }
    return point;
}

/// Names of columns do not begin as a number does.
bool is_heading(std::string_view line) {
    return std::string_view("0123456789+-.").find(line[line.find_first_not_of(" \t,;")]) == std::string_view::npos;
}

MapPolygon polygon_of_text(std::string text, const std::string& path) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // as spreadsheets write it
    if (text.starts_with(byte_order_mark)) {
        text.erase(0, byte_order_mark.size());
    }
    MapPolygon polygon;
    std::istringstream lines(text);
    std::string line;
    bool is_new = true, may_be_heading = true;
    std::optional<std::array<std::size_t, 2>> places;  // of x and y, where a heading names them
    for (int number = 1; std::getline(lines, line); ++number) {
        std::ranges::replace(line, '\r', ' ');
        if (line.find_first_not_of(" \t,;") == std::string::npos) {
            is_new = true;
            continue;
        }
        if (line[line.find_first_not_of(" \t")] == '#') {
            continue;
        }
        refuse_decimal_commas(line, places.value_or(std::array<std::size_t, 2>{0, 1}),
                              fmt::format("{}: line {}", path, number));
        const std::optional<std::array<double, 2>> point = places ? point_at(line, *places) : point_of(line);
        may_be_heading = may_be_heading && !point;
        if (!point) {
            if (may_be_heading && is_heading(line)) {
                may_be_heading = false;
                places = places_in(line);
                if (!places) {
                    throw InvalidData(fmt::format(
                        "{}: line {}: '{}' names no columns x and y, or several (easting and northing, point_x and "
                        "point_y, xcoord and ycoord are such names; without names the first two are taken); name one "
                        "of each, or remove the line",
                        path, number, line.substr(0, 40)));
                }
                continue;
            }
            throw InvalidData(
                fmt::format("{}: line {}: '{}' is no point (x and y in metres are wanted, and an empty line between "
                            "rings); correct "
                            "the line",
                            path, number, line.substr(0, 40)));
        }
        if (is_new) {
            polygon.rings.emplace_back();
        }
        polygon.rings.back().push_back(*point);
        is_new = false;
    }
    return polygon;
}

void check_rings(const MapPolygon& polygon, const std::string& path) {
    bool are_degrees = true;
    for (const Ring& ring : polygon.rings) {
        if (ring.size() < 3) {
            throw InvalidData(fmt::format("{}: a ring of {} points (three are needed to surround an area); complete it",
                                          path, ring.size()));
        }
        for (const auto& [x, y] : ring) {
            are_degrees = are_degrees && std::abs(x) <= most_degrees && std::abs(y) <= most_degrees;
        }
    }
    if (polygon.rings.empty()) {
        throw InvalidData(path + ": no polygon (points x,y a line, or GeoJSON, are wanted); write one");
    }
    if (are_degrees) {
        throw InvalidData(
            path +
            ": coordinates within 180 (they look like degrees of longitude and latitude; those of the map "
            "are metres); project them onto the map of the grid");
    }
}

}  // namespace

MapPolygon read_polygon(const std::string& path) {
    const std::string text = read_text(path);
    const std::string extension = lower(std::filesystem::path(path).extension().string());
    MapPolygon polygon;
    if (extension == ".geojson" || extension == ".json") {
        GeoJson document(path);
        document.read(Json::parse(text, path));
        polygon = std::move(document.polygon);
    } else {
        polygon = polygon_of_text(text, path);
    }
    check_rings(polygon, path);
    return polygon;
}

}  // namespace plumecast
