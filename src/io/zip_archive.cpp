#include "io/zip_archive.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <plumecast/core/error.hpp>

#include "io/text_file.hpp"

namespace plumecast {
namespace {

constexpr std::uint32_t header_of_file = 0x04034b50, header_of_entry = 0x02014b50, header_of_end = 0x06054b50;
constexpr unsigned version = 20;               // that reads it: folders
constexpr unsigned first_date = (1 << 5) | 1;  // of the format, 1980-01-01: archives of the same files are the same
constexpr unsigned names_are_utf8 = 1 << 11;
constexpr std::size_t most_bytes = 0xffffffff;  // without the extensions of large archives
constexpr std::size_t most_files = 0xfffe;

/// The table of CRC-32 with the polynomial of Ethernet, bits reversed.
constexpr std::array<std::uint32_t, 256> crc_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) {
            rest = (rest & 1) != 0 ? 0xedb88320 ^ (rest >> 1) : rest >> 1;
        }
        table[byte] = rest;
    }
    return table;
}();

std::uint32_t crc_of(const std::string& bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char byte : bytes) {
        crc = crc_table[(crc ^ static_cast<unsigned char>(byte)) & 0xff] ^ (crc >> 8);
    }
    return ~crc;
}

/// Little-endian numbers, one after the other.
class Bytes {
   public:
    Bytes& two(std::size_t value) { return number(value, 2); }
    Bytes& four(std::size_t value) { return number(value, 4); }
    const std::string& text() const { return text_; }

   private:
    Bytes& number(std::size_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            text_ += static_cast<char>((value >> (8 * i)) & 0xff);
        }
        return *this;
    }

    std::string text_;
};

/// What is said of a file both before its bytes and at the end.
Bytes described(std::uint32_t header, const std::string& name, const std::string& bytes) {
    Bytes head;
    head.four(header);
    if (header == header_of_entry) {
        head.two(version);
    }
    head.two(version).two(names_are_utf8).two(0).two(0).two(first_date).four(crc_of(bytes));
    head.four(bytes.size()).four(bytes.size()).two(name.size()).two(0);
    return head;
}

void require_room(bool is_there, const std::filesystem::path& folder) {
    if (!is_there) {
        throw InvalidInput(folder.filename().string() +
                           ": has 4 GiB or 65,535 files or more (an archive holds less); ask for fewer cases");
    }
}

}  // namespace

std::string zip_archive(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    require_room(files.size() <= most_files, folder);
    std::string archive, entries;
    for (const std::filesystem::path& file : files) {
        const std::string name = (folder.filename() / file.filename()).string(), bytes = read_text(file);
        require_room(archive.size() + bytes.size() + (std::size_t{1} << 20) < most_bytes, folder);
        Bytes entry = described(header_of_entry, name, bytes);
        entry.two(0).two(0).two(0).four(0).four(archive.size());
        entries += entry.text() + name;
        archive += described(header_of_file, name, bytes).text() + name + bytes;
    }
    const std::size_t begin = archive.size();
    Bytes end;
    end.four(header_of_end).two(0).two(0).two(files.size()).two(files.size()).four(entries.size()).four(begin).two(0);
    return archive + entries + end.text();
}

}  // namespace plumecast
