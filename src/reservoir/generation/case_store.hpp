#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "reservoir/generation/case_file.hpp"

namespace plumecast {

/// Cases on the way to a data set: one file each in OUTPUT.parts, from which the data set is put together. save() and
/// reject() may be called from several threads. Everything throws IoError when the disk refuses.
class CaseStore {
   public:
    /// What becomes of an output and of parts that are there.
    enum class Former { refuse, resume, replace };

    /// Opens or creates the folder of parts and finds what is there. One process at a time. Throws InvalidInput when
    /// OUTPUT or parts exist and are to be refused, when those to be resumed come from another configuration, when the
    /// folder of parts holds anything else, or when another process holds it.
    CaseStore(const std::filesystem::path& output, const GeneratorConfiguration& configuration, Former former);
    /// The same of the cases of a data set, which `identity` tells from those of others.
    CaseStore(const std::filesystem::path& output, std::string identity, Former former)
        : CaseStore(output, std::move(identity), former,
                    "made from other cases (of other content); use the same file") {}
    CaseStore(const CaseStore&) = delete;
    CaseStore& operator=(const CaseStore&) = delete;
    /// Removes the folder of parts when it holds none.
    ~CaseStore();

    /// Says what the files have in common, and texts of all cases that there may be by the path of their array, of
    /// which the data set gets those of finished ones; before the first save().
    void set_frame(DatasetContent frame, CaseTexts texts = {});

    /// Numbers of the cases that are finished, or rejected with the reason.
    std::vector<std::int64_t> finished() const;
    std::map<std::int64_t, Rejection> rejected() const;

    void save(const FinishedCase& finished);
    void reject(const RejectedCase& rejected);

    /// Name of a case's own files: "case_00000012".
    static std::string name_of(std::int64_t number);
    /// Folder of the parts.
    const std::filesystem::path& folder() const { return folder_; }

    /// Puts the data set together from all finished cases in order of their numbers, one in memory at a time, and
    /// removes the parts.
    void assemble();

   private:
    CaseStore(const std::filesystem::path& output, std::string identity, Former former, std::string if_other);
    void lock();
    void check_configuration(const std::string& found, const std::filesystem::path& where) const;
    void read_output();
    void read_parts();
    void begin_anew();

    std::filesystem::path output_;
    std::filesystem::path folder_;
    std::string configuration_;
    std::string if_other_;  ///< what is said of parts of another one
    DatasetContent frame_;
    CaseTexts texts_;
    int lock_ = -1;
    bool has_parts_ = false;
    mutable std::mutex mutex_;
    std::map<std::int64_t, CaseRow> finished_;
    std::map<std::int64_t, Rejection> rejected_;
};

}  // namespace plumecast
