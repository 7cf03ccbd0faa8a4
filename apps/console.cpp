#include "console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <plumecast/core/error.hpp>

namespace plumecast::app {
namespace {

constexpr double interval_on_terminal = 0.1, interval_in_log = 30.0;  // [s] between two lines of progress
constexpr const char* interval_variable = "PLUMECAST_PROGRESS_SECONDS";
constexpr const char* erase_line = "\r\033[K";

/// Bytes of the UTF-8 character that begins there; 0 where none does, as in a message that quotes a binary file.
std::size_t character_at(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t count = byte(0) < 0x80 ? 1 : byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    if (count > text.size() || (byte(0) >= 0x80 && byte(0) < 0xc2) || byte(0) > 0xf4) {
        return 0;
    }
    for (std::size_t i = 1; i < count; ++i) {
        if (byte(i) >> 6U != 2) {
            return 0;
        }
    }
    return count;
}

/// True for characters that steer a terminal: those below a space, and those from 0x7f to 0x9f, of `count` bytes.
bool is_control(std::string_view text, std::size_t count) {
    const auto first = static_cast<unsigned char>(text[0]);
    return first < 0x20 || first == 0x7f || (count == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0);
}

/// True for characters that turn the order of others round, or begin a line, so that a text reads as another one:
/// U+061C, U+200E, U+200F, U+2028 to U+202E and U+2066 to U+2069.
bool is_reordering(std::string_view text, std::size_t count) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (count == 2) {
        return byte(0) == 0xd8 && byte(1) == 0x9c;
    }
    if (count != 3 || byte(0) != 0xe2) {
        return false;
    }
    return (byte(1) == 0x80 && (byte(2) == 0x8e || byte(2) == 0x8f || (byte(2) >= 0xa8 && byte(2) <= 0xae))) ||
           (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9);
}

/// Whether the character of `count` bytes, 0 for a byte of none, shows itself and nothing else.
bool is_harmless(std::string_view text, std::size_t count) {
    return count > 0 && !is_control(text, count) && !is_reordering(text, count);
}

/// A text with what could steer a terminal, or is no UTF-8, written as \x1b; lines and tabs stay.
std::string harmless(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t count = character_at(text);
        const std::size_t taken = std::max<std::size_t>(count, 1);
        const bool is_layout = text[0] == '\n' || text[0] == '\t';
        if (!is_layout && !is_harmless(text, count)) {
            for (const char byte : text.substr(0, taken)) {
                result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
            }
        } else {
            result += text.substr(0, taken);
        }
        text.remove_prefix(taken);
    }
    return result;
}

std::string one_line(std::string_view message) {
    std::string text;
    while (!message.empty()) {
        const std::size_t count = character_at(message);
        const auto first = static_cast<unsigned char>(message[0]);
        if (!is_harmless(message, count)) {
            text += first == '\n' ? ' ' : '?';
        } else {
            text += message.substr(0, count);
        }
        message.remove_prefix(std::max<std::size_t>(count, 1));
    }
    return text;
}

std::size_t terminal_width() {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col - std::size_t{1} : 79;
}

bool wants_colour(bool is_terminal) {
    const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org: set and not empty
    return is_terminal && (no_color == nullptr || *no_color == '\0');
}

/// Seconds between two lines of progress in a log; nothing where what was asked for is no time.
std::optional<double> asked_interval() {
    const char* text = std::getenv(interval_variable);
    if (text == nullptr) {
        return interval_in_log;
    }
    double seconds = 0.0;
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, seconds);
    const bool is_time = error == std::errc() && stop == end && seconds >= 0.0 && std::isfinite(seconds);
    return is_time ? std::optional(seconds) : std::nullopt;
}

}  // namespace

Console::Console() : is_terminal_(isatty(STDERR_FILENO) == 1) {
    const auto mode = wants_colour(is_terminal_) ? spdlog::color_mode::automatic : spdlog::color_mode::never;
    logger_ =
        std::make_unique<spdlog::logger>("plumecast", std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode));
    logger_->set_pattern("%n: %^%l%$: %v");
    const std::optional<double> asked = asked_interval();
    interval_ = std::chrono::duration<double>(is_terminal_ ? interval_on_terminal : asked.value_or(interval_in_log));
    if (!asked) {
        warn(fmt::format("{} is '{}' (a number of seconds is expected, 0 for no progress); {:g} is taken",
                         interval_variable, std::getenv(interval_variable), interval_in_log));
    }
}

Console::~Console() {
    clear_progress();
    for (const auto& [message, times] : warnings_) {
        if (times > 1) {
            logger_->warn("said {} times: {}", times, message);
        }
    }
}

void Console::print(std::string_view text) {
    if (is_muted_) {
        return;
    }
    clear_progress();
    const std::string shown = harmless(text);
    if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size() || std::fflush(stdout) != 0) {
        throw IoError(
            "standard output cannot be written (the disk may be full or the pipe closed); free space, or "
            "send the output elsewhere");
    }
}

void Console::info(std::string_view message) {
    clear_progress();
    if (!is_muted_) {
        logger_->info("{}", one_line(message));
    }
}

void Console::warn(std::string_view message) {
    clear_progress();
    if (is_muted_) {
        return;
    }
    const std::string text = one_line(message);
    const std::lock_guard guard(telling_);
    if (++warnings_[text] == 1) {
        logger_->warn("{}", text);
    }
}

void Console::error(std::string_view message) {
    clear_progress();
    logger_->error("{}", one_line(message));
}

LogSink Console::sink() {
    return [this](Severity severity, std::string_view message) {
        severity == Severity::warning ? warn(message) : info(message);
    };
}

bool Console::shows_progress() const {
    const bool is_first = is_terminal_ && !has_progress_;
    return !is_muted_ && interval_.count() > 0.0 &&
           (is_first || std::chrono::steady_clock::now() - last_progress_ >= interval_);
}

void Console::progress(std::string_view line) {
    if (!shows_progress()) {
        return;
    }
    last_progress_ = std::chrono::steady_clock::now();
    if (!is_terminal_) {
        logger_->info("{}", one_line(line));
        return;
    }
    has_progress_ = true;
    fmt::print(stderr, "{}{}", erase_line, line.substr(0, terminal_width()));
    std::fflush(stderr);
}

void Console::clear_progress() {
    if (has_progress_) {
        std::fputs(erase_line, stderr);
        has_progress_ = false;
    }
}

std::string duration_text(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0.0) {
        return "unknown";
    }
    const long long whole = std::llround(std::min(seconds, 1e15));
    if (whole < 60) {
        return fmt::format("{} s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    }
    return whole < 86400 ? fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60)
                         : fmt::format("{} d {} h", whole / 86400, whole % 86400 / 3600);
}

std::string decimals_text(double value) { return std::isfinite(value) ? fmt::format("{:.4f}", value) : "-"; }

std::string bytes_text(double bytes) {
    constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1000.0 && unit + 1 < units.size(); ++unit) {
        bytes /= 1024.0;
    }
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace plumecast::app
