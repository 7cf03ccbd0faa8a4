#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "reservoir/dataset/store/dataset_store.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/h5/stored_meaning.hpp"

namespace plumecast {

/// The arrays of an HDF5 file.
class FileStore : public DatasetStore {
   public:
    /// Opens a file. Throws IoError when it cannot be read at all, InvalidData when it is not HDF5.
    explicit FileStore(const std::string& path);
    /// The same of a file that messages call by another name.
    FileStore(const std::string& path, std::string called);
    /// Looks at an open file, which must outlive this.
    explicit FileStore(const h5::File& file) : file_(&file), name_(file.path()) {}

    const std::string& name() const override { return name_; }
    bool is_file() const override { return true; }
    bool has(const std::string& array) const override { return file_->has(array); }
    std::string link_problem(const std::string& array) const override { return file_->link_problem(array); }
    std::string attribute_text(const std::string& object, const std::string& attribute) const override {
        return file_->attribute_text(object, attribute);
    }
    std::vector<std::string> arrays() const override { return file_->arrays(); }
    StoredArray info(const std::string& array) const override;
    void read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                   std::span<float> out) const override;
    void read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                   std::span<double> out) const override;
    std::optional<std::string> text(const std::string& object, const std::string& attribute) const override;
    std::optional<std::int64_t> integer(const std::string& object, const std::string& attribute) const override;
    std::vector<double> numbers(const std::string& object, const std::string& attribute) const override;
    std::vector<std::string> attributes() const override { return file_->attributes("/"); }

   private:
    /// What the attributes of an array say about its numbers; read once.
    const h5::StoredMeaning& meaning(const std::string& array) const;

    std::unique_ptr<const h5::File> own_;
    const h5::File* file_;
    std::string name_;
    mutable std::mutex mutex_;  // of meanings_
    mutable std::map<std::string, h5::StoredMeaning> meanings_;
};

}  // namespace plumecast
