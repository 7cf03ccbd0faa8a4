#include "service/temporary_folder.hpp"

#include <cstdlib>

#include <plumecast/core/error.hpp>

namespace plumecast::service {

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "plumecast-serve-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw IoError(name + ": no temporary folder can be made (the disk may be full); free space there");
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace plumecast::service
