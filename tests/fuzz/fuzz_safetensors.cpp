#include <plumecast/core/error.hpp>
#include <plumecast/io/safetensors.hpp>

#include "file_in_memory.hpp"

using namespace plumecast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
    const testing::FileInMemory memory(bytes, count);
    try {
        const SafetensorsFile file(memory.path());
        for (const std::string& name : file.names()) {
            file.read(name);
        }
    } catch (const Error&) {  // only the library's own errors may come
    }
    return 0;
}
