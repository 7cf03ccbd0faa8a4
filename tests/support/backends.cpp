#include "support/backends.hpp"

#include "support/oracle_backend.hpp"

namespace plumecast::testing {

std::vector<BackendChoice> backends() {
    return {{"cpu_1_thread", "", [] { return make_cpu_backend(1); }},
            {"cpu_2_threads", "", [] { return make_cpu_backend(2); }}};
}

std::vector<BackendChoice> backends_and_oracle() {
    std::vector<BackendChoice> all = backends();
    all.push_back({"oracle", "", [] { return make_oracle_backend(); }});
    return all;
}

void PrintTo(const BackendChoice& choice, std::ostream* out) { *out << choice.name; }

std::string choice_name(const ::testing::TestParamInfo<BackendChoice>& choice) { return choice.param.name; }

}  // namespace plumecast::testing
