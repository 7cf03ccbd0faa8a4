#include "reservoir/io/h5/links.hpp"

#include <algorithm>
#include <optional>

#include <plumecast/core/error.hpp>

#include "reservoir/io/h5/file.hpp"
#include "reservoir/io/h5/remedies.hpp"
#include "reservoir/io/h5/session.hpp"

namespace plumecast::h5 {
namespace {

constexpr int most_soft_links = 16;
constexpr std::ptrdiff_t most_nested = 64;

/// The text that a link holds.
std::string link_value(hid_t file, const std::string& path, std::size_t bytes) {
    std::string value(bytes, '\0');
    if (bytes == 0 || H5Lget_val(file, path.c_str(), value.data(), bytes, H5P_DEFAULT) < 0) {
        return {};
    }
    return value;
}

std::string external_problem(const std::string& path, const std::string& value) {
    unsigned flags = 0;
    const char* other = nullptr;
    const char* object = nullptr;
    const bool is_known = H5Lunpack_elink_val(value.data(), value.size(), &flags, &other, &object) >= 0;
    return path + " is a link into another file" + (is_known ? " ('" + std::string(other) + "')" : "") +
           " (not followed for safety)";
}

/// Where a soft link leads: from the root, or from the group that holds it.
std::string target_of(const std::string& link, const std::string& value) {
    const std::string text = value.substr(0, value.find('\0'));
    return text.starts_with("/") ? text : link.substr(0, link.rfind('/') + 1) + text;
}

struct VisitedArrays {
    ToldNames told;
    bool is_too_deep = false;
};

herr_t collect_array(VisitedArrays& visited, const char* name, bool is_dataset) {
    return called_back(visited.told.failure, [&] {
        const std::string path = "/" + std::string(name);
        if (std::ranges::count(path, '/') > most_nested) {
            visited.is_too_deep = true;
            throw InvalidData("too deep");
        }
        if (is_dataset) {
            visited.told.names.push_back(path);
        }
    });
}

// Native order walks the index itself; a sorted one builds a table first, which HDF5 1.10 frees uninitialised when the
// index is damaged.
#if H5_VERSION_GE(1, 12, 0)
herr_t collect_object(hid_t, const char* name, const H5O_info2_t* object, void* target) {
    return collect_array(*static_cast<VisitedArrays*>(target), name, object->type == H5O_TYPE_DATASET);
}
herr_t visit(hid_t file, VisitedArrays& visited) {
    return H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_NATIVE, collect_object, &visited, H5O_INFO_BASIC);
}
#else
herr_t collect_object(hid_t, const char* name, const H5O_info_t* object, void* target) {
    return collect_array(*static_cast<VisitedArrays*>(target), name, object->type == H5O_TYPE_DATASET);
}
herr_t visit(hid_t file, VisitedArrays& visited) {
    return H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, collect_object, &visited, H5O_INFO_BASIC);
}
#endif

/// The path with its first soft link replaced by what that leads to; nothing where it has none. Where the path leads
/// nowhere, `place` gets the problem.
std::optional<std::string> without_first_link(hid_t file, const std::string& path, ObjectPlace& place) {
    for (std::size_t end = 0; end != std::string::npos;) {
        end = path.find('/', end + 1);
        const std::string part = path.substr(0, end);
        H5L_info_t link{};
        if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0 ||
            H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT) < 0) {
            place.problem = part + " is missing";
            return std::nullopt;
        }
        if (link.type == H5L_TYPE_SOFT) {
            const std::string target = target_of(part, link_value(file, part, link.u.val_size));
            return end == std::string::npos ? target : target + path.substr(end);
        }
        if (link.type != H5L_TYPE_HARD) {
            place.problem = external_problem(part, link_value(file, part, link.u.val_size));
            return std::nullopt;
        }
    }
    place.path = path;
    return std::nullopt;
}

}  // namespace

ObjectPlace place_of(hid_t file, const std::string& path) {
    ObjectPlace place;
    std::string at = path;
    for (int followed = 0; followed <= most_soft_links; ++followed) {
        const std::optional<std::string> next = without_first_link(file, at, place);
        if (!next) {
            if (!place.problem.empty() && followed > 0) {
                place.problem = path + " is a link to " + at + ", where " + place.problem;
            }
            return place;
        }
        at = *next;
    }
    place.problem = path + " is a link that leads from link to link without an end";
    return place;
}

bool is_array(hid_t file, const std::string& path) {
    const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
    return object.get() >= 0 && H5Iget_type(object.get()) == H5I_DATASET;
}

std::vector<std::string> arrays_of(hid_t file, const std::string& name) {
    VisitedArrays visited;
    const herr_t status = visit(file, visited);
    if (visited.is_too_deep) {
        throw InvalidData(name + ": groups are nested more than " + std::to_string(most_nested) +
                          " deep (no data set or table of arrays is); store the arrays nearer to the root");
    }
    std::vector<std::string> found = std::move(visited.told).sorted();
    check<InvalidData>(status, name + ": its arrays cannot be listed", read_remedy);
    return found;
}

}  // namespace plumecast::h5
