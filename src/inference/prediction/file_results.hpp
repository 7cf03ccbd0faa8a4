#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>

#include "inference/prediction/result_store.hpp"

namespace plumecast {

/// A result file, which appears whole or not at all.
class FileResults : public ResultStore {
   public:
    /// Starts `path` with grid and inputs of the cases: those of the data set or, where there is none, what the file
    /// of ready-made channels `input` has. `units` of fields by name are those of generic data. Throws what
    /// FieldsWriter throws.
    FileResults(const std::string& path, const Dataset* dataset, const std::string& input,
                const std::vector<std::string>& fields, const FileAttributes& attributes,
                const std::map<std::string, std::string>& units = {});

    bool takes(const std::string& field) const override { return fields_.contains(field); }
    std::function<void()> put(const std::string& field, std::int64_t which, std::span<const float> values,
                              std::span<const float> active) override;
    std::vector<float> read(const std::string& field, std::int64_t which) const override {
        return writer_->read(field, which);
    }
    ResultVerdicts judge(const Dataset& dataset, const TrustRecord& record, const RunFacts& facts,
                         const ResultStore* beside) override;
    void keep(const CorrectionSizes& corrections) override { corrections.write(*writer_); }
    void commit() override { writer_->commit(); }

   private:
    std::set<std::string> fields_;
    std::optional<FieldsWriter> writer_;
};

}  // namespace plumecast
