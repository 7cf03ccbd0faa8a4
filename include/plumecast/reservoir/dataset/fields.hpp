#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

class AtomicFile;
class Dataset;
struct DatasetExtents;

namespace h5 {
class File;
}

/// Writes a data set file under its final name in one step. Arrays left out are not written. Throws InvalidInput for an
/// unknown array or a count that does not fit the grid, IoError when the disk refuses.
void write_dataset(const std::string& path, const DatasetContent& content);

/// Writes all of an open data set, inputs and outputs, as a file; of cases in memory, generic ones too, this is how
/// they become one. Throws InvalidData when it cannot be read, IoError.
void write_dataset(const std::string& path, const Dataset& source);

/// Writes predicted fields as a file of the data set layout, which appears under its final name at commit() only.
class FieldsWriter {
   public:
    /// Starts `path` with the grid and the inputs of `source` (a data set, or a file with ready-made channels, of which
    /// only a grid is kept). `fields` are outputs of the data set format. Throws InvalidInput for other fields,
    /// InvalidData for a damaged source, IoError.
    FieldsWriter(const std::string& path, const std::string& source, const std::vector<std::string>& fields,
                 const FileAttributes& attributes);
    /// The same for an open data set, in a file or in memory; of generic data with fields of any name, in `units` by
    /// name; what is not among them has the unit of the output of `source` of that name, else "1". Throws the same.
    FieldsWriter(const std::string& path, const Dataset& source, const std::vector<std::string>& fields,
                 const FileAttributes& attributes, const std::map<std::string, std::string>& units = {});
    ~FieldsWriter();
    FieldsWriter(const FieldsWriter&) = delete;
    FieldsWriter& operator=(const FieldsWriter&) = delete;

    /// Writes one field of some cases. `values` [B, space..., T] (or with a last axis of 1) float32 on the host in
    /// physical units; `active` [B, space...] float32 0/1: cells with 0 become the fill value, NaN. Throws IoError.
    void write(std::string_view field, std::span<const std::int64_t> cases, ConstView values, ConstView active);
    /// The first half of write(), for one case, values [space..., T] and active [space...]: what the file will hold.
    /// Several threads may pack at once, and beside store().
    std::vector<std::byte> pack(std::span<const float> values, std::span<const float> active) const;
    /// The second half. Throws IoError.
    void store(std::string_view field, std::int64_t which, std::span<const std::byte> packed);
    /// Writes a number of each case [N] as `/case/NAME`, of unit 1. Throws IoError.
    void write_per_case(const std::string& name, const std::string& long_name, std::span<const float> values);
    /// Writes numbers of each case, [N] or [N, T] by their count, as `/case/NAME`. Throws IoError.
    void write_case_values(const std::string& name, const std::string& unit, const std::string& long_name,
                           std::span<const float> values, std::int64_t cases);
    /// What write_case_values() has written of that name; empty where it has not. Throws IoError.
    std::vector<float> case_values(const std::string& name) const;
    /// Writes which of some meanings each case [N] has as `/case/NAME`, with the attribute `meanings`. Throws IoError.
    void write_case_labels(const std::string& name, const std::string& long_name, std::span<const std::uint8_t> labels,
                           const std::vector<std::string>& meanings);
    /// Writes a text of each case [N] as `/case/NAME`. Throws IoError.
    void write_case_texts(const std::string& name, const std::string& long_name, const std::vector<std::string>& texts);
    /// Adds a text attribute to the file. Throws IoError.
    void set_attribute(const std::string& name, const std::string& value);
    /// What has been written of a field of a case: values [T, space...], NaN in inactive cells; empty for a field that
    /// the writer was not made for. Not while another thread stores. Throws InvalidData.
    std::vector<float> read(std::string_view field, std::int64_t which) const;
    /// Completes the file and gives it its final name. Throws IoError; the final name is then untouched.
    void commit();

   private:
    void create_fields(const std::vector<ArraySpec>& fields, const DatasetExtents& extents);
    DatasetExtents copy_inputs(const std::string& source);
    DatasetExtents write_inputs(const Dataset& source);

    std::unique_ptr<AtomicFile> target_;
    std::unique_ptr<h5::File> file_;
    std::map<std::string, std::string, std::less<>> paths_;  // of fields, by name
    std::int64_t times_ = 0;
    std::int64_t cells_ = 0;
};

}  // namespace plumecast
