#include "data/physics/physics_file.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/core/error.hpp>

#include "data/h5/packing.hpp"

namespace plumecast {
namespace {

constexpr const char* format = "plumecast-physics";
constexpr std::int64_t format_version = 1;
constexpr const char* key_array = "/case/key";
constexpr std::size_t key_length = 64;

std::string field_array(const std::string& name) { return "/physics/" + name; }
std::string scalar_array(const std::string& name) { return "/case/" + name; }

void require_array(const h5::File& file, const std::string& array, const std::vector<std::int64_t>& extents) {
    if (!file.has(array) || file.info(array).extents != extents) {
        throw InvalidData(file.path() + ": " + array +
                          " is missing or of another shape (another data set or version wrote it); remove the file");
    }
}

}  // namespace

PhysicsFile::PhysicsFile(const std::filesystem::path& path, const PhysicsExtents& extents)
    : extents_(extents), file_(h5::File::open(path)) {
    if (file_.text("/", "format") != format || file_.integer("/", "format_version") != format_version) {
        throw InvalidData(file_.path() + ": is no file of physics of version 1 (format or version differ); remove it");
    }
    for (const std::string& name : physics_field_names(extents.settings.kind)) {
        require_array(file_, field_array(name), {extents.cases, extents.times, extents.rows, extents.columns});
    }
    for (const std::string& name : physics_scalar_names()) {
        require_array(file_, scalar_array(name), {extents.cases});
    }
    require_array(file_, key_array, {extents.cases, static_cast<std::int64_t>(key_length)});
    const auto bytes = file_.read<std::uint8_t>(key_array);
    for (std::size_t begin = 0; begin < bytes.size(); begin += key_length) {
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
        keys_.push_back(*first == 0 ? std::string() : std::string(first, first + key_length));
    }
}

PhysicsFields PhysicsFile::read(std::int64_t which) const {
    PhysicsFields physics;
    for (const std::string& name : physics_field_names(extents_.settings.kind)) {
        std::vector<float> values(static_cast<std::size_t>(extents_.values()));
        file_.read_rows<float>(field_array(name), which, 1, values);
        physics.fields.emplace(name, std::move(values));
    }
    for (const std::string& name : physics_scalar_names()) {
        double value = 0.0;
        file_.read_rows<double>(scalar_array(name), which, 1, std::span(&value, 1));
        physics.scalars.emplace(name, value);
    }
    return physics;
}

PhysicsFileWriter::PhysicsFileWriter(const std::filesystem::path& path, const PhysicsExtents& extents,
                                     const PhysicsFile* before, const std::vector<std::int64_t>& replaced)
    : extents_(extents), target_(path), file_(h5::File::create(target_.path(), path)) {
    const auto cases = static_cast<std::size_t>(extents.cases);
    keys_.assign(cases * key_length, 0);
    file_.set_text("/", "format", format);
    file_.set_integer("/", "format_version", format_version);
    file_.set_text("/", "title", "Reduced physics, computed anew when it is missing");
    file_.set_text("/", "kind", std::string(name_of(extents.settings.kind)));
    file_.set_integer("/", "substeps", extents.settings.substeps);
    file_.set_integer("/", "physics_version", physics_version);
    std::vector<std::int64_t> kept;
    for (std::int64_t which = 0; before != nullptr && which < extents.cases; ++which) {
        if (!before->key(which).empty() && std::ranges::find(replaced, which) == replaced.end()) {
            kept.push_back(which);
            std::ranges::copy(before->key(which), keys_.begin() + which * static_cast<std::ptrdiff_t>(key_length));
        }
    }
    for (const std::string& name : physics_field_names(extents.settings.kind)) {
        const std::string array = field_array(name);
        file_.create_array<float>(array, {{extents.cases, extents.times, extents.rows, extents.columns}, true, {}});
        for (const std::int64_t which : kept) {
            file_.copy_row(before->file(), array, which, which);
        }
    }
    for (const std::string& name : physics_scalar_names()) {
        scalars_.emplace(name, before != nullptr ? before->file().read<double>(scalar_array(name))
                                                 : std::vector<double>(cases, 0.0));
    }
}

void PhysicsFileWriter::add(std::int64_t which, const std::string& key, const PhysicsFields& physics) {
    expects(key.size() == key_length, "a hash as key");
    std::map<std::string, std::vector<std::byte>> chunks;
    for (const std::string& name : physics_field_names(extents_.settings.kind)) {
        chunks.emplace(name, h5::packed(physics.fields.at(name)));
    }
    const std::lock_guard lock(mutex_);
    for (const auto& [name, chunk] : chunks) {
        file_.write_packed(field_array(name), which, chunk);
    }
    for (auto& [name, values] : scalars_) {
        values[static_cast<std::size_t>(which)] = physics.scalars.at(name);
    }
    std::ranges::copy(key, keys_.begin() + which * static_cast<std::ptrdiff_t>(key_length));
}

void PhysicsFileWriter::commit() {
    for (const auto& [name, values] : scalars_) {
        file_.create_array<double>(scalar_array(name), {{extents_.cases}, false, {}});
        file_.write_rows<double>(scalar_array(name), 0, extents_.cases, values);
    }
    file_.create_array<std::uint8_t>(key_array, {{extents_.cases, static_cast<std::int64_t>(key_length)}, false, {}});
    file_.write_rows<std::uint8_t>(key_array, 0, extents_.cases, keys_);
    file_.close();
    target_.commit();
}

}  // namespace plumecast
