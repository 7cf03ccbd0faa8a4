#include "reservoir/io/h5/failed_reads.hpp"

#include <array>

#include <plumecast/core/error.hpp>

#include "reservoir/io/h5/file.hpp"
#include "reservoir/io/h5/remedies.hpp"
#include "reservoir/io/h5/session.hpp"

namespace plumecast::h5 {
namespace {

/// Name and number of the first filter of an array that the library does not have; empty where it has all.
std::string missing_filter(hid_t data) {
    const Handle plan(H5Dget_create_plist(data), H5Pclose);
    for (int i = 0; i < H5Pget_nfilters(plan.get()); ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        std::array<char, 64> name{};
        const H5Z_filter_t filter = H5Pget_filter2(plan.get(), static_cast<unsigned>(i), &flags, &values, nullptr,
                                                   name.size() - 1, name.data(), nullptr);
        if (H5Zfilter_avail(filter) <= 0) {
            return "'" + std::string(name.data()) + "' (number " + std::to_string(filter) + ")";
        }
    }
    return {};
}

}  // namespace

std::string opening_remedy(const std::string& reason) {
    const auto says = [&](const char* words) { return reason.find(words) != std::string::npos; };
    if (says("already open")) {
        return "the program that writes it has not closed it, or was ended before it could; wait until it is done, or "
               "run 'h5clear -s' on the file when no program writes it any more";
    }
    if (says("truncated file")) {
        return "the file was not written or copied to its end; fetch or write it again";
    }
    if (says("version")) {
        return "the file may be of a newer format than this HDF5 library reads; write it again with "
               "h5py.File(..., libver=('earliest', 'v110')) or 'h5repack --high=2'";
    }
    return read_remedy;
}

void File::throw_unread(hid_t data, const std::string& problem) const {
    const std::string reason = innermost_message();
    const std::string filter = missing_filter(data);
    if (!filter.empty()) {
        throw InvalidData(problem + " (it is compressed by the filter " + filter +
                          ", which this HDF5 library lacks; the file is sound); install the filter's plugin and set "
                          "HDF5_PLUGIN_PATH to its folder, or write the file again with gzip");
    }
    throw InvalidData(problem + " (HDF5: " + (reason.empty() ? "no reason given" : reason) + "); " + read_remedy);
}

}  // namespace plumecast::h5
