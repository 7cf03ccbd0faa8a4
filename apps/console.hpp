#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <plumecast/core/log.hpp>

namespace spdlog {
class logger;
}

namespace plumecast::app {

/// Where a subcommand writes: results to stdout, messages and progress to stderr.
class Console {
   public:
    Console();
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    /// Writes results, control characters as \x1b, so that no file can write to the terminal; throws IoError when
    /// stdout refuses them (a full disk, say).
    void print(std::string_view text);
    /// From now on only errors are shown, as on all ranks of a job but the first.
    void mute(bool muted) { is_muted_ = muted; }
    /// One message on stderr; control characters become '?', so that no file can write to the terminal.
    void info(std::string_view message);
    /// Shown once, however often it is said; how often that was is said at the end.
    void warn(std::string_view message);
    void error(std::string_view message);
    /// The same as the library's sink.
    LogSink sink();

    /// Whether a line of progress would be shown now.
    bool shows_progress() const;
    /// Replaces the line of progress of a terminal, at most ten times a second. Where stderr is no terminal but a log,
    /// the line is a message of its own, at most one in half a minute and none before the first half minute.
    void progress(std::string_view line);
    /// Removes the line of progress.
    void clear_progress();

   private:
    std::unique_ptr<spdlog::logger> logger_;
    bool is_terminal_;
    bool is_muted_ = false;
    bool has_progress_ = false;
    std::mutex telling_;                   // of the warnings
    std::map<std::string, int> warnings_;  // how often each was said; it is shown once, and counted at the end
    std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
    std::chrono::duration<double> interval_;  ///< between two lines of progress; 0 for none
};

/// "45 s", "3 min 20 s", "2 h 5 min", "1 d 4 h".
std::string duration_text(double seconds);
/// Four decimals, "0.0123"; "-" for what is not finite, as where nothing can be compared.
std::string decimals_text(double value);
/// "512 MiB", "1.2 GiB".
std::string bytes_text(double bytes);

}  // namespace plumecast::app
