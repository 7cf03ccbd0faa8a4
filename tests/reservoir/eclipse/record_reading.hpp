#pragma once

#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/record_file.hpp"

namespace plumecast::testing {

/// Writes a file of records and reads it back.
class RecordReading : public TemporaryFolder {
   protected:
    /// The extension tells whether the file is formatted.
    explicit RecordReading(std::string name) : name_(std::move(name)) {}

    eclipse::RecordFile open(const std::string& content) {
        write(folder_ / name_, content);
        return eclipse::RecordFile(folder_ / name_);
    }
    /// The error that reading everything in this content ends with; empty when there is none.
    std::string error_of(const std::string& content) {
        try {
            eclipse::RecordFile file = open(content);
            while (const auto record = file.next()) {
                if (record->type == eclipse::RecordType::text) {
                    file.texts(*record);
                } else if (record->type < eclipse::RecordType::text) {
                    file.numbers(*record);
                }
            }
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }

   private:
    std::string name_;
};

}  // namespace plumecast::testing
