# The target header_check compiles every public header alone, as C++ or, for `.h`, as C: each must include what it uses.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
     ${PROJECT_SOURCE_DIR}/include/*.hpp ${PROJECT_SOURCE_DIR}/include/*.h)
set(sources)
foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.h$" ".c" source ${header})
    string(REGEX REPLACE "\\.hpp$" ".cpp" source ${source})
    set(source ${PROJECT_BINARY_DIR}/header_check/${source})
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n")
    list(APPEND sources ${source})
endforeach()
add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
target_include_directories(header_check PRIVATE ${PROJECT_SOURCE_DIR}/include)
