#include "reservoir/dataset/cases/merged_attributes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/h5/stored_meaning.hpp"

namespace plumecast {
namespace {

constexpr const char* of_numbers[] = {"scale_factor", "add_offset",  "_Unsigned",     "valid_min",
                                      "valid_max",    "valid_range", "missing_value", "_FillValue"};
constexpr const char* of_codes[] = {"meanings", "flag_values", "flag_masks", "flag_meanings"};
constexpr std::size_t longest_joined = 8192;

bool says_the_same(const h5::File& a, const h5::File& b, const std::string& object, const std::string& name) {
    const auto is_same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    return a.texts(object, name) == b.texts(object, name) &&
           std::ranges::equal(a.numbers(object, name), b.numbers(object, name), is_same) &&
           (a.attribute_text(object, name) == "missing") == (b.attribute_text(object, name) == "missing");
}

[[noreturn]] void refuse_meaning(const h5::File& first, const h5::File& other, const std::string& array,
                                 const std::vector<std::string>& names) {
    std::vector<std::string> differences;
    for (const std::string& name : names) {
        differences.push_back(fmt::format("attribute {} is {}, in {} {}", name, other.attribute_text(array, name),
                                          first.path(), first.attribute_text(array, name)));
    }
    if (differences.empty()) {
        differences.push_back("other numbers stand for no value than in " + first.path());
    }
    throw InvalidData(fmt::format("{}: {}: {} (a number means the same in all cases of a data set); store both alike{}",
                                  other.path(), array, fmt::join(differences, ", "),
                                  array.starts_with("/case/") ? ", or remove one of them" : ""));
}

bool has_numbers(const h5::File& file, const std::string& array) {
    const h5::Element element = file.type(array).element;
    return element == h5::Element::real || element == h5::Element::integer;
}

bool is_band_end(const std::string& array) {
    return array.starts_with("/outputs/") && (array.ends_with("_low") || array.ends_with("_high"));
}

bool is_of_interval(const std::string& array) { return array.starts_with("/case/figure_"); }

}  // namespace

void require_same_meaning(const h5::File& first, const h5::File& other, const std::string& array) {
    if (!has_numbers(first, array) || !has_numbers(other, array)) {
        return;
    }
    const auto unit = [&](const h5::File& file) { return file.text(array, "units").value_or("1"); };
    if (unit(first) != unit(other)) {
        throw InvalidData(other.path() + ": " + array + " is not in the unit of the first file, " + unit(first) +
                          " (the cases of a data set share one unit); convert the values of one of them");
    }
    const auto differing = [&](const auto& names) {
        std::vector<std::string> found(std::begin(names), std::end(names));
        std::erase_if(found, [&](const std::string& name) { return says_the_same(first, other, array, name); });
        return found;
    };
    const std::vector<std::string> codes = differing(of_codes);
    if (!codes.empty() || !h5::StoredMeaning(first, array).agrees_with(h5::StoredMeaning(other, array))) {
        refuse_meaning(first, other, array, codes.empty() ? differing(of_numbers) : codes);
    }
}

void require_same_levels(const h5::File& first, const h5::File& other, const std::vector<std::string>& arrays) {
    const auto require_same = [&](const char* name, const char* what, bool (*is_one)(const std::string&)) {
        if (std::ranges::any_of(arrays, is_one) && !says_the_same(first, other, "/", name)) {
            throw InvalidData(fmt::format(
                "{}: attribute {} is {}, in {} {} (the {} of the cases of a data set promise the same); predict "
                "the cases with one model, or keep the files apart",
                other.path(), name, other.attribute_text("/", name), first.path(), first.attribute_text("/", name),
                what));
        }
    };
    require_same("band_level", "bands", is_band_end);
    require_same("band_share", "bands", is_band_end);
    require_same("interval_level", "intervals", is_of_interval);
}

std::vector<std::string> attributes_of_some(const std::vector<std::string>& sources) {
    const h5::File first = h5::File::open(sources[0]);
    std::vector<std::string> names = first.attributes("/");
    const bool is_generic = geometry_of(first) == Geometry::generic;
    std::erase_if(names, [&](const std::string& name) {
        const bool is_of_grid = name == geometry_attribute || name == axes_attribute || name == "origin";
        return is_of_grid || name == "title" || (!is_generic && find_number_attribute(name) != nullptr);
    });
    std::vector<std::string> found;
    for (std::size_t i = 1; i < sources.size(); ++i) {
        const h5::File other = h5::File::open(sources[i]);
        const auto same = std::ranges::partition(
            names, [&](const std::string& name) { return !says_the_same(first, other, "/", name); });
        found.insert(found.end(), names.begin(), same.begin());
        names.erase(names.begin(), same.begin());
    }
    return found;
}

std::string joined_texts(const std::vector<std::string>& sources, const std::string& name) {
    std::vector<std::string> texts;
    std::size_t length = 0;
    for (const std::string& source : sources) {
        const std::string text = h5::File::open(source).text("/", name).value_or("");
        if (text.empty() || std::ranges::find(texts, text) != texts.end()) {
            continue;
        }
        length += text.size();
        if (length > longest_joined) {
            texts.emplace_back("and others");
            break;
        }
        texts.push_back(text);
    }
    return fmt::to_string(fmt::join(texts, "; "));
}

}  // namespace plumecast
