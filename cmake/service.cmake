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
        # The service answers on streams and threads of its own, whose interfaces other releases may change again.
        include(CheckCXXSourceCompiles)
        set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
        set(CMAKE_REQUIRED_LIBRARIES PkgConfig::cpp_httplib)
        set(CMAKE_REQUIRED_INCLUDES ${PROJECT_SOURCE_DIR}/src)
        check_cxx_source_compiles("
            #include <service/http/library_interfaces.hpp>
            using namespace plumecast::service;
            struct Pool : httplib::TaskQueue {
                Enqueued enqueue(std::function<void()>) override { return Enqueued(); }
                void shutdown() override {}
            };
            struct Plain : ReadyStream<httplib::Stream> {
                ssize_t read(char*, size_t) override { return 0; }
                ssize_t write(const char*, size_t) override { return 0; }
                void get_remote_ip_and_port(std::string&, int&) const override {}
                void get_local_ip_and_port(std::string&, int&) const override {}
                socket_t socket() const override { return 0; }
            };
            struct Listener : httplib::Server {
                bool process_and_close_socket(socket_t) override {
                    Plain stream;
                    return answer_only_request(stream, [](httplib::Request& request) {
                        progress_of(request) = [](auto, auto) { return true; };
                    }, [this](auto&&... arguments) -> decltype(process_request(arguments...)) { return process_request(arguments...); });
                }
            };" PLUMECAST_KNOWS_HTTPLIB)
        unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
        unset(CMAKE_REQUIRED_LIBRARIES)
        unset(CMAKE_REQUIRED_INCLUDES)
        if(PLUMECAST_KNOWS_HTTPLIB)
            set(PLUMECAST_HAS_SERVICE ON)
        else()
            message(STATUS "cpp-httplib ${cpp_httplib_VERSION} has other interfaces than 0.11 to 0.41, which are known: plumecast serve is left out")
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
