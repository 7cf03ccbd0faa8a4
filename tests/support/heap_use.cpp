#include "support/heap_use.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace plumecast::testing {
namespace {

// Written by operator new, which may be called before any object of static storage is constructed.
constinit std::atomic<std::int64_t> pieces{0};
constinit std::atomic<std::size_t> bytes{0}, largest{0};

void* counted_piece(std::size_t size, std::size_t alignment) {
    pieces.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(size, std::memory_order_relaxed);
    std::size_t most = largest.load(std::memory_order_relaxed);
    while (most < size && !largest.compare_exchange_weak(most, size, std::memory_order_relaxed)) {
    }
    void* piece = nullptr;
    const std::size_t least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
    return posix_memalign(&piece, least, size > 0 ? size : 1) == 0 ? piece : nullptr;
}

void* counted_or_throw(std::size_t size, std::size_t alignment) {
    void* piece = counted_piece(size, alignment);
    if (piece == nullptr) {
        throw std::bad_alloc();
    }
    return piece;
}

}  // namespace

HeapUse heap_use() { return {pieces.exchange(0), bytes.exchange(0), largest.exchange(0)}; }

}  // namespace plumecast::testing

using plumecast::testing::counted_or_throw;
using plumecast::testing::counted_piece;

void* operator new(std::size_t size) { return counted_or_throw(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return counted_or_throw(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return counted_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* piece) noexcept { std::free(piece); }
void operator delete[](void* piece) noexcept { std::free(piece); }
void operator delete(void* piece, std::size_t) noexcept { std::free(piece); }
void operator delete[](void* piece, std::size_t) noexcept { std::free(piece); }
void operator delete(void* piece, std::align_val_t) noexcept { std::free(piece); }
void operator delete[](void* piece, std::align_val_t) noexcept { std::free(piece); }
void operator delete(void* piece, std::size_t, std::align_val_t) noexcept { std::free(piece); }
void operator delete[](void* piece, std::size_t, std::align_val_t) noexcept { std::free(piece); }

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    return counted_piece(size, alignment);
}
