#include "reservoir/h5/session.hpp"

#include <algorithm>
#include <new>
#include <utility>

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

struct ToldMessage {
    std::string text;
    bool is_lack_of_memory = false;
    std::exception_ptr failure;
};

herr_t take_first(unsigned, const H5E_error2_t* error, void* target) {
    auto& told = *static_cast<ToldMessage*>(target);
    told.is_lack_of_memory = error->maj_num == H5E_RESOURCE && error->min_num == H5E_NOSPACE;
    const herr_t status = called_back(told.failure, [&] { told.text = error->desc != nullptr ? error->desc : ""; });
    return told.text.empty() ? status : 1;
}

void throw_if(const std::exception_ptr& failure) {
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace

Session::Session() : lock_(library_lock()) {
    static const SilentEnd end;
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

std::string innermost_message() {
    ToldMessage told;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &told);
    throw_if(told.failure);
    if (told.is_lack_of_memory) {
        throw std::bad_alloc();
    }
    // HDF5 1.14 keeps to itself which filter it was.
    return told.text == "filter returned failure during read" ? failed_filter : told.text;
}

std::vector<std::string> ToldNames::sorted() && {
    throw_if(failure);
    std::ranges::sort(names);
    return std::move(names);
}

}  // namespace plumecast::h5
