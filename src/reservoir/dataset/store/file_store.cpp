#include "reservoir/dataset/store/file_store.hpp"

#include <cmath>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast {

FileStore::FileStore(const std::string& path)
    : own_(std::make_unique<const h5::File>(h5::File::open(path))), file_(own_.get()), name_(own_->path()) {}

FileStore::FileStore(const std::string& path, std::string called) : FileStore(path) { name_ = std::move(called); }

StoredArray FileStore::info(const std::string& array) const {
    h5::ArrayInfo info = file_->info(array);
    if (array == "/grid/z_edges" && h5::counts_upwards(*file_, array)) {
        throw InvalidData(file_->path() + ": " + array +
                          " counts upwards (attribute positive), and rows go down; store depths below the top of the "
                          "formation, the uppermost row first, and remove the attribute");
    }
    const bool is_number = info.element == h5::Element::real || info.element == h5::Element::integer;
    if (!is_number) {
        return {std::move(info.extents), false};
    }
    const h5::StoredMeaning& stored = meaning(array);
    stored.require_written(*file_, array);
    if (stored.is_packed()) {
        throw InvalidData(file_->path() + ": " + array + ": the numbers are packed by " + stored.packing_text() +
                          " (a data set holds the values themselves); unpack them (ncpdq -U, or xarray with empty "
                          "encoding), or import the file by a map, which unpacks");
    }
    return {std::move(info.extents), true};
}

const h5::StoredMeaning& FileStore::meaning(const std::string& array) const {
    const std::lock_guard lock(mutex_);
    const auto found = meanings_.find(array);
    return found != meanings_.end() ? found->second : meanings_.try_emplace(array, *file_, array).first->second;
}

void FileStore::read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                          std::span<float> out) const {
    file_->read_rows<float>(array, begin, count, out);
    meaning(array).mark_missing(out);
}

void FileStore::read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                          std::span<double> out) const {
    file_->read_rows<double>(array, begin, count, out);
    meaning(array).mark_missing(out);
}

std::optional<std::string> FileStore::text(const std::string& object, const std::string& attribute) const {
    return file_->text(object, attribute);
}

std::optional<std::int64_t> FileStore::integer(const std::string& object, const std::string& attribute) const {
    const auto whole = file_->integer(object, attribute);
    const std::vector<double> numbers = whole ? std::vector<double>() : file_->numbers(object, attribute);
    constexpr double most = 1e15;  // doubles below hold whole numbers exactly
    const bool is_whole = numbers.size() == 1 && std::abs(numbers[0]) < most && numbers[0] == std::floor(numbers[0]);
    return is_whole ? std::optional(static_cast<std::int64_t>(numbers[0])) : whole;
}

std::vector<double> FileStore::numbers(const std::string& object, const std::string& attribute) const {
    return file_->numbers(object, attribute);
}

}  // namespace plumecast
