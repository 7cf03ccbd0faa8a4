#include "reservoir/case_physics/physics_file.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/core/error.hpp>

#include "io/atomic_file.hpp"
#include "reservoir/h5/packing.hpp"

namespace plumecast {
namespace {

constexpr const char* format = "plumecast-physics";
constexpr std::int64_t format_version = 1;
constexpr const char* number_array = "/case/number";
constexpr const char* key_array = "/case/key";
constexpr const char* well_array = "/case/bottom_hole_pressure";
constexpr std::size_t key_length = 64;

std::string field_array(const std::string& name) { return "/physics/" + name; }
std::string scalar_array(const std::string& name) { return "/case/" + name; }

void require_array(const h5::File& file, const std::string& array, const std::vector<std::int64_t>& extents) {
    if (!file.has(array) || file.info(array).extents != extents) {
        throw InvalidData(file.path() + ": " + array +
                          " is missing or of another shape (another data set or version wrote it); remove the file");
    }
}

void write_header(h5::File& file, const PhysicsSettings& settings) {
    file.set_text("/", "format", format);
    file.set_integer("/", "format_version", format_version);
    file.set_text("/", "title", "Reduced physics, computed anew where it is missing");
    file.set_text("/", "kind", std::string(physics_kind));
    file.set_integer("/", "substeps", settings.substeps);
    file.set_integer("/", "physics_version", settings.version);
}

template <class T>
void write_plain(h5::File& file, const std::string& array, std::vector<std::int64_t> extents,
                 const std::vector<T>& values) {
    const std::int64_t rows = extents.front();
    file.create_array<T>(array, {std::move(extents), false, {}});
    file.write_rows<T>(array, 0, rows, values);
}

}  // namespace

PhysicsFile::PhysicsFile(const std::filesystem::path& path, const PhysicsExtents& extents)
    : extents_(extents), file_(h5::File::open(path)) {
    if (file_.text("/", "format") != format || file_.integer("/", "format_version") != format_version) {
        throw InvalidData(file_.path() + ": is no file of physics of version 1 (format or version differ); remove it");
    }
    const auto numbers = file_.has(number_array) ? file_.read<std::int64_t>(number_array) : std::vector<std::int64_t>();
    const auto count = static_cast<std::int64_t>(numbers.size());
    for (const std::string& name : extents.fields) {
        require_array(file_, field_array(name), {count, extents.times, extents.rows, extents.columns});
    }
    for (const std::string& name : physics_scalar_names()) {
        require_array(file_, scalar_array(name), {count});
    }
    require_array(file_, well_array, {count, extents.times});
    require_array(file_, key_array, {count, static_cast<std::int64_t>(key_length)});
    const auto keys = file_.read<std::uint8_t>(key_array);
    for (std::size_t row = 0; row < numbers.size(); ++row) {
        const auto first = keys.begin() + static_cast<std::ptrdiff_t>(row * key_length);
        if (numbers[row] >= 0 && numbers[row] < extents.cases) {
            rows_.insert_or_assign(numbers[row],
                                   Row{static_cast<std::int64_t>(row), std::string(first, first + key_length)});
        }
    }
}

std::string PhysicsFile::key(std::int64_t which) const {
    const auto found = rows_.find(which);
    return found == rows_.end() ? std::string() : found->second.key;
}

PhysicsFields PhysicsFile::read(std::int64_t which) const {
    const std::int64_t at = row(which);
    PhysicsFields physics;
    for (const std::string& name : extents_.fields) {
        std::vector<float> values(static_cast<std::size_t>(extents_.values()));
        file_.read_rows<float>(field_array(name), at, 1, values);
        physics.fields.emplace(name, std::move(values));
    }
    for (const std::string& name : physics_scalar_names()) {
        double value = 0.0;
        file_.read_rows<double>(scalar_array(name), at, 1, std::span(&value, 1));
        physics.scalars.emplace(name, value);
    }
    physics.bottom_hole_pressure.resize(static_cast<std::size_t>(extents_.times));
    file_.read_rows<float>(well_array, at, 1, physics.bottom_hole_pressure);
    return physics;
}

bool holds_physics(const std::filesystem::path& path) {
    try {
        return h5::File::open(path).text("/", "format") == format;
    } catch (const Error&) {
        return false;
    }
}

PackedPhysics::PackedPhysics(std::int64_t number, std::string hash, const PhysicsFields& physics)
    : which(number),
      key(std::move(hash)),
      scalars(physics.scalars),
      bottom_hole_pressure(physics.bottom_hole_pressure) {
    expects(key.size() == key_length, "a hash as key");
    for (const auto& [name, values] : physics.fields) {
        chunks.emplace(name, h5::packed(values));
    }
}

void write_physics(const std::filesystem::path& path, const PhysicsExtents& extents, const PhysicsFile* before,
                   const std::vector<PackedPhysics>& cases) {
    std::map<std::int64_t, const PackedPhysics*> all;  // by number; nullptr for those of the other file
    for (std::int64_t which = 0; before != nullptr && which < extents.cases; ++which) {
        if (!before->key(which).empty()) {
            all.emplace(which, nullptr);
        }
    }
    for (const PackedPhysics& one : cases) {
        all[one.which] = &one;
    }
    const auto count = static_cast<std::int64_t>(all.size());
    AtomicFile target(path);
    h5::File file = h5::File::create(target.path(), path);
    write_header(file, extents.settings);
    for (const std::string& name : extents.fields) {
        const std::string array = field_array(name);
        file.create_array<float>(array, {{count, extents.times, extents.rows, extents.columns}, true, {}});
        for (std::int64_t row = 0; const auto& [which, one] : all) {
            one != nullptr ? file.write_packed(array, row, one->chunks.at(name))
                           : file.copy_row(before->file(), array, before->row(which), row);
            ++row;
        }
    }
    for (const std::string& name : physics_scalar_names()) {
        std::vector<double> values;
        for (const auto& [which, one] : all) {
            double value = one != nullptr ? one->scalars.at(name) : 0.0;
            if (one == nullptr) {
                before->file().read_rows<double>(scalar_array(name), before->row(which), 1, std::span(&value, 1));
            }
            values.push_back(value);
        }
        write_plain(file, scalar_array(name), {count}, values);
    }
    std::vector<float> values;
    for (const auto& [which, one] : all) {
        const std::vector<float> pressures =
            one != nullptr ? one->bottom_hole_pressure : before->read(which).bottom_hole_pressure;
        values.insert(values.end(), pressures.begin(), pressures.end());
    }
    write_plain(file, well_array, {count, extents.times}, values);
    std::vector<std::int64_t> numbers;
    std::vector<std::uint8_t> keys;
    for (const auto& [which, one] : all) {
        const std::string key = one != nullptr ? one->key : before->key(which);
        numbers.push_back(which);
        keys.insert(keys.end(), key.begin(), key.end());
    }
    write_plain(file, number_array, {count}, numbers);
    write_plain(file, key_array, {count, static_cast<std::int64_t>(key_length)}, keys);
    file.close();
    target.commit();
}

}  // namespace plumecast
