// What a developer writes first whose project has Plumecast as a part of it (add_subdirectory).
#include <cstdio>

#include <plumecast/core/json.hpp>
#include <plumecast/core/shape.hpp>
#include <plumecast/core/version.hpp>

int main() {
    const plumecast::Shape shape{2, 3, 4};
    const plumecast::Json json = plumecast::Json::parse(R"({"width": 32})", "consumer");
    const bool right = shape.count() == 24 && json.find("width") != nullptr && !plumecast::version().empty();
    std::printf("plumecast %s: %s\n", plumecast::build_info().version.c_str(), right ? "usable" : "wrong");
    return right ? 0 : 1;
}
