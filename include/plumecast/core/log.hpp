#pragma once

#include <functional>
#include <string_view>

namespace plumecast {

/// Whether a message is good to know or a reason to look again.
enum class Severity { info, warning };

/// Receives the library's messages; the library itself never prints. Passed to whoever may have something to say.
using LogSink = std::function<void(Severity, std::string_view)>;

}  // namespace plumecast
