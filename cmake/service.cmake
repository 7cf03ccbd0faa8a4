# cpp-httplib (MIT), which the service alone needs; PLUMECAST_HAS_SERVICE says whether it is there.
set(PLUMECAST_HAS_SERVICE OFF)
if(PLUMECAST_SERVICE AND (PLUMECAST_APPS OR PLUMECAST_TESTS))
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(cpp_httplib QUIET IMPORTED_TARGET cpp-httplib)
    endif()
    if(NOT cpp_httplib_FOUND)
        message(STATUS "cpp-httplib is not there: plumecast serve is left out")
    else()
        # The service answers on streams and threads of its own, whose interfaces later releases changed.
        include(CheckCXXSourceCompiles)
        set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
        set(CMAKE_REQUIRED_LIBRARIES PkgConfig::cpp_httplib)
        check_cxx_source_compiles("
            #include <httplib.h>
            struct Pool : httplib::TaskQueue {
                void enqueue(std::function<void()>) override {}
                void shutdown() override {}
            };
            struct Listener : httplib::Server {
                bool process_and_close_socket(socket_t) override { return false; }
                bool answer(httplib::Stream& stream) {
                    bool is_closed = false;
                    return stream.is_writable() && process_request(stream, true, is_closed, [](httplib::Request& request) {
                        request.progress = [](std::uint64_t, std::uint64_t) { return true; };
                    });
                }
            };" PLUMECAST_KNOWS_HTTPLIB)
        unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
        unset(CMAKE_REQUIRED_LIBRARIES)
        if(PLUMECAST_KNOWS_HTTPLIB)
            set(PLUMECAST_HAS_SERVICE ON)
        else()
            message(STATUS "cpp-httplib ${cpp_httplib_VERSION} has other interfaces than 0.11, which is known: plumecast serve is left out")
        endif()
    endif()
endif()

# TLS of the service, for which OpenSSL has a library more; PLUMECAST_HAS_TLS says whether it is there.
set(PLUMECAST_HAS_TLS OFF)
if(PLUMECAST_HAS_SERVICE AND PLUMECAST_TLS)
    if(TARGET OpenSSL::SSL)
        set(PLUMECAST_HAS_TLS ON)
    else()
        message(STATUS "OpenSSL's libssl is not there: plumecast serve does not encrypt")
    endif()
endif()
