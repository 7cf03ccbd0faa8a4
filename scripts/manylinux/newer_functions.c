/* What the engine and the compiler's static C++ library take of a C library newer than 2.27. */
#define _GNU_SOURCE
#include "newer_functions.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned int flags) {
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

/* Reference counts stay atomic, as they are where threads may run. */
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;

/* Of std::random_device. */
__attribute__((visibility("hidden"))) uint32_t arc4random(void) {
    uint32_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) {
        abort();
    }
    return number;
}
