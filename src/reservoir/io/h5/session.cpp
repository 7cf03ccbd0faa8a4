#include "reservoir/io/h5/session.hpp"

namespace plumecast::h5 {
namespace {

// One lock for the process, because the library it guards has one state for the process.
std::recursive_mutex& library_lock() {
    static std::recursive_mutex lock;
    return lock;
}

/// The library runs its own clean-up at the end of the process and complains on standard error of buffers that it lost
/// itself while it read a damaged file ("infinite loop closing library"; HDF5 1.10 loses them in its free lists, no
/// object is left open). Made after the library and so destroyed before that clean-up, which is then silent.
class SilentEnd {
   public:
    SilentEnd() { H5open(); }
    ~SilentEnd() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }
    SilentEnd(const SilentEnd&) = delete;
    SilentEnd& operator=(const SilentEnd&) = delete;
};

herr_t take_first(unsigned, const H5E_error2_t* error, void* target) {
    auto& text = *static_cast<std::string*>(target);
    if (error->desc != nullptr) {
        text = error->desc;
    }
    return text.empty() ? 0 : 1;
}

}  // namespace

Session::Session() : lock_(library_lock()) {
    static const SilentEnd end;
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

std::string innermost_message() {
    std::string text;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
    return text;
}

}  // namespace plumecast::h5
