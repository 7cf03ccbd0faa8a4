// Writes what is installed beside the executable and says what it takes: pages of the manual and the completion of two
// shells, from the very description that the executable parses its arguments with. Usage: plumecast_manual FOLDER

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include <plumecast/core/version.hpp>

#include "command.hpp"
#include "io/atomic_file.hpp"
#include "manual/arguments.hpp"
#include "manual/completion.hpp"
#include "manual/man_page.hpp"

namespace plumecast::app {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    write_text_atomically(path, text);
}

void write_pages(const Usage& usage, const std::filesystem::path& folder) {
    write(folder / (page_name(usage) + ".1"), man_page(usage, std::string(version())));
    for (const Usage& subcommand : usage.subcommands) {
        write_pages(subcommand, folder);
    }
}

}  // namespace
}  // namespace plumecast::app

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: plumecast_manual FOLDER\n", stderr);
        return 2;
    }
    try {
        const plumecast::app::CommandLine line;
        const plumecast::app::Usage usage = plumecast::app::usage_of(line.app, line.app.get_name());
        const std::filesystem::path folder = argv[1];
        plumecast::app::write_pages(usage, folder / "man");
        plumecast::app::write(folder / "bash" / usage.name, plumecast::app::bash_completion(usage));
        plumecast::app::write(folder / "zsh" / ("_" + usage.name), plumecast::app::zsh_completion(usage));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "plumecast_manual: %s\n", error.what());
        return 1;
    }
}
