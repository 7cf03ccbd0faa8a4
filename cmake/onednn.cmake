# Finds oneDNN 2.6 or newer, 2.x or 3.x, as the target DNNL::dnnl, and sets PLUMECAST_ONEDNN_MAJOR and
# PLUMECAST_ONEDNN_VERSION. The header decides: a package's version file may speak of another package.
find_package(dnnl CONFIG REQUIRED)

function(plumecast_onednn_version)
    get_target_property(folders DNNL::dnnl INTERFACE_INCLUDE_DIRECTORIES)
    find_file(PLUMECAST_ONEDNN_HEADER oneapi/dnnl/dnnl_version.h HINTS ${folders} REQUIRED)
    mark_as_advanced(PLUMECAST_ONEDNN_HEADER)
    file(STRINGS ${PLUMECAST_ONEDNN_HEADER} lines REGEX "define DNNL_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
    foreach(part MAJOR MINOR PATCH)
        string(REGEX MATCH "DNNL_VERSION_${part} +([0-9]+)" found "${lines}")
        set(${part} ${CMAKE_MATCH_1})
    endforeach()
    set(PLUMECAST_ONEDNN_MAJOR ${MAJOR} PARENT_SCOPE)
    set(PLUMECAST_ONEDNN_VERSION ${MAJOR}.${MINOR}.${PATCH} PARENT_SCOPE)
endfunction()

plumecast_onednn_version()
if(PLUMECAST_ONEDNN_VERSION VERSION_LESS 2.6 OR PLUMECAST_ONEDNN_MAJOR GREATER 3)
    message(FATAL_ERROR "oneDNN ${PLUMECAST_ONEDNN_VERSION} cannot be used (its interface differs); "
                        "install a version from 2.6 to 3.x, on Debian the package libdnnl-dev")
endif()
