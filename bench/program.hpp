#pragma once

#include <cstdio>
#include <exception>

namespace plumecast::bench {

/// Runs a program's body; an exception becomes one line on the error stream and exit status 1.
inline int guarded(int (*body)(int, char**), int argc, char** argv) {
    try {
        return body(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}

}  // namespace plumecast::bench
