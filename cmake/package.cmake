# `cpack` makes a Debian package of what is installed: library, headers, executable, models, manual and completion.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plumecast)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# Whoever hands packages on puts the address here under which they are reached.
set(PLUMECAST_MAINTAINER "The authors of Plumecast <plumecast@example.org>" CACHE STRING "Name and address in packages")
mark_as_advanced(PLUMECAST_MAINTAINER)
set(CPACK_PACKAGE_CONTACT ${PLUMECAST_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Predicts where injected CO2 goes and how the pressure rises,\nby reduced physics and neural operators.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)  # other types take ten times as long for a tenth of the size
# The packages of the shared libraries that executable and libraries need, as dpkg-shlibdeps finds them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# A static library leaves linking to its users, who need the headers of these too.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libdnnl-dev, libhdf5-dev, libssl-dev, zlib1g-dev, libfmt-dev, libcairo2-dev, libnlopt-dev, bash-completion")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)  # ldconfig
# The converters of checkpoints and the job of ERT are programs in Python; the latter reads and writes HDF5.
set(CPACK_DEBIAN_PACKAGE_DEPENDS python3)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-h5py, python3-numpy")
# What Debian's policy asks of a package beside the files that are installed everywhere.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_documents.cmake)
include(CPack)
