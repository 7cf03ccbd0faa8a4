#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

class Dataset;

/// Called with the number of cases done and of all; returns true to stop.
using CaseProgress = std::function<bool(std::string_view phase, std::int64_t done, std::int64_t all)>;

/// SHA-256 of the inputs of a case, as single precision, whatever file, place, storage or outputs it has. Cases with
/// the same inputs are the same case. Throws InvalidData.
std::string case_fingerprint(const Dataset& dataset, std::int64_t which);

/// Whether edges or times are the same to a millionth, which is more than single precision keeps of them.
bool axes_agree(const std::vector<double>& a, const std::vector<double>& b);

/// A part of a data set.
struct SplitPart {
    std::string name;
    double share = 0.0;
};

/// How to divide a data set.
struct SplitOptions {
    std::string source;
    /// Folder for NAME.h5 of each part; made when missing.
    std::string folder;
    std::vector<SplitPart> parts;
    std::int64_t seed = 0;
    /// Parts of the numbers of cases asked for; without it, each case goes where its fingerprint says, and stays there
    /// when cases are added.
    bool is_exact = false;
    CaseProgress progress;
};

/// A file written by one of these operations.
struct CaseFileReport {
    std::string path;
    std::int64_t cases = 0;
};

/// What became of the files. Nothing is written when it was stopped.
struct CaseReport {
    std::vector<CaseFileReport> files;
    std::int64_t duplicates = 0;  ///< cases left out by a merge
    /// Arrays that could not be taken along, but for the generator's list of rejected cases.
    std::vector<std::string> left_out;
    /// Why links were not taken along that lead to no array of their file: "a.h5: /case/seed is a link into another
    /// ...".
    std::vector<std::string> dead_links;
    bool is_complete = true;
};

/// Divides a data set by the fingerprints of its cases: a case with its duplicates is in one part, whatever the order
/// of the file. Files of the parts that are there are replaced when all parts are complete. Throws InvalidInput for
/// shares that do not add up to 1, names used twice, a part that would be empty, or a folder that another run writes;
/// InvalidData; IoError.
CaseReport split_dataset(const SplitOptions& options);

/// The files that split_dataset() writes, in the order of the parts. Throws InvalidInput for parts that it refuses.
std::vector<std::string> split_files(const SplitOptions& options);

/// What a merge does with a case that is there already.
enum class Duplicates { refuse, drop, keep };

/// Files to join, in this order.
struct MergeOptions {
    std::vector<std::string> sources;
    std::string output;
    std::string title;
    Duplicates duplicates = Duplicates::refuse;
    CaseProgress progress;
};

/// Joins data sets of one grid and the same times and arrays. Throws InvalidData naming the file and what differs, or
/// the cases that are the same; IoError.
CaseReport merge_datasets(const MergeOptions& options);

/// Values a scalar may have.
struct ScalarCondition {
    std::string name;
    double low = 0.0;
    double high = 0.0;
};

/// Which cases to keep: those that meet every condition given.
struct SubsetOptions {
    std::string source;
    std::string output;
    /// First and last case, both included; empty for all.
    std::vector<std::pair<std::int64_t, std::int64_t>> cases;
    std::vector<ScalarCondition> where;
    /// Of the others, so many, chosen by fingerprint and seed.
    std::optional<std::int64_t> random;
    std::int64_t seed = 0;
    bool without_outputs = false;
    CaseProgress progress;
};

/// Copies some cases in their order. Throws InvalidInput for a case out of range, an unknown scalar, or when no case is
/// left; InvalidData; IoError.
CaseReport subset_dataset(const SubsetOptions& options);

/// Values of one array over all cases, active cells only.
struct ArrayStatistics {
    std::string name;
    std::string unit;
    Role role = Role::scalar;
    std::int64_t count = 0;
    std::int64_t not_finite = 0;
    double low = 0.0;
    double high = 0.0;
    double mean = 0.0;
    double deviation = 0.0;
    /// Mean and standard deviation of the natural logarithm; nothing when a value is not above 0.
    std::optional<std::pair<double, double>> logarithm;
};

/// What a data set holds.
struct DatasetStatistics {
    std::int64_t cases = 0;
    std::int64_t different_cases = 0;
    std::vector<ArrayStatistics> arrays;
    bool is_complete = true;
};

/// Reads every case once, one array at a time; sums in double precision. Throws InvalidData, IoError.
DatasetStatistics dataset_statistics(const std::string& path, const CaseProgress& progress = {});

}  // namespace plumecast
