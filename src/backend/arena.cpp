#include "backend/arena.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

constexpr std::size_t granule = 256;

std::size_t rounded(std::size_t bytes) { return (std::max<std::size_t>(bytes, 1) + granule - 1) / granule * granule; }

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes / (1024 * 1024)) + " MiB"; }

}  // namespace

Arena::Arena(void* base, std::size_t capacity, std::string from)
    : base_(static_cast<char*>(base)), capacity_(capacity), from_(std::move(from)) {
    holes_[0] = capacity;
}

void* Arena::allocate(std::size_t bytes) {
    // Limited first: rounding up a size near the largest one would wrap around to a small one.
    const std::size_t size = rounded(std::min(bytes, capacity_ + 1));
    const std::lock_guard lock(mutex_);
    const std::optional<std::size_t> found = first_fit(size);
    if (!found) {
        const std::string limit = from_.empty() ? "" : ", the limit is " + from_;
        const std::string remedy = from_.empty() ? "" : ", or allow more memory";
        throw OutOfMemory("no memory for " + mebibytes(bytes) + " more (" + mebibytes(live_) + " of " +
                          mebibytes(capacity_) + " are in use" + limit + "); use a smaller batch or network" + remedy);
    }
    const std::size_t offset = *found;
    if (const auto trace = traces_.find(std::this_thread::get_id()); trace != traces_.end()) {
        std::size_t& most = trace->second[offset];
        most = std::max(most, size);
    }
    take(offset, size);
    peak_ = std::max(peak_, offset + size);
    touched_ = std::max(touched_, offset + size);
    return base_ + offset;
}

/// Where so many bytes are free that no other thread's trace has noted.
std::optional<std::size_t> Arena::first_fit(std::size_t bytes) const {
    for (const auto& [begin, extent] : holes_) {
        const std::size_t offset = traces_.empty() || extent < bytes ? begin : beyond_traces(begin, bytes);
        if (offset + bytes <= begin + extent) {
            return offset;
        }
    }
    return std::nullopt;
}

/// The first offset from this one on, of so many bytes, that lies beside what the traces of other threads noted.
std::size_t Arena::beyond_traces(std::size_t offset, std::size_t bytes) const {
    for (bool moved = true; moved;) {
        moved = false;
        for (const auto& [thread, noted] : traces_) {
            for (const auto& [begin, extent] : noted) {
                if (thread != std::this_thread::get_id() && begin < offset + bytes && offset < begin + extent) {
                    offset = begin + extent;
                    moved = true;
                }
            }
        }
    }
    return offset;
}

void Arena::start_trace() {
    const std::lock_guard lock(mutex_);
    traces_[std::this_thread::get_id()].clear();
}

void Arena::drop_trace() {
    const std::lock_guard lock(mutex_);
    traces_.erase(std::this_thread::get_id());
}

/// Moves a range from the hole it lies in to what is in use. There is a node for each hole that there can be once more
/// pieces come back, which is one more than pieces, so that giving back never needs memory.
void Arena::take(std::size_t offset, std::size_t bytes) {
    if (holes_.size() + spare_.size() < pieces_ + 2) {
        spare_.emplace(0, 0);
    }
    const auto hole = std::prev(holes_.upper_bound(offset));
    const auto [begin, extent] = *hole;
    spare_.insert(holes_.extract(hole));
    if (offset > begin) {
        add_hole(begin, offset - begin);
    }
    if (begin + extent > offset + bytes) {
        add_hole(offset + bytes, begin + extent - offset - bytes);
    }
    live_ += bytes;
    ++pieces_;
}

Arena::Ranges::iterator Arena::add_hole(std::size_t offset, std::size_t bytes) {
    auto node = spare_.extract(spare_.begin());
    node.key() = offset;
    node.mapped() = bytes;
    return holes_.insert(std::move(node)).position;
}

std::unique_ptr<Arena::Claim> Arena::claim_trace() {
    const std::lock_guard lock(mutex_);
    Ranges ranges;
    const auto trace = traces_.extract(std::this_thread::get_id());
    for (const auto& [offset, bytes] : trace.empty() ? Ranges() : trace.mapped()) {
        const auto last = ranges.empty() ? ranges.end() : std::prev(ranges.end());
        if (last != ranges.end() && last->first + last->second >= offset) {
            last->second = std::max(last->second, offset + bytes - last->first);
        } else {
            ranges[offset] = bytes;
        }
    }
    for (const auto& [offset, bytes] : ranges) {
        const auto hole = holes_.upper_bound(offset);
        const bool is_free =
            hole != holes_.begin() && std::prev(hole)->first + std::prev(hole)->second >= offset + bytes;
        expects(is_free, "memory given back by what is to be repeated");
    }
    for (const auto& [offset, bytes] : ranges) {
        take(offset, bytes);
    }
    return std::make_unique<Claim>(*this, std::move(ranges));
}

Arena::Claim::~Claim() {
    for (const auto& [offset, bytes] : ranges_) {
        arena_->release(arena_->base_ + offset, bytes);
    }
}

void Arena::release(void* pointer, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const auto offset = static_cast<std::size_t>(static_cast<char*>(pointer) - base_);
    live_ -= rounded(bytes);
    --pieces_;
    join(add_hole(offset, rounded(bytes)));
}

void Arena::join(Ranges::iterator hole) {
    const auto next = std::next(hole);
    if (next != holes_.end() && hole->first + hole->second == next->first) {
        hole->second += next->second;
        spare_.insert(holes_.extract(next));
    }
    if (hole != holes_.begin()) {
        const auto previous = std::prev(hole);
        if (previous->first + previous->second == hole->first) {
            previous->second += hole->second;
            spare_.insert(holes_.extract(hole));
        }
    }
}

std::size_t Arena::used_end() const {
    const bool open_end = !holes_.empty() && holes_.rbegin()->first + holes_.rbegin()->second == capacity_;
    return open_end ? holes_.rbegin()->first : capacity_;
}

std::size_t Arena::peak_bytes() const {
    const std::lock_guard lock(mutex_);
    return peak_;
}

void Arena::reset_peak_bytes() {
    const std::lock_guard lock(mutex_);
    peak_ = used_end();
}

std::size_t Arena::trim(const std::function<std::size_t(void*, std::size_t)>& give_back) {
    const std::lock_guard lock(mutex_);
    std::size_t given_back = 0;
    for (const auto& [offset, bytes] : holes_) {
        if (offset < touched_) {
            given_back += give_back(base_ + offset, std::min(bytes, touched_ - offset));
        }
    }
    touched_ = used_end();
    return given_back;
}

}  // namespace plumecast
