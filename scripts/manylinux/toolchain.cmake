# Compiles with this system's compiler over the C library in the folder PLUMECAST_SYSROOT, and links nothing from outside that
# folder but what belongs to the compiler.
set(CMAKE_SYSROOT $ENV{PLUMECAST_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(HDF5_USE_STATIC_LIBRARIES ON)
set(OPENSSL_USE_STATIC_LIBS ON)
set(libraries ${CMAKE_SYSROOT}/usr/lib/x86_64-linux-gnu)
set(CMAKE_C_FLAGS_INIT "-B${libraries}")
set(CMAKE_CXX_FLAGS_INIT "-B${libraries} -isystem ${CMAKE_SYSROOT}/usr/local/c++ -include ${CMAKE_CURRENT_LIST_DIR}/newer_functions.h")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-static-libstdc++ -Wl,--exclude-libs,ALL ${CMAKE_SYSROOT}/usr/local/newer_functions.o")
endforeach()
set(CMAKE_CXX_STANDARD_LIBRARIES "-lpthread -ldl")
