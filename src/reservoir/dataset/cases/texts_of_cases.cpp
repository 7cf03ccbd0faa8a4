#include "reservoir/dataset/cases/texts_of_cases.hpp"

#include <cstdint>
#include <utility>

#include "reservoir/h5/file.hpp"

namespace plumecast {

CaseTexts texts_of_cases(const Dataset& dataset) {
    CaseTexts texts;
    if (!dataset.is_file()) {
        return texts;
    }
    const h5::File file = h5::File::open(dataset.path());
    for (const std::string& array : file.arrays()) {
        std::vector<std::string> of_cases =
            array.starts_with("/case/") ? file.read_texts(array) : std::vector<std::string>();
        if (array != "/case/trust_reasons" && static_cast<std::int64_t>(of_cases.size()) == dataset.cases()) {
            texts[array] = std::move(of_cases);
        }
    }
    return texts;
}

void write_case_texts(h5::File& file, const CaseTexts& texts) {
    for (const auto& [array, of_cases] : texts) {
        file.write_texts(array, of_cases);
        file.set_text(array, "units", "1");
    }
}

}  // namespace plumecast
