#include "io/foreign_format.hpp"

#include <array>

namespace plumecast {
namespace {

using namespace std::string_view_literals;

struct KnownStart {
    std::string_view start;
    ForeignFormat format;
};

constexpr std::string_view fetch_the_file = "fetch the file itself";
constexpr std::array<KnownStart, 9> known_starts = {{
    {"\x1f\x8b"sv, {"compressed with gzip", "unpack it with 'gunzip'"}},
    {"\x28\xb5\x2f\xfd"sv, {"compressed with zstd", "unpack it with 'unzstd'"}},
    {"\xfd\x37zXZ"sv, {"compressed with xz", "unpack it with 'unxz'"}},
    {"BZh"sv, {"compressed with bzip2", "unpack it with 'bunzip2'"}},
    {"version https://git-lfs"sv, {"a pointer of Git LFS, not the file", "fetch the file itself with 'git lfs pull'"}},
    {"<!DOCTYPE"sv, {"a web page, as a failed download leaves it", fetch_the_file}},
    {"<!doctype"sv, {"a web page, as a failed download leaves it", fetch_the_file}},
    {"<html"sv, {"a web page, as a failed download leaves it", fetch_the_file}},
    {"{"sv,
     {"JSON text, as the list of a model's shards is", "give the file itself, of shards one that all are merged into"}},
}};

}  // namespace

ForeignFormat foreign_format(std::string_view start) {
    for (const KnownStart& known : known_starts) {
        if (start.starts_with(known.start)) {
            return known.format;
        }
    }
    return {};
}

}  // namespace plumecast
