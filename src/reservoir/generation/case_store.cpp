#include "case_store.hpp"

#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "io/atomic_file.hpp"
#include "io/durable.hpp"
#include "io/folders.hpp"
#include "io/text_file.hpp"
#include "reservoir/generation/case_file.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view work_prefix = "work_";
constexpr const char* record_name = "configuration.json";
constexpr const char* lock_name = "lock";
constexpr const char* replaces_name = "replaces_output";  // the output there is none of this run's

/// Configuration without the entries that leave finished cases as they are.
std::string lasting_part(const GeneratorConfiguration& configuration) {
    Json all = configuration.to_json();
    std::erase_if(*all.get_if<Json::Object>(), [](const auto& entry) {
        return entry.first == "title" || entry.first == "cases" || entry.first == "simulator";
    });
    const InputSettings& inputs = configuration.inputs;
    const double step = configuration.simulator.step_after_change;
    if (step != 0.0 && !inputs.schedule.is_constant()) {  // files that do not know it were made with 0
        all["step_after_change"] = step;
    }
    const std::pair<std::string, ValueRange> newer[] = {
        {"salinity", inputs.salinity},
        {"residual_gas_saturation", inputs.residual_gas_saturation},
        {"bottom_hole_pressure_limit", inputs.bottom_hole_pressure_limit},
        {"dissolution_rate_limit", inputs.dissolution_rate_limit}};
    for (const auto& [name, range] : newer) {
        if (range.high == 0.0) {  // as files have it that do not know it
            std::erase_if(*all["inputs"].get_if<Json::Object>(),
                          [&](const auto& entry) { return entry.first == name; });
        }
    }
    return all.dump(-1);
}

/// Number of a part "case_00000012<suffix>"; -1 for any other name.
std::int64_t number_in(const std::string& name, std::string_view suffix) {
    constexpr std::string_view prefix = "case_";
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) {
        return -1;
    }
    std::int64_t number = -1;
    const char* end = name.data() + name.size() - suffix.size();
    const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, number);
    return error == std::errc() && stop == end ? number : -1;
}

/// Left in the folder of parts by a run that was killed.
bool is_leftover(const std::string& name) { return name.starts_with(work_prefix) || name.ends_with(".partial"); }

bool is_part(const std::string& name) { return number_in(name, ".h5") >= 0 || number_in(name, ".rejected") >= 0; }

/// The folder goes as a whole when the data set is complete. Throws InvalidInput when it holds anything but parts.
void require_parts_alone(const fs::path& folder) {
    std::error_code absent;
    for (const std::string& name : names_in(folder, absent)) {
        const bool is_own = is_part(name) || is_leftover(name) || name == record_name || name == lock_name ||
                            name == replaces_name || name == "flow.log";
        if (!is_own) {
            throw InvalidInput((folder / name).string() +
                               ": is no part of a data set (the folder is removed when the data set is complete); "
                               "move it elsewhere, or choose another file for the data set");
        }
    }
}

Rejection rejection_in(const std::string& path) {
    const Json json = Json::parse(read_text(path), path);
    JsonReader reader(json, path);
    const auto name = reader.get<std::string>("reason");
    for (std::size_t i = 0; i < rejection_names.size(); ++i) {
        if (name == rejection_names[i]) {
            return static_cast<Rejection>(i);
        }
    }
    throw InvalidData(path + ": no reason '" + name + "' (another version wrote it); remove the file to run the case");
}

}  // namespace

CaseStore::CaseStore(const fs::path& output, const GeneratorConfiguration& configuration, Former former)
    : CaseStore(
          output, lasting_part(configuration), former,
          "made with another configuration (only title, cases, program and time limit may change); use the same one") {}

CaseStore::CaseStore(const fs::path& output, std::string identity, Former former, std::string if_other)
    : output_(output),
      folder_(output.string() + ".parts"),
      configuration_(std::move(identity)),
      if_other_(std::move(if_other)) {
    if (former == Former::refuse && (fs::exists(output_) || fs::exists(folder_ / record_name))) {
        throw InvalidInput(
            (fs::exists(output_) ? output_ : folder_).string() +
            ": exists already (finished cases would be overwritten); continue by GenerationOptions::resume, "
            "choose another file for the data set, or begin anew by GenerationOptions::replace");
    }
    require_parts_alone(folder_);
    if (former != Former::replace && fs::exists(output_) && !fs::exists(folder_ / replaces_name)) {
        read_output();
    }
    std::error_code error;
    fs::create_directory(folder_, error);
    if (!fs::is_directory(folder_)) {
        throw_io_error("create", folder_, error ? error.value() : ENOTDIR);
    }
    lock();
    if (former == Former::replace) {
        begin_anew();
    }
    if (const fs::path record = folder_ / record_name; fs::exists(record)) {
        check_configuration(read_text(record.string()), record);
    } else {
        write_text_atomically(record, configuration_);
    }
    read_parts();
}

CaseStore::~CaseStore() {
    if (lock_ >= 0 && !has_parts_) {
        std::error_code ignored;
        remove_tree(folder_, ignored);
    }
    if (lock_ >= 0) {
        ::close(lock_);
    }
}

void CaseStore::lock() {
    const fs::path path = folder_ / lock_name;
    lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0) {
        throw_io_error("write", path, errno);
    }
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
        ::close(lock_);
        lock_ = -1;
        throw InvalidInput(output_.string() + ": another process generates it (it holds " + path.string() +
                           "); wait for it, or choose another file");
    }
}

void CaseStore::check_configuration(const std::string& found, const fs::path& where) const {
    if (found != configuration_) {
        throw InvalidInput(where.string() + ": " + if_other_ + ", or choose another file");
    }
}

void CaseStore::read_output() {
    const h5::File file = h5::File::open(output_);
    check_configuration(file.text("/", "generator").value_or(""), output_);
    const CaseList list = read_case_list(file);
    for (std::size_t row = 0; row < list.finished.size(); ++row) {
        finished_[list.finished[row]] = {output_, static_cast<std::int64_t>(row)};
    }
    rejected_ = list.rejected;
}

void CaseStore::read_parts() {
    for (const std::string& name : names_in(folder_)) {
        const std::int64_t finished = number_in(name, ".h5");
        const std::int64_t rejected = number_in(name, ".rejected");
        if (finished >= 0) {
            finished_.try_emplace(finished, CaseRow{folder_ / name, 0});
            has_parts_ = true;
        } else if (rejected >= 0) {
            rejected_.try_emplace(rejected, rejection_in((folder_ / name).string()));
            has_parts_ = true;
        } else if (is_leftover(name)) {
            remove_tree(folder_ / name);  // of a run that was killed
        }
    }
}

/// Removes all parts; an output that is there stays until it is replaced.
void CaseStore::begin_anew() {
    for (const std::string& name : names_in(folder_)) {
        if (name != lock_name) {
            remove_tree(folder_ / name);
        }
    }
    if (fs::exists(output_)) {
        write_text_atomically(folder_ / replaces_name, "");
    }
}

void CaseStore::set_frame(DatasetContent frame, CaseTexts texts) {
    frame_ = std::move(frame);
    texts_ = std::move(texts);
    frame_.attributes["generator"] = configuration_;
}

std::vector<std::int64_t> CaseStore::finished() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::int64_t> numbers;
    for (const auto& [number, row] : finished_) {
        numbers.push_back(number);
    }
    return numbers;
}

std::map<std::int64_t, Rejection> CaseStore::rejected() const {
    const std::lock_guard guard(mutex_);
    return rejected_;
}

std::string CaseStore::name_of(std::int64_t number) { return fmt::format("case_{:08}", number); }

void CaseStore::save(const FinishedCase& finished) {
    const fs::path path = folder_ / (name_of(finished.number) + ".h5");
    AtomicFile target(path);
    write_case_file(target.path(), frame_, finished);
    target.commit();
    const std::lock_guard guard(mutex_);
    finished_[finished.number] = {path, 0};
    has_parts_ = true;
}

void CaseStore::reject(const RejectedCase& rejected) {
    const Json json = Json::Object{{"reason", std::string(rejection_names[static_cast<std::size_t>(rejected.reason)])},
                                   {"detail", rejected.detail}};
    write_text_atomically(folder_ / (name_of(rejected.number) + ".rejected"), json.dump());
    const std::lock_guard guard(mutex_);
    rejected_[rejected.number] = rejected.reason;
    has_parts_ = true;
}

void CaseStore::assemble() {
    CaseList list;
    std::vector<CaseRow> rows;
    bool is_new = false;
    for (const auto& [number, row] : finished_) {
        list.finished.push_back(number);
        rows.push_back(row);
        is_new = is_new || row.file != output_;
    }
    list.rejected = rejected_;
    if (is_new) {
        AtomicFile target(output_);
        join_case_files(target.path(), frame_, list, rows, texts_);
        target.commit();
    }
    remove_tree(folder_);
    has_parts_ = false;
}

}  // namespace plumecast
