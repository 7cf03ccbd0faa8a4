# Installs library, headers and the CMake package that find_package(plumecast) reads.
include(CMakePackageConfigHelpers)

set(PLUMECAST_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/plumecast)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/plumecast-config.cmake.in
                              ${PROJECT_BINARY_DIR}/plumecast-config.cmake
                              INSTALL_DESTINATION ${PLUMECAST_PACKAGE_FOLDER})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/plumecast-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS ${PLUMECAST_LIBRARIES} plumecast_c EXPORT plumecast-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/plumecast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# plumecast.f90 is a source: what Fortran compilers make of a module differs from one to the next.
install(FILES ${PROJECT_SOURCE_DIR}/include/plumecast.h ${PROJECT_SOURCE_DIR}/include/plumecast.f90
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# From where it lies, so that the prefix given to `cmake --install` counts, and that the whole folder may be moved.
file(RELATIVE_PATH PLUMECAST_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/plumecast.pc.in ${PROJECT_BINARY_DIR}/plumecast.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plumecast.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(EXPORT plumecast-targets NAMESPACE plumecast:: DESTINATION ${PLUMECAST_PACKAGE_FOLDER})
install(FILES ${PROJECT_BINARY_DIR}/plumecast-config.cmake ${PROJECT_BINARY_DIR}/plumecast-config-version.cmake
        DESTINATION ${PLUMECAST_PACKAGE_FOLDER})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/workflow/ert/jobs DESTINATION ${CMAKE_INSTALL_DATADIR}/plumecast/ert)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/docs/workflow/ert/write_case.py ${PROJECT_SOURCE_DIR}/docs/workflow/ert/observe_case.py
        DESTINATION ${CMAKE_INSTALL_DATADIR}/plumecast/ert)
# The executable looks for models in share/plumecast/models beside its own folder.
set(PLUMECAST_SHARE ${CMAKE_INSTALL_DATADIR}/plumecast)
# Named one by one: beside data lie the caches of runs, which belong to whoever ran them.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${PLUMECAST_SHARE}
        FILES_MATCHING PATTERN "*.json" PATTERN "README.md" PATTERN "fields.safetensors")
install(FILES ${PROJECT_SOURCE_DIR}/data/README.md ${PROJECT_SOURCE_DIR}/data/box_sample.h5 ${PROJECT_SOURCE_DIR}/data/radial_sample.h5
              ${PROJECT_SOURCE_DIR}/data/radial_schedules.h5
        DESTINATION ${PLUMECAST_SHARE}/data)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/convert/convert_checkpoint.py ${PROJECT_SOURCE_DIR}/scripts/convert/convert_tensors.py
        DESTINATION ${CMAKE_INSTALL_DATADIR}/plumecast/scripts/convert)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "__pycache__" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
