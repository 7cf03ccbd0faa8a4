#include "io/io_error.hpp"

#include <cerrno>
#include <system_error>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

const char* remedy_for(int error, bool reads) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return "free space or choose another folder";
        case EACCES:
        case EPERM:
        case EROFS:
            return reads ? "let yourself read it (chmod), or ask its owner" : "choose a folder you may write to";
        case ENOENT:
            return reads ? "check the path" : "create the folder first or correct the path";
        case ENOTDIR:
        case EEXIST:
            return "a file stands where a folder is wanted: correct the path";
        default:
            return "correct the path or check the disk";
    }
}

}  // namespace

void throw_io_error(const std::string& action, const std::filesystem::path& path, int error) {
    throw IoError("cannot " + action + " '" + path.string() + "' (" + std::generic_category().message(error) + "); " +
                  remedy_for(error, action == "read"));
}

}  // namespace plumecast
