#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/file.hpp"
#include "reservoir/h5/remedies.hpp"
#include "reservoir/h5/session.hpp"

namespace plumecast::h5 {
namespace {

constexpr int most_soft_links = 32;  // on the way to one object, against circles
constexpr std::size_t longest_target = 64 * 1024;
constexpr std::size_t most_members = 200'000;
constexpr std::size_t deepest = 5'000;
constexpr const char* no_array = "is missing (or is no array of this file); add it";

/// Parts of a path, "." left out.
std::vector<std::string> parts_of(const std::string& path) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        if (!part.empty() && part != ".") {
            parts.push_back(part);
        }
        begin = end + 1;
    }
    return parts;
}

Handle opened(hid_t parent, const std::string& name) { return {H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose}; }

std::optional<H5L_info_t> link_of(hid_t parent, const std::string& name) {
    H5L_info_t link{};
    const bool is_there =
        H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0 && H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT) >= 0;
    return is_there ? std::optional(link) : std::nullopt;
}

std::string target_of(hid_t parent, const std::string& name, const H5L_info_t& link) {
    std::string target(link.u.val_size, '\0');
    if (target.empty() || target.size() > longest_target ||
        H5Lget_val(parent, name.c_str(), target.data(), target.size(), H5P_DEFAULT) < 0) {
        return {};
    }
    return target.substr(0, target.find('\0'));
}

/// ", /pressure of 'other.h5', which is not there": where a link into another file leads; empty when it does not say.
std::string external_target(hid_t parent, const std::string& name, const H5L_info_t& link, const std::string& file) {
    std::string value(link.u.val_size, '\0');
    unsigned flags = 0;
    const char* target = nullptr;
    const char* object = nullptr;
    if (link.type != H5L_TYPE_EXTERNAL || value.empty() || value.size() > longest_target ||
        H5Lget_val(parent, name.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0 ||
        H5Lunpack_elink_val(value.data(), value.size(), &flags, &target, &object) < 0) {
        return {};
    }
    const std::filesystem::path other = std::filesystem::path(file).parent_path() / target;
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(other, ignored);
    return ", " + std::string(object) + " of '" + target + "'" + (is_there ? "" : ", which is not there");
}

struct Member {
    std::string name;
    H5L_type_t link;
};

struct Members {
    std::vector<Member> found;
    std::exception_ptr failure;
};

herr_t collect_member(hid_t, const char* name, const H5L_info_t* link, void* target) {
    auto& members = *static_cast<Members*>(target);
    return called_back(members.failure, [&] { members.found.push_back({name, link->type}); });
}

/// Native order walks the index itself; a sorted one builds a table first, which HDF5 1.10 frees uninitialised when the
/// index is damaged.
std::vector<Member> members_of(hid_t group, const std::string& path) {
    Members members;
    hsize_t at = 0;
    const herr_t status = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &at, collect_member, &members);
    if (members.failure) {
        std::rethrow_exception(members.failure);
    }
    check<InvalidData>(status, path + ": its arrays cannot be listed", read_remedy);
    return std::move(members.found);
}

/// A group on the way through a file, and which of its members comes next.
struct OpenGroup {
    Handle handle;
    std::string path;
    std::vector<Member> members;
    std::size_t next = 0;
};

}  // namespace

File::Resolved File::resolve(const std::string& path) const {
    std::vector<std::string> ahead = parts_of(path);
    std::ranges::reverse(ahead);  // the next one last
    Handle object = opened(id(), "/");
    Resolved way;
    int followed = 0;
    std::vector<std::string> behind;
    while (!ahead.empty()) {
        const std::string name = std::move(ahead.back());
        ahead.pop_back();
        const bool is_group = H5Iget_type(object.get()) == H5I_GROUP;
        const std::optional<H5L_info_t> link = is_group ? link_of(object.get(), name) : std::nullopt;
        if (!link) {
            way.problem = way.problem.empty() ? no_array : way.problem + ", which is missing; correct the link";
            return way;
        }
        if (link->type == H5L_TYPE_HARD) {
            object = opened(object.get(), name);
            behind.push_back(name);
            continue;
        }
        if (link->type != H5L_TYPE_SOFT) {
            way.problem = "is a link into another file" + external_target(object.get(), name, *link, path_) +
                          " (not followed for safety); store the values in this file";
            return way;
        }
        const std::string target = target_of(object.get(), name, *link);
        way.problem = "is a soft link to " + target;
        if (++followed > most_soft_links) {
            way.problem += " (a circle of links); correct the link";
            return way;
        }
        if (!target.starts_with('/')) {
            std::ranges::copy(std::as_const(behind), std::back_inserter(way.parts));
        }
        std::vector<std::string> whole = std::exchange(way.parts, {});
        std::ranges::move(parts_of(target), std::back_inserter(whole));
        std::ranges::copy(whole.rbegin(), whole.rend(), std::back_inserter(ahead));
        behind.clear();
        object = opened(id(), "/");
    }
    way.object = std::move(object);
    way.problem.clear();
    way.parts = std::move(behind);
    return way;
}

std::string File::link_problem(const std::string& array) const {
    const Session session;
    const Resolved way = resolve(array);
    return way.problem == no_array ? "" : way.problem;
}

bool File::has(const std::string& array) const {
    const Session session;
    return H5Iget_type(resolve(array).object.get()) == H5I_DATASET;
}

File::Listing File::listed() const {
    const Session session;
    Listing found;
    std::vector<OpenGroup> way;
    std::size_t seen = 0;
    const auto enter = [&](Handle group, std::string path) {
        std::vector<Member> members = members_of(group.get(), path_);
        way.push_back({std::move(group), std::move(path), std::move(members)});
    };
    enter(Handle(
              check<InvalidData>(H5Oopen(id(), "/", H5P_DEFAULT), path_ + ": its arrays cannot be listed", read_remedy),
              H5Oclose),
          "");
    while (!way.empty()) {
        if (way.back().next == way.back().members.size()) {
            way.pop_back();
            continue;
        }
        const Member member = way.back().members[way.back().next++];
        std::string path = way.back().path + "/" + member.name;
        if (++seen > most_members || way.size() > deepest) {
            throw InvalidData(path_ + ": more than " + std::to_string(most_members) + " groups and arrays, or groups " +
                              std::to_string(deepest) +
                              " deep (hard links may lead in a circle); give a file of the arrays that are needed");
        }
        if (member.link == H5L_TYPE_SOFT) {
            const H5I_type_t type = H5Iget_type(resolve(path).object.get());
            if (type == H5I_DATASET) {
                found.arrays.push_back(std::move(path));
            } else if (type == H5I_BADID) {
                found.dead_links.push_back(std::move(path));
            }
        } else if (member.link == H5L_TYPE_HARD) {
            Handle object(check<InvalidData>(H5Oopen(way.back().handle.get(), member.name.c_str(), H5P_DEFAULT),
                                             path_ + ": its arrays cannot be listed", read_remedy),
                          H5Oclose);
            const H5I_type_t type = H5Iget_type(object.get());
            if (type == H5I_DATASET) {
                found.arrays.push_back(std::move(path));
            } else if (type == H5I_GROUP) {
                enter(std::move(object), std::move(path));
            }
        } else {
            found.dead_links.push_back(std::move(path));
        }
    }
    std::ranges::sort(found.arrays);
    std::ranges::sort(found.dead_links);
    return found;
}

std::vector<std::string> File::arrays() const { return listed().arrays; }

std::vector<std::string> File::dead_links() const { return listed().dead_links; }

Handle File::open_array(const std::string& array) const {
    Resolved way = resolve(array);
    const H5I_type_t type = H5Iget_type(way.object.get());
    if (type == H5I_DATASET) {
        return std::move(way.object);
    }
    if (way.problem.empty() && type == H5I_BADID) {
        check<InvalidData>(-1, path_ + ": " + array + " cannot be opened", read_remedy);
    }
    throw InvalidData(path_ + ": " + array + " " + (way.problem.empty() ? no_array : way.problem));
}

Handle File::open_object(const std::string& object) const {
    Resolved way = resolve(object);
    const H5I_type_t type = H5Iget_type(way.object.get());
    const bool is_kept = type == H5I_DATASET || object == "/";
    return is_kept ? std::move(way.object) : Handle();
}

}  // namespace plumecast::h5
