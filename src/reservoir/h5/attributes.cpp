#include <algorithm>

#include <hdf5_hl.h>

#include <plumecast/core/error.hpp>
#include "core/number_text.hpp"

#include "reservoir/h5/file.hpp"
#include "reservoir/h5/remedies.hpp"
#include "reservoir/h5/session.hpp"
#include "reservoir/h5/type.hpp"

namespace plumecast::h5 {
namespace {

constexpr std::size_t longest_text = 1 << 20;

/// An attribute with what it holds; `count` is 0 where the object has none of that name, or too many values.
struct OpenAttribute {
    Handle object, attribute, type, space;
    H5T_class_t kind = H5T_NO_CLASS;
    std::size_t count = 0;

    OpenAttribute(Handle owner, const std::string& name) : object(std::move(owner)) {
        if (object.get() < 0 || H5Aexists(object.get(), name.c_str()) <= 0) {
            return;
        }
        attribute = {H5Aopen(object.get(), name.c_str(), H5P_DEFAULT), H5Aclose};
        type = {H5Aget_type(attribute.get()), H5Tclose};
        space = {H5Aget_space(attribute.get()), H5Sclose};
        const hssize_t values = space.get() < 0 ? -1 : H5Sget_simple_extent_npoints(space.get());
        if (type.get() >= 0 && values > 0 && static_cast<std::size_t>(values) <= longest_text) {
            kind = H5Tget_class(type.get());
            count = static_cast<std::size_t>(values);
        }
    }
};

// Character set and padding of the memory type must agree with the file's for the conversion to be allowed.
std::vector<std::string> read_variable(hid_t attribute, hid_t file_type, hid_t space, std::size_t count) {
    const Handle type = text_type(H5T_VARIABLE);
    H5Tset_cset(type.get(), H5Tget_cset(file_type));
    std::vector<char*> raw(count, nullptr);
    std::vector<std::string> values;
    if (H5Aread(attribute, type.get(), raw.data()) < 0) {
        return values;
    }
    for (const char* text : raw) {
        values.emplace_back(text == nullptr ? "" : text);
    }
    H5Dvlen_reclaim(type.get(), space, H5P_DEFAULT, raw.data());
    return values;
}

std::vector<std::string> read_fixed(hid_t attribute, hid_t file_type, std::size_t count) {
    const std::size_t length = H5Tget_size(file_type);
    std::vector<std::string> values;
    if (length == 0 || length > longest_text || count > longest_text / length) {
        return values;
    }
    std::string raw(count * length, '\0');
    if (H5Aread(attribute, file_type, raw.data()) < 0) {
        return values;
    }
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(fixed_text(raw.substr(i * length, length), file_type));
    }
    return values;
}

}  // namespace

std::vector<std::string> File::texts(const std::string& object, const std::string& name) const {
    const Session session;
    const OpenAttribute found(open_object(object), name);
    if (found.kind != H5T_STRING) {
        return {};
    }
    if (H5Tis_variable_str(found.type.get()) > 0) {
        return read_variable(found.attribute.get(), found.type.get(), found.space.get(), found.count);
    }
    return read_fixed(found.attribute.get(), found.type.get(), found.count);
}

std::optional<std::string> File::text(const std::string& object, const std::string& name) const {
    std::vector<std::string> values = texts(object, name);
    const bool is_one =
        !values.empty() && std::ranges::all_of(values, [&](const auto& one) { return one == values[0]; });
    return is_one ? std::optional(std::move(values[0])) : std::nullopt;
}

std::string File::attribute_text(const std::string& object, const std::string& name) const {
    constexpr std::size_t most_shown = 4;
    std::vector<std::string> shown;
    for (const std::string& text : texts(object, name)) {
        shown.push_back("\"" + text + "\"");
    }
    const bool is_text = !shown.empty();
    if (!is_text) {
        for (const double number : numbers(object, name)) {
            shown.push_back(number_text(number));
        }
    }
    if (shown.size() == 1) {
        return shown[0];
    }
    if (shown.empty()) {
        const std::vector<std::string> all = attributes(object);
        return std::ranges::find(all, name) == all.end() ? "missing" : "neither a text nor a number";
    }
    std::string list;
    for (std::size_t i = 0; i < std::min(shown.size(), most_shown); ++i) {
        list += (i == 0 ? "" : ", ") + shown[i];
    }
    return "a list of " + std::to_string(shown.size()) + (is_text ? " texts (" : " numbers (") + list +
           (shown.size() > most_shown ? ", ...)" : ")");
}

std::optional<std::int64_t> File::integer(const std::string& object, const std::string& name) const {
    const Session session;
    const OpenAttribute found(open_object(object), name);
    std::int64_t value = 0;
    const bool is_read =
        found.kind == H5T_INTEGER && found.count == 1 && H5Aread(found.attribute.get(), H5T_NATIVE_INT64, &value) >= 0;
    return is_read ? std::optional(value) : std::nullopt;
}

std::vector<double> File::numbers(const std::string& object, const std::string& name) const {
    const Session session;
    const OpenAttribute found(open_object(object), name);
    if (found.kind != H5T_FLOAT && found.kind != H5T_INTEGER) {
        return {};
    }
    std::vector<double> values(found.count);
    return H5Aread(found.attribute.get(), H5T_NATIVE_DOUBLE, values.data()) < 0 ? std::vector<double>() : values;
}

std::size_t File::real_bytes(const std::string& object, const std::string& name) const {
    const Session session;
    const OpenAttribute found(open_object(object), name);
    return found.kind == H5T_FLOAT ? H5Tget_size(found.type.get()) : 0;
}

void File::store_attribute(const std::string& object, const std::string& name, hid_t type, std::size_t count,
                           const void* value) {
    const std::string problem = path_ + ": attribute " + name + " of " + object + " cannot be written";
    require_room(0);
    const Handle owner = open_object(object);
    const hsize_t extent = count;
    if (H5Aexists(owner.get(), name.c_str()) > 0) {
        written(H5Adelete(owner.get(), name.c_str()), problem);
    }
    const Handle space(count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const Handle made(
        written(H5Acreate2(owner.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), problem), H5Aclose);
    written(H5Awrite(made.get(), type, value), problem);
}

void File::set_text(const std::string& object, const std::string& name, const std::string& value) {
    const Session session;
    const Handle type = text_type(value.size() + 1);
    store_attribute(object, name, type.get(), 0, value.c_str());
}

void File::set_integer(const std::string& object, const std::string& name, std::int64_t value) {
    const Session session;
    store_attribute(object, name, H5T_NATIVE_INT64, 0, &value);
}

void File::set_real(const std::string& object, const std::string& name, float value) {
    const Session session;
    store_attribute(object, name, H5T_NATIVE_FLOAT, 0, &value);
}

void File::set_texts(const std::string& object, const std::string& name, const std::vector<std::string>& values) {
    const Session session;
    const FixedTexts texts(values);
    store_attribute(object, name, texts.type.get(), values.size(), texts.raw.data());
}

void File::label_axis(const std::string& array, int axis, const std::string& label) {
    const Session session;
    const Handle data = open_array(array);
    written(H5DSset_label(data.get(), static_cast<unsigned>(axis), label.c_str()),
            path_ + ": " + array + " cannot be labelled");
}

void File::attach_scale(const std::string& array, int axis, const std::string& scale, const std::string& label) {
    const Session session;
    const Handle data = open_array(array);
    const Handle coordinates = open_array(scale);
    if (H5DSis_scale(coordinates.get()) <= 0) {
        written(H5DSset_scale(coordinates.get(), label.c_str()), path_ + ": " + scale + " cannot be a scale");
    }
    written(H5DSattach_scale(data.get(), coordinates.get(), static_cast<unsigned>(axis)),
            path_ + ": " + scale + " cannot be attached to " + array);
}

}  // namespace plumecast::h5
