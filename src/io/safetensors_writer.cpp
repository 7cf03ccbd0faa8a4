#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <set>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/io/safetensors.hpp>

#include "io/atomic_file.hpp"
#include "io/durable.hpp"
#include "io/safetensors_header.hpp"

namespace plumecast {
namespace {

constexpr std::size_t alignment = 8;

std::size_t bytes_of(const ConstView& values) {
    return static_cast<std::size_t>(values.shape.count()) * size_of(values.type);
}

std::vector<const NamedView*> ordered(std::span<const NamedView> arrays, ArrayOrder order) {
    std::vector<const NamedView*> sequence;
    std::set<std::string_view> names{metadata_key};
    for (const NamedView& array : arrays) {
        if (!names.insert(array.name).second) {
            throw InvalidInput("array name '" + array.name + "' cannot be stored (it is used twice or reserved); " +
                               "give every array its own name");
        }
        sequence.push_back(&array);
    }
    if (order == ArrayOrder::aligned) {
        std::sort(sequence.begin(), sequence.end(), [](const NamedView* a, const NamedView* b) {
            const std::size_t width_a = size_of(a->values.type);
            const std::size_t width_b = size_of(b->values.type);
            return width_a != width_b ? width_a > width_b : a->name < b->name;
        });
    }
    return sequence;
}

Json entry_of(const ConstView& values, std::size_t begin) {
    Json::Array extents;
    for (std::int64_t extent : values.shape.extents()) {
        extents.emplace_back(extent);
    }
    const auto first = static_cast<std::int64_t>(begin);
    const auto last = static_cast<std::int64_t>(begin + bytes_of(values));
    Json entry;
    entry["dtype"] = values.type == DType::float64 ? "F64" : "F32";
    entry["shape"] = std::move(extents);
    entry["data_offsets"] = Json::Array{Json(first), Json(last)};
    return entry;
}

/// Length and header, padded with spaces so that the data starts aligned.
std::string header_of(const std::vector<const NamedView*>& arrays, const std::map<std::string, std::string>& metadata) {
    Json::Object header;
    if (!metadata.empty()) {
        Json texts;
        for (const auto& [key, text] : metadata) {
            texts[key] = text;
        }
        header.emplace_back(metadata_key, std::move(texts));
    }
    std::size_t begin = 0;
    for (const NamedView* array : arrays) {
        header.emplace_back(array->name, entry_of(array->values, begin));
        begin += bytes_of(array->values);
    }
    std::string text = Json(std::move(header)).dump(-1);
    text.append((alignment - text.size() % alignment) % alignment, ' ');
    std::string length;
    for (std::size_t byte = 0; byte < 8; ++byte) {
        length += static_cast<char>(text.size() >> (8 * byte) & 0xFF);
    }
    return length + text;
}

void write_or_throw(std::FILE* file, const void* bytes, std::size_t count, const std::filesystem::path& path) {
    if (count > 0 && std::fwrite(bytes, 1, count, file) != count) {
        throw_io_error("write", path, errno);
    }
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, std::span<const NamedView> arrays,
                       const std::map<std::string, std::string>& metadata, ArrayOrder order) {
    const std::vector<const NamedView*> sequence = ordered(arrays, order);
    const std::string header = header_of(sequence, metadata);
    AtomicFile target(path);
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(target.path().c_str(), "wbe"), &std::fclose);
    if (file == nullptr) {
        throw_io_error("write", path, errno);
    }
    write_or_throw(file.get(), header.data(), header.size(), path);
    for (const NamedView* array : sequence) {
        write_or_throw(file.get(), array->values.data, bytes_of(array->values), path);
    }
    if (std::fclose(file.release()) != 0) {
        throw_io_error("write", path, errno);
    }
    target.commit();
}

}  // namespace plumecast
