#pragma once

namespace plumecast::cuda {

/// Files of the libraries whose headers this was built with: the versions of a toolkit 12.x and 13 differ.
extern const char* const blas_library;
extern const char* const dnn_library;
extern const char* const fft_library;

/// Where the libraries lay when this was built, separated by colons.
const char* toolkit_folders();

/// A shared library opened at run time, so that programs also start on machines that lack it. Looked for where the
/// system looks, in the folders of PLUMECAST_CUDA_LIBRARIES (separated by colons), and in toolkit_folders().
class Library {
   public:
    /// Throws DeviceError naming the file when it cannot be opened.
    explicit Library(const char* file);
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library();

    /// Sets a pointer to the function of a name. Throws DeviceError when the library has none.
    template <class Function>
    void bind(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(symbol(name));
    }

   private:
    void* symbol(const char* name) const;

    const char* file_;
    void* handle_ = nullptr;
};

}  // namespace plumecast::cuda
