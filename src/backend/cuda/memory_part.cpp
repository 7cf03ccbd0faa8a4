#include "backend/cuda/memory_part.hpp"

#include <algorithm>
#include <string>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"

namespace plumecast::cuda {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20, granule = 2 * mebibyte;

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes / mebibyte) + " MiB"; }

std::size_t asked_for(const WantedMemory& wanted, std::size_t free, std::size_t all) {
    const auto share = static_cast<std::size_t>(wanted.share * static_cast<double>(all));
    const std::size_t part = wanted.bytes != 0 ? wanted.bytes : share / granule * granule;
    if (part == 0 || part > free) {
        throw OutOfMemory(mebibytes(part) + " of device memory are asked for (" + mebibytes(free) + " of " +
                          mebibytes(all) +
                          " are free); ask for another part of it (CudaOptions::memory_bytes or memory_share), or end "
                          "other programs on the device");
    }
    return part;
}

}  // namespace

std::size_t memory_part(const WantedMemory& wanted, std::size_t free, std::size_t all) {
    if (!(wanted.share >= 0.0 && wanted.share <= 1.0) || (wanted.share > 0.0 && wanted.bytes != 0)) {
        throw InvalidInput("a share " + number_text(wanted.share) + " of device memory" +
                           (wanted.bytes != 0 ? " beside " + mebibytes(wanted.bytes) : "") +
                           " (it is a number from 0 to 1, in place of a size); give one of both");
    }
    if (wanted.bytes != 0 || wanted.share > 0.0) {
        return asked_for(wanted, free, all);
    }
    const auto processes = static_cast<std::size_t>(std::max(wanted.processes, 1));
    constexpr std::size_t least_rest = 768 * mebibyte;
    const std::size_t part = std::min(free, all / processes), rest = std::max(least_rest, part / 16);
    if (part <= rest) {
        const std::string shared =
            processes > 1 ? ", which " + std::to_string(processes) + " processes of this job share" : "";
        throw OutOfMemory("only " + mebibytes(part) + " of device memory can be taken (" + mebibytes(free) + " of " +
                          mebibytes(all) + " are free" + shared + ", and at least " + mebibytes(rest) +
                          " are needed beside arrays); end other programs on the device or choose another in "
                          "CudaOptions::device");
    }
    return (part - rest) / granule * granule;
}

}  // namespace plumecast::cuda
