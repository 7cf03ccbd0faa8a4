#include "reservoir/h5/case_notes.hpp"

#include "reservoir/h5/file.hpp"

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

std::vector<float> case_numbers(const std::string& path, const std::string& name) {
    const h5::File file = h5::File::open(path);
    const std::string array = "/case/" + name;
    const bool are_numbers = file.has(array) && file.info(array).element == h5::Element::real;
    return are_numbers ? file.read<float>(array) : std::vector<float>();
}

std::vector<std::string> case_texts(const std::string& path, const std::string& name) {
    const std::string array = "/case/" + name;
    const h5::File file = h5::File::open(path);
    return file.has(array) ? file.read_texts(array) : std::vector<std::string>();
}

}  // namespace plumecast
