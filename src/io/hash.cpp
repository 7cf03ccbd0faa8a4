#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <vector>

#include <openssl/evp.h>

#include <plumecast/core/error.hpp>

#include "io/hash.hpp"
#include "io/io_error.hpp"

namespace plumecast {
namespace {

constexpr std::size_t read_at_once = std::size_t{1} << 18;

class Sha256 {
   public:
    Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
        check(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
    }
    void add(const void* bytes, std::size_t count) { check(EVP_DigestUpdate(context_.get(), bytes, count) == 1); }
    std::string finish() {
        std::array<unsigned char, 32> digest{};
        check(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
        constexpr std::string_view digits = "0123456789abcdef";
        std::string text;
        for (unsigned char byte : digest) {
            text += digits[byte >> 4];
            text += digits[byte & 15];
        }
        return text;
    }

   private:
    static void check(bool succeeded) {
        if (!succeeded) {
            throw Error("cannot compute a SHA-256 hash (libcrypto refused it); check the installation of OpenSSL");
        }
    }
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.finish();
}

std::string sha256_of_file(const std::filesystem::path& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen(path.c_str(), "rbe"), [](std::FILE* open) { return open != nullptr ? std::fclose(open) : 0; });
    if (file == nullptr) {
        throw_io_error("read", path, errno);
    }
    Sha256 hash;
    std::vector<char> buffer(read_at_once);
    for (std::size_t count = read_at_once; count == read_at_once;) {
        count = std::fread(buffer.data(), 1, read_at_once, file.get());
        hash.add(buffer.data(), count);
    }
    if (std::ferror(file.get()) != 0) {
        throw_io_error("read", path, errno);
    }
    return hash.finish();
}

}  // namespace plumecast
