# Compile options shared by every target of the project.
function(plumecast_compile_options target)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor>
        # Not -Wpedantic: nvcc hands the host compiler line marks that it would warn of.
        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow,-Wconversion>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
        # False alarms on "text" + std::string in optimised builds (GCC bug 105651).
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
        if(PLUMECAST_PRECOMPILED_HEADERS)
            # The same, since code of precompiled headers does not count as that of the system; builds without them warn.
            target_compile_options(${target} PRIVATE
                                   $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds>)
        endif()
    endif()
    if(PLUMECAST_WARNINGS_AS_ERRORS)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>
                                                 $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
    endif()
    if(PLUMECAST_SANITIZERS)
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer>
            # Reports need function and line; the other debug information costs more than a tenth of the compilation.
            $<$<COMPILE_LANGUAGE:C,CXX>:-g1>)
        target_link_options(${target} PUBLIC -fsanitize=address,undefined)
    endif()
endfunction()

# For targets whose loops the tests wait for: compiled a little longer with sanitizers, run several times as fast.
function(plumecast_optimise_with_sanitizers target)
    if(PLUMECAST_SANITIZERS)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-O1>)
    endif()
endfunction()

# Else ccache does not know what a source includes (manual of ccache, "Precompiled headers").
function(plumecast_let_ccache_see_headers target)
    if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
    endif()
endfunction()

# Headers of the standard library, and those named, that most sources of a target include. Sources include what they
# use all the same: a build without PLUMECAST_PRECOMPILED_HEADERS holds them to that.
function(plumecast_precompile_headers target)
    if(NOT PLUMECAST_PRECOMPILED_HEADERS)
        return()
    endif()
    set(headers)
    foreach(header algorithm array cmath cstdint filesystem functional map memory optional span string string_view
                   utility vector ${ARGN})
        list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
    endforeach()
    target_precompile_headers(${target} PRIVATE ${headers})
    plumecast_let_ccache_see_headers(${target})
endfunction()

# Those of another target, which has the same compile options.
function(plumecast_reuse_precompiled_headers target other)
    if(PLUMECAST_PRECOMPILED_HEADERS)
        target_precompile_headers(${target} REUSE_FROM ${other})
        plumecast_let_ccache_see_headers(${target})
    endif()
endfunction()

# One of the libraries: plumecast_NAME, or NAME alone for plumecast, as plumecast::NAME. USES names others of them, whose
# headers show in its own; LINKS is what its sources use besides.
set(PLUMECAST_LIBRARIES)
function(plumecast_library name)
    cmake_parse_arguments(LIBRARY "" "" "USES;LINKS" ${ARGN})
    set(target plumecast_${name})
    if(name STREQUAL plumecast)
        set(target plumecast)
    endif()
    add_library(${target})
    add_library(plumecast::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                         PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_features(${target} PUBLIC cxx_std_20)
    list(TRANSFORM LIBRARY_USES PREPEND plumecast_)
    target_link_libraries(${target} PUBLIC ${LIBRARY_USES} PRIVATE ${LIBRARY_LINKS})
    plumecast_compile_options(${target})
    plumecast_optimise_with_sanitizers(${target})
    set(PLUMECAST_LIBRARIES ${PLUMECAST_LIBRARIES} ${target} PARENT_SCOPE)
endfunction()
