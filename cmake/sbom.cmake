# Writes plumecast.spdx.json and plumecast.cdx.json, the software bill of materials of this build: what it links or takes
# headers from, with the version that was found and the licence; the second has the files of the page too. SPDX 2.3,
# https://spdx.github.io/spdx-spec/v2.3/, and CycloneDX 1.5, https://cyclonedx.org/docs/1.5/json/
if(PLUMECAST_APPS)
    find_package(CLI11 QUIET)
    find_package(spdlog QUIET)
endif()

set(PLUMECAST_SBOM_PACKAGES)
set(PLUMECAST_SBOM_RELATIONS)
set(PLUMECAST_SBOM_COMPONENTS)
set(PLUMECAST_SBOM_REFERENCES)

# One dependency: its name, version, licence as an SPDX expression, and home page.
function(plumecast_sbom_package name version licence home)
    set(facts "")
    if(version)
        string(APPEND facts ", \"version\": \"${version}\"")
    endif()
    if(NOT licence STREQUAL NOASSERTION)
        string(APPEND facts ", \"licenses\": [{\"expression\": \"${licence}\"}]")
    endif()
    string(CONFIGURE [[,
    {"bom-ref": "@name@", "type": "library", "name": "@name@"@facts@,
     "externalReferences": [{"type": "website", "url": "@home@"}]}]] component @ONLY)
    set(PLUMECAST_SBOM_COMPONENTS "${PLUMECAST_SBOM_COMPONENTS}${component}" PARENT_SCOPE)
    set(PLUMECAST_SBOM_REFERENCES "${PLUMECAST_SBOM_REFERENCES}, \"${name}\"" PARENT_SCOPE)
    if(NOT version)
        set(version NOASSERTION)
    endif()
    string(CONFIGURE [[,
    {"SPDXID": "SPDXRef-@name@", "name": "@name@", "versionInfo": "@version@", "downloadLocation": "NOASSERTION",
     "homepage": "@home@", "filesAnalyzed": false, "licenseConcluded": "@licence@", "licenseDeclared": "@licence@",
     "copyrightText": "NOASSERTION"}]] package @ONLY)
    string(CONFIGURE [[,
    {"spdxElementId": "SPDXRef-plumecast", "relationshipType": "DEPENDS_ON", "relatedSpdxElement": "SPDXRef-@name@"}]]
           relation @ONLY)
    set(PLUMECAST_SBOM_PACKAGES "${PLUMECAST_SBOM_PACKAGES}${package}" PARENT_SCOPE)
    set(PLUMECAST_SBOM_RELATIONS "${PLUMECAST_SBOM_RELATIONS}${relation}" PARENT_SCOPE)
endfunction()

plumecast_sbom_package(dnnl "${PLUMECAST_ONEDNN_VERSION}" Apache-2.0 https://github.com/uxlfoundation/oneDNN)
plumecast_sbom_package(HDF5 "${HDF5_VERSION}" BSD-3-Clause https://www.hdfgroup.org)
if(NOT ZLIB_VERSION)  # CMake before 3.26
    set(ZLIB_VERSION "${ZLIB_VERSION_STRING}")
endif()
plumecast_sbom_package(ZLIB "${ZLIB_VERSION}" Zlib https://zlib.net)
plumecast_sbom_package(OpenSSL "${OPENSSL_VERSION}" Apache-2.0 https://openssl.org)
plumecast_sbom_package(fmt "${fmt_VERSION}" MIT https://fmt.dev)
plumecast_sbom_package(nlohmann-json "${nlohmann_json_VERSION}" MIT https://json.nlohmann.me)
plumecast_sbom_package(Eigen "${Eigen3_VERSION}" MPL-2.0 https://eigen.tuxfamily.org)
plumecast_sbom_package(OpenMP "${OpenMP_CXX_VERSION}" "GPL-3.0-only WITH GCC-exception-3.1" https://gcc.gnu.org)
if(PLUMECAST_PICTURES)
    plumecast_sbom_package(cairo "${cairo_VERSION}" "LGPL-2.1-only OR MPL-1.1" https://www.cairographics.org)
endif()
if(PLUMECAST_APPS)
    plumecast_sbom_package(CLI11 "${CLI11_VERSION}" BSD-3-Clause https://github.com/CLIUtils/CLI11)
    plumecast_sbom_package(spdlog "${spdlog_VERSION}" MIT https://github.com/gabime/spdlog)
endif()
if(PLUMECAST_APPS AND PLUMECAST_HAS_SERVICE)
    plumecast_sbom_package(cpp-httplib "${cpp_httplib_VERSION}" MIT https://github.com/yhirose/cpp-httplib)
endif()
if(PLUMECAST_HAS_NLOPT)
    plumecast_sbom_package(NLopt "${nlopt_VERSION}" LGPL-2.1-or-later https://nlopt.readthedocs.io)
endif()
if(PLUMECAST_MPI)
    find_package(MPI QUIET COMPONENTS C)  # whose version is that of the standard it follows
    plumecast_sbom_package(MPI "${MPI_C_VERSION}" NOASSERTION https://www.mpi-forum.org)
endif()
if(PLUMECAST_CUDA)
    plumecast_sbom_package(CUDAToolkit "${CUDAToolkit_VERSION}" NOASSERTION https://developer.nvidia.com/cuda-toolkit)
    plumecast_sbom_package(cuDNN "" NOASSERTION https://developer.nvidia.com/cudnn)
endif()

# The page of the service is compiled in; a browser gets these files and no others.
set(PLUMECAST_SBOM_PAGE "")
if(PLUMECAST_APPS AND PLUMECAST_HAS_SERVICE)
    set(page_folder ${PROJECT_SOURCE_DIR}/src/service/page)
    file(GLOB_RECURSE page_files CONFIGURE_DEPENDS RELATIVE ${page_folder} ${page_folder}/*.html ${page_folder}/*.css ${page_folder}/*.js)
    foreach(file ${page_files})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_folder}/${file})
        file(SHA256 ${page_folder}/${file} hash)
        string(APPEND PLUMECAST_SBOM_PAGE ",\n    {\"type\": \"file\", \"name\": \"page/${file}\", "
                                          "\"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"${hash}\"}]}")
    endforeach()
endif()

configure_file(${CMAKE_CURRENT_LIST_DIR}/plumecast.spdx.json.in ${PROJECT_BINARY_DIR}/plumecast.spdx.json @ONLY)
string(REGEX REPLACE "^,\n *|^, " "" PLUMECAST_SBOM_COMPONENTS "${PLUMECAST_SBOM_COMPONENTS}")
string(REGEX REPLACE "^, " "" PLUMECAST_SBOM_REFERENCES "${PLUMECAST_SBOM_REFERENCES}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/plumecast.cdx.json.in ${PROJECT_BINARY_DIR}/plumecast.cdx.json @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plumecast.spdx.json ${PROJECT_BINARY_DIR}/plumecast.cdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR})
