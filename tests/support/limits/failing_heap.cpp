#include "support/limits/failing_heap.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace plumecast::testing {
namespace {

// Written by operator new, which may be called before any object of static storage is constructed.
constinit std::atomic<std::int64_t> left{-1}, live{0};
constinit std::atomic<bool> has_failed{false};

bool is_to_fail() {
    if (left.load(std::memory_order_relaxed) < 0 || left.fetch_sub(1) != 0) {
        return false;
    }
    has_failed = true;
    return true;
}

void* piece_or_throw(std::size_t size, std::size_t alignment) {
    void* piece = nullptr;
    if (is_to_fail() || posix_memalign(&piece, alignment, size > 0 ? size : 1) != 0) {
        throw std::bad_alloc();
    }
    live.fetch_add(1, std::memory_order_relaxed);
    return piece;
}

void* piece_or_nothing(std::size_t size) noexcept {
    try {
        return piece_or_throw(size, alignof(std::max_align_t));
    } catch (...) {
        return nullptr;
    }
}

void give_back(void* piece) noexcept {
    if (piece != nullptr) {
        live.fetch_sub(1, std::memory_order_relaxed);
        std::free(piece);
    }
}

}  // namespace

void fail_allocation_after(std::int64_t count) {
    has_failed = false;
    left = count;
}

bool stop_failing() {
    left = -1;
    return has_failed;
}

std::int64_t live_pieces() { return live; }

}  // namespace plumecast::testing

using plumecast::testing::give_back;
using plumecast::testing::piece_or_nothing;
using plumecast::testing::piece_or_throw;

void* operator new(std::size_t size) { return piece_or_throw(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return piece_or_throw(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return piece_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return piece_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return piece_or_nothing(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return piece_or_nothing(size); }
void operator delete(void* piece) noexcept { give_back(piece); }
void operator delete[](void* piece) noexcept { give_back(piece); }
void operator delete(void* piece, std::size_t) noexcept { give_back(piece); }
void operator delete[](void* piece, std::size_t) noexcept { give_back(piece); }
void operator delete(void* piece, std::align_val_t) noexcept { give_back(piece); }
void operator delete[](void* piece, std::align_val_t) noexcept { give_back(piece); }
void operator delete(void* piece, std::size_t, std::align_val_t) noexcept { give_back(piece); }
void operator delete[](void* piece, std::size_t, std::align_val_t) noexcept { give_back(piece); }
void operator delete(void* piece, const std::nothrow_t&) noexcept { give_back(piece); }
void operator delete[](void* piece, const std::nothrow_t&) noexcept { give_back(piece); }
