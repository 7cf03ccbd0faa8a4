#include <array>
#include <filesystem>

#include <plumecast/core/error.hpp>

#include "file_in_memory.hpp"
#include "reservoir/eclipse/grid.hpp"
#include "reservoir/eclipse/record_file.hpp"
#include "reservoir/eclipse/restart.hpp"

using namespace plumecast;

namespace {

/// Reads every array, then the file as a grid and as report steps. Only the library's own errors may come.
template <class Read>
void attempt(const Read& read) {
    try {
        read();
    } catch (const Error&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
    const testing::FileInMemory memory(bytes, count);
    const std::filesystem::path path = memory.path();
    attempt([&] {
        eclipse::RecordFile file(path);
        while (const auto record = file.next()) {
            if (record->type == eclipse::RecordType::text) {
                file.texts(*record);
            } else if (record->type != eclipse::RecordType::message) {
                file.numbers(*record);
            }
        }
    });
    attempt([&] {
        const eclipse::CornerPointGrid grid = eclipse::read_grid(path);
        eclipse::volume(grid.corners(grid.nx() - 1, grid.ny() - 1, grid.nz() - 1));
    });
    attempt([&] {
        constexpr std::array<std::string_view, 2> keywords = {"DOUBHEAD", "PRESSURE"};
        const std::array<std::filesystem::path, 1> files = {path};
        eclipse::StepFiles steps(files, keywords);
        for (std::size_t step = 0; step < steps.steps(); ++step) {
            steps.numbers(step, "PRESSURE");
        }
    });
    return 0;
}
