# The target header_check compiles public headers alone, as C++ or, for `.h`, as C: each must include what it uses. A header
# that its own source (src/NAME.cpp of include/plumecast/NAME.hpp) includes before anything else is left out: that source compiles
# it alone where sources are compiled one by one. scripts/ci/check_alone.py reads both kinds.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
     ${PROJECT_SOURCE_DIR}/include/*.hpp ${PROJECT_SOURCE_DIR}/include/*.h)
set(sources)
foreach(header IN LISTS headers)
    string(REGEX REPLACE "^plumecast/(.*)\\.hpp$" "${PROJECT_SOURCE_DIR}/src/\\1.cpp" own ${header})
    if(EXISTS ${own} AND header MATCHES "\\.hpp$")
        file(STRINGS ${own} includes REGEX "^#")
        list(GET includes 0 first)
        if(first STREQUAL "#include <${header}>")
            continue()
        endif()
    endif()
    string(REGEX REPLACE "\\.h$" ".c" source ${header})
    string(REGEX REPLACE "\\.hpp$" ".cpp" source ${source})
    set(source ${PROJECT_BINARY_DIR}/header_check/${source})
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n")
    list(APPEND sources ${source})
endforeach()
add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
target_include_directories(header_check PRIVATE ${PROJECT_SOURCE_DIR}/include)
