#include "inference/prediction/shared_failures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace plumecast {
namespace {

/// What precedes the letters of a reason.
struct FailureHead {
    std::int64_t which = 0;
    std::uint64_t letters = 0;
};

std::vector<std::byte> packed_failures(const CaseFailures& failures) {
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
    for (const auto& [which, why] : failures.all()) {
        const FailureHead head{which, why.size()};
        append(std::as_bytes(std::span(&head, 1)));
        append(std::as_bytes(std::span(why)));
    }
    return bytes;
}

void add_packed(std::span<const std::byte> bytes, CaseFailures& failures) {
    while (!bytes.empty()) {
        FailureHead head;
        std::memcpy(&head, bytes.data(), sizeof(head));
        bytes = bytes.subspan(sizeof(head));
        std::string why(head.letters, ' ');
        std::memcpy(why.data(), bytes.data(), why.size());
        bytes = bytes.subspan(why.size());
        failures.add(head.which, why);
    }
}

}  // namespace

void share_failures(CaseFailures& failures, Communicator& ranks) {
    std::vector<std::byte> own = packed_failures(failures);
    const std::uint64_t size = own.size();
    const std::vector<std::byte> gathered = ranks.allgather(std::as_bytes(std::span(&size, 1)));
    std::vector<std::uint64_t> sizes(gathered.size() / sizeof(size));
    std::memcpy(sizes.data(), gathered.data(), gathered.size());
    const std::uint64_t most = *std::ranges::max_element(sizes);
    own.resize(most);  // pieces are of one size
    const std::vector<std::byte> all = ranks.allgather(own);
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
        add_packed(std::span(all).subspan(rank * most, sizes[rank]), failures);
    }
}

}  // namespace plumecast
