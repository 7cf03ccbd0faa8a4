#include <plumecast/reservoir/io/h5/case_notes.hpp>

#include <plumecast/core/error.hpp>

#include "reservoir/io/h5/file.hpp"
#include "reservoir/io/h5/session.hpp"

namespace plumecast {

std::vector<std::uint8_t> case_labels(const std::string& path, const std::string& name) {
    const h5::File file = h5::File::open(path);
    const std::string array = "/case/" + name;
    if (!file.has(array)) {
        return {};
    }
    const h5::ArrayInfo info = file.info(array);
    const bool is_list = info.element == h5::Element::integer && info.extents.size() == 1;
    return is_list ? file.read<std::uint8_t>(array) : std::vector<std::uint8_t>();
}

std::vector<std::string> case_texts(const std::string& path, const std::string& name) {
    const std::string array = "/case/" + name;
    const h5::File file = h5::File::open(path);
    if (!file.has(array)) {
        return {};
    }
    const h5::ArrayInfo info = file.info(array);  // also refuses a size that the file cannot hold
    if (info.element != h5::Element::text || info.extents.size() != 1 || info.extents[0] < 1) {
        return {};
    }
    const h5::Session session;
    // A file that is open already opens again only with the same way of closing.
    const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), false, true);
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    const h5::Handle again(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    const h5::Handle data(H5Dopen2(again.get(), array.c_str(), H5P_DEFAULT), H5Dclose);
    const h5::Handle type(H5Dget_type(data.get()), H5Tclose);
    if (type.get() < 0 || H5Tis_variable_str(type.get()) != 0) {
        return {};
    }
    const std::size_t length = info.element_bytes;
    std::string raw(static_cast<std::size_t>(info.extents[0]) * length, '\0');
    if (H5Dread(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()) < 0) {
        throw InvalidData(path + ": " + array + " cannot be read (the file is damaged or truncated); write it again");
    }
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < raw.size(); at += length) {
        const std::string text = raw.substr(at, length);
        texts.push_back(text.substr(0, text.find('\0')));
    }
    return texts;
}

}  // namespace plumecast
