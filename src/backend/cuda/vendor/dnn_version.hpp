#pragma once

#include <cstddef>
#include <string>

namespace plumecast::cuda {

/// A version of cuDNN and what is known to be wrong with its convolutions over three axes.
struct DnnVersion {
    std::size_t number = 0;  ///< as cudnnGetVersion() says it: 91002 is 9.10.2

    /// From 9.8 until 9.15, results of large bfloat16 fields are wrong or come very slowly (PyTorch issues 163539 and
    /// 166122).
    constexpr bool convolves_bfloat16() const { return number < 90800 || number >= 91500; }
    /// From 9.10.2 to 9.15, a TF32 kernel is broken for cases that nobody has listed (PyTorch pull request 167024).
    constexpr bool convolves_tf32() const { return number < 91002 || number >= 91600; }

    /// "cuDNN 9.10.2", and what is done about its mistakes.
    std::string text() const {
        std::string result = "cuDNN " + std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) +
                             "." + std::to_string(number % 100);
        if (!convolves_bfloat16()) {
            result += " (not for bfloat16, which it convolves wrongly; install 9.16 or newer)";
        } else if (!convolves_tf32()) {
            result += " (not in TF32, which it convolves wrongly; install 9.16 or newer)";
        }
        return result;
    }
};

}  // namespace plumecast::cuda
