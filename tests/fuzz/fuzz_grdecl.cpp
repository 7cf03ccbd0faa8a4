#include <plumecast/core/error.hpp>

#include "file_in_memory.hpp"
#include "reservoir/eclipse/deck/deck_scan.hpp"
#include "reservoir/eclipse/grdecl.hpp"

using namespace plumecast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
    const testing::FileInMemory memory(bytes, count);
    try {
        const eclipse::Grdecl model = eclipse::read_grdecl_text(memory.path());
        for (const auto& [keyword, values] : model.arrays) {
            if (values.count <= 1000) {
                values.expand(values.count, keyword);
            }
        }
    } catch (const Error&) {  // only the library's own errors may come
    }
    try {
        eclipse::scan_deck(memory.path(), false).left_out.notes();
    } catch (const Error&) {
    }
    return 0;
}
