/* Declarations that a C library older than 2.28 lacks; included before each source. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((visibility("hidden"))) int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                                                    unsigned int flags);
#ifdef __cplusplus
}
#endif

#define RENAME_EXCHANGE (1 << 1)
