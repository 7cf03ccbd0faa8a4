#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "core/number_text.hpp"
#include "io/atomic_file.hpp"
#include "io/folder_lock.hpp"
#include "io/folders.hpp"
#include "reservoir/dataset/cases/case_copy.hpp"
#include "reservoir/dataset/cases/case_order.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

constexpr double share_tolerance = 1e-6;

void check_parts(const SplitOptions& options) {
    double sum = 0.0;
    std::set<std::string> names;
    for (const SplitPart& part : options.parts) {
        const bool is_file_name = !part.name.empty() && part.name.find('/') == std::string::npos && part.name[0] != '.';
        if (!is_file_name || !names.insert(part.name).second) {
            throw InvalidInput("part '" + part.name +
                               "' (each part is a file NAME.h5); give every part a name of its own");
        }
        if (!(part.share > 0.0)) {
            throw InvalidInput("part " + part.name + " has no share above 0 (it would be empty); give it one");
        }
        sum += part.share;
    }
    if (options.parts.empty() || std::abs(sum - 1.0) > share_tolerance) {
        throw InvalidInput(
            fmt::format("the shares add up to {} (every case goes into one part); make it 1", number_text(sum)));
    }
}

/// Part of each case by a number in [0, 1) that depends on its fingerprint and the seed alone.
std::vector<std::size_t> parts_by_threshold(const std::vector<OrderedCase>& cases,
                                            const std::vector<SplitPart>& parts) {
    std::vector<std::size_t> chosen(cases.size());
    for (const OrderedCase& one : cases) {
        double bound = 0.0;
        std::size_t part = 0;
        while (part + 1 < parts.size() && one.place >= (bound += parts[part].share)) {
            ++part;
        }
        chosen[static_cast<std::size_t>(one.row)] = part;
    }
    return chosen;
}

/// Number of cases of each part: the whole ones first, then one more by the largest remainders, and at least one.
std::vector<std::size_t> counts_of(std::size_t cases, const std::vector<SplitPart>& parts) {
    std::vector<std::size_t> counts;
    std::vector<std::pair<double, std::size_t>> remainders;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const double wanted = parts[part].share * static_cast<double>(cases);
        counts.push_back(static_cast<std::size_t>(wanted + share_tolerance));
        remainders.emplace_back(static_cast<double>(counts.back()) - wanted, part);
    }
    std::ranges::stable_sort(remainders);
    const std::size_t whole = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    for (std::size_t i = 0; i + whole < cases; ++i) {
        ++counts[remainders[i % remainders.size()].second];
    }
    for (std::size_t& count : counts) {
        const auto largest = std::ranges::max_element(counts);
        if (count == 0 && *largest > 1) {
            --*largest;
            ++count;
        }
    }
    return counts;
}

/// Parts of those numbers in the order of the cases' places; duplicates stay together.
std::vector<std::size_t> parts_by_count(std::vector<OrderedCase> cases, const std::vector<SplitPart>& parts) {
    std::ranges::sort(cases, {}, [](const OrderedCase& one) { return std::pair(one.place, one.fingerprint); });
    const std::vector<std::size_t> counts = counts_of(cases.size(), parts);
    std::vector<std::size_t> chosen(cases.size());
    std::size_t end = counts[0];
    std::size_t part = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const bool is_duplicate = i > 0 && cases[i].fingerprint == cases[i - 1].fingerprint;
        while (!is_duplicate && part + 1 < parts.size() && i >= end) {
            end += counts[++part];
        }
        chosen[static_cast<std::size_t>(cases[i].row)] = part;
    }
    return chosen;
}

FileAttributes attributes_of(const SplitOptions& options, const Dataset& dataset, const SplitPart& part) {
    const std::string line =
        fmt::format("plumecast {} split: part {} ({:g}) of {}, seed {}{}", version(), part.name, part.share,
                    counted(dataset.cases(), "case"), options.seed, options.is_exact ? ", exact" : "");
    const std::string before = dataset.attribute("history");
    return {{"history", before.empty() ? line : before + "; " + line}, {"split", part.name}};
}

/// Makes a folder where there is none, and removes it again unless something came into it.
class FolderOfParts {
   public:
    explicit FolderOfParts(const fs::path& path) : path_(path), is_new_(!fs::exists(path)) { create_folders(path); }
    FolderOfParts(const FolderOfParts&) = delete;
    FolderOfParts& operator=(const FolderOfParts&) = delete;
    ~FolderOfParts() {
        std::error_code not_empty;
        if (is_new_) {
            fs::remove(path_, not_empty);
        }
    }

   private:
    fs::path path_;
    bool is_new_;
};

}  // namespace

std::vector<std::string> split_files(const SplitOptions& options) {
    check_parts(options);
    std::vector<std::string> files;
    for (const SplitPart& part : options.parts) {
        files.push_back((fs::path(options.folder) / (part.name + ".h5")).string());
    }
    return files;
}

CaseReport split_dataset(const SplitOptions& options) {
    const std::vector<std::string> files = split_files(options);
    const Dataset dataset(options.source);
    CaseReport report;
    const FolderOfParts folder(options.folder);  // before much is read, in case that it cannot be written
    const FolderLock lock(options.folder, "choose another folder with -o");
    std::vector<std::unique_ptr<AtomicFile>> targets;
    for (const std::string& file : files) {
        targets.push_back(std::make_unique<AtomicFile>(file));
    }
    const auto cases = order_cases(dataset, options.seed, options.progress);
    if (!cases) {
        report.is_complete = false;
        return report;
    }
    const std::vector<std::size_t> chosen =
        options.is_exact ? parts_by_count(*cases, options.parts) : parts_by_threshold(*cases, options.parts);
    std::vector<CopyPlan> plans;
    for (std::size_t part = 0; part < options.parts.size(); ++part) {
        CopyPlan plan{{options.source}, {}, attributes_of(options, dataset, options.parts[part]), false};
        for (std::size_t row = 0; row < chosen.size(); ++row) {
            if (chosen[row] == part) {
                plan.cases.push_back({0, static_cast<std::int64_t>(row)});
            }
        }
        if (plan.cases.empty()) {
            throw InvalidInput(fmt::format("no case of {} falls into part {} ({} to divide); give it a larger share{}",
                                           options.source, options.parts[part].name, counted(dataset.cases(), "case"),
                                           options.is_exact ? "" : ", choose SplitOptions::is_exact, or another seed"));
        }
        plans.push_back(std::move(plan));
    }
    for (std::size_t part = 0; part < files.size(); ++part) {
        report.files.push_back({files[part], static_cast<std::int64_t>(plans[part].cases.size())});
    }
    for (std::size_t part = 0; part < plans.size(); ++part) {
        CaseReport ignored;
        if (!copy_cases(*targets[part], plans[part], options.progress, part == 0 ? report : ignored)) {
            report.is_complete = false;
            return report;
        }
    }
    for (const auto& target : targets) {
        target->commit();
    }
    return report;
}

}  // namespace plumecast
