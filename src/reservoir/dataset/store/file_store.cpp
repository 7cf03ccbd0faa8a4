#include "reservoir/dataset/store/file_store.hpp"

namespace plumecast {

FileStore::FileStore(const std::string& path)
    : own_(std::make_unique<const h5::File>(h5::File::open(path))), file_(own_.get()) {}

StoredArray FileStore::info(const std::string& array) const {
    h5::ArrayInfo info = file_->info(array);
    return {std::move(info.extents), info.element == h5::Element::real || info.element == h5::Element::integer};
}

void FileStore::read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                          std::span<float> out) const {
    file_->read_rows<float>(array, begin, count, out);
}

void FileStore::read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                          std::span<double> out) const {
    file_->read_rows<double>(array, begin, count, out);
}

std::optional<std::string> FileStore::text(const std::string& object, const std::string& attribute) const {
    return file_->text(object, attribute);
}

std::optional<std::int64_t> FileStore::integer(const std::string& object, const std::string& attribute) const {
    return file_->integer(object, attribute);
}

std::vector<double> FileStore::numbers(const std::string& object, const std::string& attribute) const {
    return file_->numbers(object, attribute);
}

}  // namespace plumecast
