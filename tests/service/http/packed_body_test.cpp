#include "service/http/packed_body.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace plumecast::service {
namespace {

std::string unpacked(std::string body, std::size_t size) {
    std::string text(size + 1, '\0');
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(body.data());
    stream.avail_in = static_cast<uInt>(body.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return text;
}

std::string numbers(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += std::to_string(static_cast<double>(i) * 0.37) + ",";
    }
    return text;
}

TEST(ReadsGzip, AsTheHeaderSays) {
    for (const char* accepted :
         {"gzip", "br, gzip", "GZIP;q=0.5, br", "deflate, x-gzip", "*", "*;q=0.1", " gzip ; q=1"}) {
        EXPECT_TRUE(reads_gzip(accepted)) << accepted;
    }
    for (const char* accepted : {"", "br", "identity", "gzip;q=0", "br, gzip; q=0.0, *", "*;q=0", "gzipped", ",;,"}) {
        EXPECT_FALSE(reads_gzip(accepted)) << accepted;
    }
}

TEST(PackedBody, IsTheSameTextUnpackedAndSaysSo) {
    const std::string text = numbers(5000);
    for (const char* type : {"application/json", "text/html; charset=utf-8", "image/svg+xml"}) {
        Response response{200, type, text, {{"Cache-Control", "no-store"}}};
        const Response found = as_read(response, "gzip");
        EXPECT_LT(found.body.size(), text.size() / 2) << type;
        EXPECT_EQ(unpacked(found.body, text.size()), text) << type;
        EXPECT_EQ(found.headers.at("Content-Encoding"), "gzip");
        EXPECT_EQ(found.headers.at("Vary"), "Accept-Encoding");
        EXPECT_EQ(found.headers.at("Cache-Control"), "no-store");
    }
}

TEST(PackedBody, IsNotPackedForOthersWhichCachesKnow) {
    const Response response{200, "application/json", numbers(5000)};
    const Response found = as_read(response, "br");
    EXPECT_EQ(found.body, response.body);
    EXPECT_EQ(found.headers, (std::map<std::string, std::string>{{"Vary", "Accept-Encoding"}}));
}

TEST(PackedBody, IsLeftAsItIsWhereItIsSmallOrNoTextOrToldInParts) {
    const std::string text = numbers(5000);
    for (const Response& response :
         {Response{200, "application/json", "{}"}, Response{200, "application/x-hdf5", text}}) {
        const Response found = as_read(response, "gzip");
        EXPECT_EQ(found.body, response.body);
        EXPECT_TRUE(found.headers.empty());
    }
    Response told{200, "text/event-stream", "", {}, [] { return std::string(); }};
    EXPECT_TRUE(as_read(told, "gzip").headers.empty());
}

}  // namespace
}  // namespace plumecast::service
