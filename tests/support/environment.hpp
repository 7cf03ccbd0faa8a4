#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace plumecast::testing {

/// Sets a variable of the environment for the time of a test.
class EnvironmentScope {
   public:
    EnvironmentScope(const char* name, const char* value) : name_(name) {
        const char* before = std::getenv(name);
        before_ = before != nullptr ? std::optional<std::string>(before) : std::nullopt;
        setenv(name, value, 1);
    }
    EnvironmentScope(const EnvironmentScope&) = delete;
    EnvironmentScope& operator=(const EnvironmentScope&) = delete;
    ~EnvironmentScope() { before_ ? setenv(name_.c_str(), before_->c_str(), 1) : unsetenv(name_.c_str()); }

   private:
    std::string name_;
    std::optional<std::string> before_;
};

}  // namespace plumecast::testing
