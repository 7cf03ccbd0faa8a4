#include "service/http/packed_body.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include <zlib.h>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"

namespace plumecast::service {
namespace {

constexpr std::size_t least_size = 1024;  // bytes of a body
constexpr int window_of_gzip = 15 + 16;   // zlib's number for its largest window, with the header of gzip
constexpr int memory_level = 8;           // zlib's usual one

/// Cuts a text at the first separator, which goes too: what stands before it, without spaces about it.
std::string_view next_part(std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto begin = part.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view()
                                           : part.substr(begin, part.find_last_not_of(" \t") - begin + 1);
}

/// Whether the parameters of a coding exclude it: "q=0".
bool is_excluded(std::string_view parameters) {
    while (!parameters.empty()) {
        const std::string_view one = next_part(parameters, ';');
        double quality = 1.0;
        if (lower(std::string(one.substr(0, 2))) == "q=") {
            std::from_chars(one.data() + 2, one.data() + one.size(), quality);
        }
        if (quality == 0.0) {
            return true;
        }
    }
    return false;
}

bool is_text(std::string_view type) {
    return type.starts_with("text/") || type.starts_with("application/json") ||
           type.starts_with("application/problem") || type.starts_with("image/svg");
}

/// Whether the body is worth packing, and zlib counts it.
bool is_packable(const Response& response) {
    return !response.next_part && response.body.size() >= least_size &&
           response.body.size() <= std::numeric_limits<uInt>::max() / 2 && is_text(response.type);
}

std::string packed(std::string& text) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window_of_gzip, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string body;
    try {
        body.resize(deflateBound(&stream, text.size()));
    } catch (...) {
        deflateEnd(&stream);
        throw;
    }
    stream.next_in = reinterpret_cast<Bytef*>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(body.data());
    stream.avail_out = static_cast<uInt>(body.size());
    const int status = deflate(&stream, Z_FINISH);
    body.resize(stream.total_out);
    deflateEnd(&stream);
    expects(status == Z_STREAM_END, "a body that zlib packs at once");
    return body;
}

}  // namespace

bool reads_gzip(std::string_view accepted) {
    bool reads_any = false;
    while (!accepted.empty()) {
        std::string_view parameters = next_part(accepted, ',');
        const std::string coding = lower(std::string(next_part(parameters, ';')));
        if (coding == "gzip" || coding == "x-gzip") {
            return !is_excluded(parameters);
        }
        reads_any = reads_any || (coding == "*" && !is_excluded(parameters));
    }
    return reads_any;
}

Response as_read(Response response, std::string_view accepted) {
    if (!is_packable(response)) {
        return response;
    }
    response.headers["Vary"] = "Accept-Encoding";
    if (reads_gzip(accepted)) {
        response.body = packed(response.body);
        response.headers["Content-Encoding"] = "gzip";
    }
    return response;
}

}  // namespace plumecast::service
