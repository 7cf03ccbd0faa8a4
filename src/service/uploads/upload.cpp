#include "service/uploads/upload.hpp"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "core/json_fields.hpp"
#include "core/text/replaced.hpp"
#include "io/text_file.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"
#include "service/answer.hpp"
#include "service/problem.hpp"
#include "service/temporary_folder.hpp"
#include "service/uploads/uploaded_cases.hpp"

extern char** environ;

namespace plumecast::service {
namespace {

constexpr rlim_t most_memory = rlim_t{8} << 30;  // that reading an upload takes, beside what the process starts with
constexpr rlim_t most_file = rlim_t{4} << 30;
constexpr auto polling_interval = std::chrono::milliseconds(10);

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
        throw IoError(path + " cannot be written (the disk may be full); free space there");
    }
}

template <class Visitor, class Question>
void visit_question(Visitor& v, Question& question) {
    v.required("bundle", question.bundle);
    auto wanted = static_cast<int>(question.wanted);
    v.required("wanted", wanted);
    if constexpr (Visitor::reads) {
        question.wanted = static_cast<Wanted>(wanted);
    }
    v.required("threads", question.threads);
    v.required("fields", question.fields);
    v.required("cases", question.limits.cases);
    v.required("values", question.limits.values);
    v.required("seconds", question.limits.seconds);
    v.required("uncertainty", question.uncertainty);
    v.required("chosen", question.cases);
    v.field("buildup_limit", question.buildup_limit);
    v.field("measure", question.measure);
    v.field("picture", question.picture);
}

Json json_of(const UploadQuestion& question) {
    return written([&](FieldWriter& v) { visit_question(v, question); });
}

UploadQuestion question_of(const Json& json) {
    JsonReader reader(json, "question");
    UploadQuestion question;
    read_whole(reader, [&](FieldReader& v) { visit_question(v, question); });
    return question;
}

/// A process that is killed with its group unless it has ended.
class Child {
   public:
    Child(const UploadCommand& command, const std::string& folder) {
        UploadCommand words = command;
        words.push_back(folder);
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        for (int stream = 0; stream < 3; ++stream) {
            posix_spawn_file_actions_addopen(&files, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
        }
        // Connections of other clients are none of its business.
        posix_spawn_file_actions_addclosefrom_np(&files, 3);
        std::vector<char*> variables;
        std::string temporary = "TMPDIR=" + folder;
        for (char** entry = environ; *entry != nullptr; ++entry) {
            if (!std::string_view(*entry).starts_with("TMPDIR=")) {
                variables.push_back(*entry);
            }
        }
        variables.push_back(temporary.data());  // what it leaves goes with the folder
        variables.push_back(nullptr);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        const int error =
            posix_spawn(&process_, words.front().c_str(), &files, &attributes, arguments.data(), variables.data());
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
        if (error != 0) {
            throw IoError("no process can be started to read the upload; ask again in a moment");
        }
    }
    ~Child() {
        if (process_ > 0) {
            kill(-process_, SIGKILL);
            waitpid(process_, nullptr, 0);
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Its wait status, once it has ended.
    std::optional<int> status() {
        int status = 0;
        const pid_t ended = waitpid(process_, &status, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR)) {
            return std::nullopt;
        }
        if (ended < 0) {
            status = 1;  // somebody else has waited for it
        }
        process_ = 0;
        return status;
    }

   private:
    pid_t process_ = 0;
};

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
    rlimit now{};
    getrlimit(what, &now);
    now.rlim_cur = std::min(most, now.rlim_max);
    setrlimit(what, &now);
}

/// Address space of this process [byte].
rlim_t address_space() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void limit_this_process(double seconds) {
    const auto processors = static_cast<double>(std::max(1U, std::thread::hardware_concurrency()));
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_AS, address_space() + most_memory);
    limit(RLIMIT_FSIZE, most_file);
    limit(RLIMIT_NOFILE, 256);
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(seconds * processors)) + 1);
}

/// The chosen cases of a file as a file, or the file itself for all.
std::string chosen_file(const UploadQuestion& question, const std::string& file) {
    if (question.cases.empty()) {
        return file;
    }
    SubsetOptions options;
    options.source = file;
    options.output = "chosen.h5";
    for (const std::int64_t which : question.cases) {
        options.cases.emplace_back(which, which);
    }
    options.without_outputs = true;
    subset_dataset(options);
    return options.output;
}

Response computed_upload(const UploadQuestion& question, const std::string& file, Backend& backend) {
    Scenario scenario = uploaded_cases(file, question.cases, question.limits);
    scenario.measure = measure_of(question);
    scenario.picture = picture_of(question, scenario.notes.size());
    if (question.wanted == Wanted::eclipse) {
        require_exportable(scenario, question.limits);
    }
    std::optional<ServedModel> model;
    if (!question.bundle.empty()) {
        model.emplace(question.bundle, backend);
    }
    if (is_made_of_files(question.wanted)) {
        const std::string cases = chosen_file(question, file);
        const FileContent content = content_of(question.wanted, scenario.measure, nullptr);
        return {200, type_of(question.wanted),
                model ? predicted_file(*model, cases, question.buildup_limit, question.uncertainty, content, nullptr)
                      : estimated_file(cases, question.buildup_limit, question.threads, content, nullptr)};
    }
    scenario.fields = question.fields;
    scenario.buildup_limit = question.buildup_limit;
    scenario.uncertainty = question.uncertainty;
    return computed_response({model ? &*model : nullptr, question.wanted, question.threads}, std::move(scenario),
                             nullptr);
}

/// A part of a question as an entry of the body of a request, empty where it is not given.
Json body_with(const char* entry, const std::optional<Json>& given) {
    return Json::Object{{entry, given.value_or(Json(Json::Object{}))}};
}

}  // namespace

Measure measure_of(const UploadQuestion& question) {
    const Json body = body_with("measure", question.measure);
    return read_measure(JsonReader(body, body_name).object("measure"));
}

WantedPicture picture_of(const UploadQuestion& question, std::size_t cases) {
    const Json body = body_with("picture", question.picture);
    return read_picture(JsonReader(body, body_name).object("picture"), cases);
}

Response answered_upload(const UploadCommand& command, const UploadQuestion& question, const std::string& body,
                         const StopRequest& stop) {
    const TemporaryFolder folder;
    write_bytes(folder.file("cases.h5"), body);
    write_bytes(folder.file("question.json"), json_of(question).dump(-1));
    Child child(command, folder.path());
    std::optional<int> status;
    while (!(status = child.status())) {
        if (stop()) {
            throw Interrupted();
        }
        std::this_thread::sleep_for(polling_interval);
    }
    if (WIFEXITED(*status) && WEXITSTATUS(*status) != 0) {
        throw IoError(
            "the process that reads the upload could not work (memory, disk or device may be taken); ask again in a "
            "moment");
    }
    if (!WIFEXITED(*status)) {
        throw Problem(400,
                      "the uploaded file ended the process that read it (it is damaged, or asks for more memory or "
                      "time than an upload gets); check it with 'plumecast validate'");
    }
    const Json head = Json::parse(read_text(folder.file("head.json")), "answer");
    JsonReader reader(head, "answer");
    return {static_cast<int>(reader.get<std::int64_t>("status")), reader.get<std::string>("type"),
            read_text(folder.file("answer"))};
}

void answer_upload(const std::string& folder, Backend& backend) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGTERM, SIG_IGN);  // whoever started it finishes what runs, and ends it otherwise
    // What it writes and says has names within the folder.
    std::filesystem::current_path(folder);
    const std::string file = "cases.h5";
    Response response;
    try {
        const UploadQuestion question = question_of(Json::parse(read_text("question.json"), "question"));
        limit_this_process(question.limits.seconds);
        response = computed_upload(question, file, backend);
    } catch (const std::exception& error) {
        response = problem_response(error);
        response.body = replaced(
            response.body,
            std::vector<Replacement>{{folder + "/", ""}, {file, name_of_upload}, {"chosen.h5", name_of_upload}});
    }
    write_bytes("answer", response.body);
    write_bytes("head.json", Json(Json::Object{{"status", response.status}, {"type", response.type}}).dump(-1));
}

}  // namespace plumecast::service
