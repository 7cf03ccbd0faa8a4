#pragma once

#include <utility>

#include <hdf5.h>

namespace plumecast::h5 {

/// Owns one HDF5 identifier; closing is the type's own close function.
class Handle {
   public:
    using Close = herr_t (*)(hid_t);

    Handle() = default;
    Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
    Handle(Handle&& other) noexcept { swap(other); }
    Handle& operator=(Handle&& other) noexcept {
        Handle(std::move(other)).swap(*this);
        return *this;
    }
    ~Handle();

    hid_t get() const { return id_; }
    /// Closes now; false when the library refused.
    bool close();
    /// Gives the identifier to the caller, who closes it.
    hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }

   private:
    void swap(Handle& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
    }

    hid_t id_ = H5I_INVALID_HID;
    Close close_ = nullptr;
};

}  // namespace plumecast::h5
