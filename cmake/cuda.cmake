# Enables the CUDA backend: compiler, toolkit and the headers of cuDNN 9. Machine code for the architectures named by
# CMAKE_CUDA_ARCHITECTURES, and for newer ones an intermediate form that the driver compiles.
if(IS_ABSOLUTE "${CMAKE_CUDA_COMPILER}" AND NOT DEFINED CUDAToolkit_ROOT)
    # Else headers and libraries would be those in the usual place, with the compiler of another toolkit.
    file(REAL_PATH ${CMAKE_CUDA_COMPILER} compiler)
    cmake_path(GET compiler PARENT_PATH programs)
    cmake_path(GET programs PARENT_PATH CUDAToolkit_ROOT)
endif()
find_package(CUDAToolkit REQUIRED)
if(CUDAToolkit_VERSION VERSION_LESS 12.4 OR CUDAToolkit_VERSION VERSION_GREATER_EQUAL 14)
    message(FATAL_ERROR "CUDA ${CUDAToolkit_VERSION} cannot be used (the backend knows the libraries of 12.4 to 13); "
                        "install one of these or build without PLUMECAST_CUDA")
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(CUDAToolkit_VERSION VERSION_LESS 12.8)
        # The intermediate form of 90 is for all that is newer.
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    else()
        # Machine code of 10.0 is not for 12.0, nor the other way round.
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100-real 120)
    endif()
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

# Libraries are opened under the names that go with the headers.
function(plumecast_library_version header name result)
    find_file(found ${header} HINTS ${CUDAToolkit_INCLUDE_DIRS} NO_CACHE REQUIRED)
    file(STRINGS ${found} line REGEX "define ${name} +[0-9]+")
    string(REGEX MATCH "[0-9]+$" version "${line}")
    set(${result} ${version} PARENT_SCOPE)
endfunction()
plumecast_library_version(cublas_api.h CUBLAS_VER_MAJOR PLUMECAST_CUBLAS_VERSION)
plumecast_library_version(cufft.h CUFFT_VER_MAJOR PLUMECAST_CUFFT_VERSION)

find_path(PLUMECAST_CUDNN_INCLUDE_DIR cudnn_version.h HINTS ${CUDAToolkit_INCLUDE_DIRS} REQUIRED)
mark_as_advanced(PLUMECAST_CUDNN_INCLUDE_DIR)
file(STRINGS ${PLUMECAST_CUDNN_INCLUDE_DIR}/cudnn_version.h line REGEX "define CUDNN_MAJOR +[0-9]+")
string(REGEX MATCH "[0-9]+" major "${line}")
if(NOT major EQUAL 9)
    message(FATAL_ERROR "cuDNN ${major} cannot be used (the backend opens cuDNN 9); install cuDNN 9")
endif()
set(PLUMECAST_CUDA_FOLDERS ${CUDAToolkit_LIBRARY_DIR})
