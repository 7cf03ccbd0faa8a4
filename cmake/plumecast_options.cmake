# Compile options shared by every target of the project.
function(plumecast_compile_options target)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor>
        # Not -Wpedantic: nvcc hands the host compiler line marks that it would warn of.
        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow,-Wconversion>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
        # False alarms on "text" + std::string in optimised builds (GCC bug 105651).
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
    endif()
    # GCC counts this as a warning of its own, not as one of -Wconversion.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-sign-conversion>)
    if(PLUMECAST_WARNINGS_AS_ERRORS)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>
                                                 $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
    endif()
    if(PLUMECAST_HARDENING AND NOT PLUMECAST_SANITIZERS AND NOT PLUMECAST_THREAD_SANITIZER)
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>
            $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<CONFIG:Release>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
        target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now)
    endif()
    if(PLUMECAST_SANITIZERS)
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer>
            # Reports need function and line; the other debug information costs more than a tenth of the compilation.
            $<$<COMPILE_LANGUAGE:C,CXX>:-g1>)
        target_link_options(${target} PUBLIC -fsanitize=address,undefined)
    elseif(PLUMECAST_THREAD_SANITIZER)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=thread -g1 -Og>)
        target_link_options(${target} PUBLIC -fsanitize=thread)
    endif()
endfunction()

# For targets whose loops the tests wait for: compiled a little longer with sanitizers, run several times as fast.
function(plumecast_optimise_with_sanitizers target)
    if(PLUMECAST_SANITIZERS)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-O1>)
    endif()
endfunction()

# For targets whose own loops nobody waits for, in Release: compiled in little more than half the time of -O3.
function(plumecast_optimise_little target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()

# Sources of a module, in groups that are compiled as one source each (a unity build): most of the time goes into headers.
# Unnamed namespaces of a group are one, so names in them are unique within a module.
function(plumecast_sources target)
    target_sources(${target} PRIVATE ${ARGN})
    if(NOT PLUMECAST_UNITY_BUILD)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    file(RELATIVE_PATH module ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE / _ module ${module})
    set(count 0)
    foreach(source IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        math(EXPR group "${count} / ${PLUMECAST_UNITY_GROUP}")
        set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${module}_${group})
        math(EXPR count "${count} + 1")
    endforeach()
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
