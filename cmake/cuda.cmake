# Enables the CUDA backend: compiler, toolkit and the headers of cuDNN 9. Machine code for the architectures named by
# CMAKE_CUDA_ARCHITECTURES, and for newer ones an intermediate form that the driver compiles.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # The intermediate form of 90 is for 10.x, which takes neither machine code of 9.x nor what 12.0 may use.
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90 120)
endif()
enable_language(CUDA)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    # CMake before 3.25.2 does not know that nvcc takes C++20.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
find_package(CUDAToolkit REQUIRED)
if(NOT CUDAToolkit_VERSION_MAJOR EQUAL 13)
    message(FATAL_ERROR "CUDA ${CUDAToolkit_VERSION} cannot be used (the backend opens the libraries of CUDA 13); "
                        "install CUDA 13 or build without PLUMECAST_CUDA")
endif()

find_path(PLUMECAST_CUDNN_INCLUDE_DIR cudnn_version.h HINTS ${CUDAToolkit_INCLUDE_DIRS} REQUIRED)
mark_as_advanced(PLUMECAST_CUDNN_INCLUDE_DIR)
file(STRINGS ${PLUMECAST_CUDNN_INCLUDE_DIR}/cudnn_version.h line REGEX "define CUDNN_MAJOR +[0-9]+")
string(REGEX MATCH "[0-9]+" major "${line}")
if(NOT major EQUAL 9)
    message(FATAL_ERROR "cuDNN ${major} cannot be used (the backend opens cuDNN 9); install cuDNN 9")
endif()
set(PLUMECAST_CUDA_FOLDERS ${CUDAToolkit_LIBRARY_DIR})
