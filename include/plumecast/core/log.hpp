#pragma once

#include <functional>
#include <string_view>

namespace plumecast {

enum class Severity { info, warning };

/// Receives the library's messages; the library itself never prints. Passed to whoever may have something to say.
using LogSink = std::function<void(Severity, std::string_view)>;

}  // namespace plumecast
