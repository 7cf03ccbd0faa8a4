#include "flow_process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "io/durable.hpp"
#include "io/text_file.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto polling_interval = std::chrono::milliseconds(10);
constexpr std::size_t many_cells = 8000;
constexpr int cannot_start = 127;

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) {
        result.push_back(text.data());
    }
    result.push_back(nullptr);
    return result;
}

/// The environment with what keeps a simulator to one core and starts it without waiting: Open MPI otherwise starts a
/// daemon beside every process that runs alone (0.05 s), and loads transports for clusters, one of which sleeps for 0.2
/// s to calibrate its clock. What the user has set for MPI stays.
std::vector<std::string> environment_for_flow() {
    std::vector<std::string> variables{"OMP_NUM_THREADS=1"};
    for (const std::string setting : {"OMPI_MCA_ess_singleton_isolated=1", "OMPI_MCA_pml=ob1"}) {
        if (std::getenv(setting.substr(0, setting.find('=')).c_str()) == nullptr) {
            variables.push_back(setting);
        }
    }
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string variable = *entry;
        if (!variable.starts_with("OMP_NUM_THREADS=")) {
            variables.push_back(variable);
        }
    }
    return variables;
}

/// Between fork and exec only calls that are safe in a signal handler are allowed, since other threads may hold locks.
/// This is why everything is prepared by the caller. posix_spawn cannot ask for the death signal, without which a
/// killed generator would leave simulators behind.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment, const char* folder,
                         int log, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGXFSZ, SIG_DFL);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (::getppid() != parent || nothing < 0 || ::chdir(folder) != 0 || ::dup2(nothing, 0) < 0 || ::dup2(log, 1) < 0 ||
        ::dup2(log, 2) < 0) {
        ::_exit(cannot_start);
    }
    ::execve(program, arguments, environment);
    ::_exit(cannot_start);
}

pid_t start(const std::string& program, const fs::path& folder, const std::vector<std::string>& arguments) {
    const fs::path log_path = folder / "flow.log";
    const int log = ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log < 0) {
        throw_io_error("write", log_path, errno);
    }
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = environment_for_flow();
    const std::vector<char*> word_pointers = pointers(words);
    const std::vector<char*> environment = pointers(variables);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        become(program.c_str(), word_pointers.data(), environment.data(), folder.c_str(), log, parent);
    }
    const int error = errno;
    ::close(log);
    if (child < 0) {
        throw_io_error("start", program, error);
    }
    return child;
}

FlowOutcome wait_for(pid_t child, Clock::time_point deadline, const std::function<bool()>& is_stopped, int& status) {
    for (;;) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) {
            return FlowOutcome::finished;
        }
        if (ended < 0 && errno != EINTR) {
            return FlowOutcome::failed;
        }
        const bool is_late = Clock::now() > deadline;
        if (is_late || is_stopped()) {
            ::kill(-child, SIGKILL);
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            return is_late ? FlowOutcome::out_of_time : FlowOutcome::stopped;
        }
        std::this_thread::sleep_for(polling_interval);
    }
}

/// True for signals that a user, a scheduler or a system out of memory sends, which say nothing about the case.
bool is_from_outside(int signal) {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGXCPU;
}

/// Of a release that says "flow 2024.10" about itself. Which of those between 2022.10 and 2024.10 dissolve CO2 in water
/// was not tried.
BrinePhase brine_phase(const std::string& version) {
    const std::size_t digit = version.find_first_of("0123456789");
    const bool knows_water = digit != std::string::npos && version.compare(digit, std::string::npos, "2024.10") >= 0;
    return knows_water ? BrinePhase::water : BrinePhase::oil;
}

}  // namespace

std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos && ::access(name.c_str(), X_OK) == 0) {
        return fs::absolute(name).string();
    }
    const char* path = std::getenv("PATH");
    std::istringstream folders(name.find('/') == std::string::npos && path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        std::error_code ignored;
        if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0) {
            return fs::absolute(candidate).string();
        }
    }
    throw InvalidInput("cannot find the simulator '" + name +
                       "' (no such program on PATH); install OPM Flow (Debian: libopm-simulators-bin) or name it in "
                       "simulator.program");
}

std::vector<std::string> flow_arguments(std::size_t cells, const FlowRelease& release, double step_after_change) {
    std::vector<std::string> arguments{"CASE.DATA",
                                       "--output-dir=.",
                                       "--threads-per-process=1",
                                       "--enable-opm-rst-file=true",
                                       "--ecl-output-double-precision=true",
                                       "--enable-async-ecl-output=false",
                                       "--output-mode=log",
                                       "--initial-time-step-in-days=0.05",
                                       "--relaxed-max-pv-fraction=0",
                                       "--tolerance-mb=1e-11",
                                       "--tolerance-cnv=1e-3",
                                       "--tolerance-wells=1e-6",
                                       "--shut-unsolvable-wells=false",
                                       "--min-time-step-before-shutting-problematic-wells-in-days=1e-9"};
    // An option given twice ends the simulator.
    arguments.push_back(cells < many_cells ? "--time-step-control-target-newton-iterations=4"
                                           : "--time-step-control-target-newton-iterations=5");
    if (cells >= many_cells) {
        arguments.push_back("--linear-solver=cpr");
    }
    if (release.can_be_lenient_with_decks) {
        arguments.push_back("--parsing-strictness=low");
    }
    if (step_after_change > 0.0) {
        arguments.push_back(fmt::format("--time-step-after-event-in-days={}", step_after_change));
    }
    return arguments;
}

FlowOutcome run_flow(const std::string& program, const fs::path& folder, const std::vector<std::string>& arguments,
                     double seconds, const std::function<bool()>& is_stopped) {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(std::min(seconds, 1e8)));
    int status = 0;
    const FlowOutcome outcome = wait_for(start(program, folder, arguments), deadline, is_stopped, status);
    if (outcome != FlowOutcome::finished) {
        return outcome;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == cannot_start) {
        throw IoError("cannot start '" + program + "' (the system refused to execute it); check simulator.program");
    }
    if (WIFSIGNALED(status) && is_from_outside(WTERMSIG(status))) {
        return FlowOutcome::killed;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? FlowOutcome::finished : FlowOutcome::failed;
}

namespace {

/// The line that says "flow 2024.10"; libraries of the simulator may warn before it. The first one where none does.
std::string version_line(const std::string& text) {
    std::istringstream lines(text);
    std::string first, line;
    while (std::getline(lines, line)) {
        if (line.starts_with("flow ")) {
            return line;
        }
        first = first.empty() ? line : first;
    }
    return first;
}

}  // namespace

FlowRelease flow_release(const std::string& program, const fs::path& folder) {
    const std::string log = (folder / "flow.log").string();
    const auto answer = [&](const char* argument) {
        const FlowOutcome outcome = run_flow(program, folder, {argument}, 60.0, [] { return false; });
        return std::pair(outcome, read_text(log));
    };
    const auto [outcome, text] = answer("--version");
    const std::string line = version_line(text);
    if (outcome != FlowOutcome::finished || line.empty()) {
        throw InvalidInput("'" + program +
                           "' does not tell its version (it is not OPM Flow, or is not complete); name "
                           "the simulator in simulator.program");
    }
    const bool is_named = answer("--help").second.find("--parsing-strictness=") != std::string::npos;
    if (!is_named) {
        return {.version = line.substr(0, 100)};
    }
    return {.version = line.substr(0, 100),
            .can_be_lenient_with_decks = true,
            .weighs_brine_at_surface_temperature = false,
            .lowest_temperature = 12.0,
            .highest_temperature = 170.0,
            .brine = brine_phase(line)};
}

}  // namespace plumecast
