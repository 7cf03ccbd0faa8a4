#include <algorithm>

#include <gmock/gmock.h>

#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/cases/merged_files.hpp"
#include "reservoir/dataset/cases/start_dates.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CaseArraysTest : public MergedFiles {
   protected:
    /// The violation of an array; none of that path where it is sound.
    Violation violation_of(const std::string& path, const std::function<void(h5::File&)>& add) {
        const std::vector<Violation> found = validate(with("a.h5", 0.1F, add));
        const auto at = std::ranges::find(found, path, &Violation::path);
        return at == found.end() ? Violation{} : *at;
    }
};

std::function<void(h5::File&)> masses(const std::string& unit, float value) {
    return [=](h5::File& file) {
        const std::vector<std::int64_t> extents = {3, file.info("/grid/times").extents[0]};
        file.create_array<float>("/case/injected_mass", {extents, true, std::nullopt});
        file.write_rows<float>("/case/injected_mass", 0, 3,
                               std::vector<float>(static_cast<std::size_t>(3 * extents[1]), value));
        file.set_text("/case/injected_mass", "units", unit);
    };
}

TEST_F(CaseArraysTest, AreNamedWhereTheyHaveOtherNumbersOfEntries) {
    const auto dates = [](const std::vector<std::string>& all) {
        return [=](h5::File& file) {
            file.write_texts("/case/start_date", all);
            file.write_texts("/case/rejected_reason", {"none"});
        };
    };
    const Violation found = violation_of("/case/start_date", dates({"2030-01-01", "2030-01-02"}));
    EXPECT_THAT(found.problem, HasSubstr("has 2 rows for 3 cases"));
    EXPECT_FALSE(found.is_error);
    EXPECT_EQ(violation_of("/case/start_date", dates({"", "", "2030-01-02"})).problem, "");
    EXPECT_EQ(violation_of("/case/rejected_reason", dates({"", "", ""})).problem, "");
}

TEST_F(CaseArraysTest, AreNamedWhereNothingTakesAMassForWhatItIs) {
    for (const auto& [unit, value] : {std::pair{"kg", 1.0F}, {"Mt", -1.0F}}) {
        const Violation found = violation_of("/case/injected_mass", masses(unit, value));
        EXPECT_TRUE(found.is_error) << unit << value << found.problem;
    }
    EXPECT_EQ(violation_of("/case/injected_mass", masses("Mt", 1.0F)).problem, "");
}

TEST_F(CaseArraysTest, OfDatesAreRefusedWhereTheyAreNotOneOfEachCase) {
    const std::string path = with("a.h5", 0.1F, [](h5::File& file) {
        file.write_texts("/case/start_date", {"2030-01-01", ""});
    });
    EXPECT_THAT([&] { start_dates(path, 3); },
                ::testing::ThrowsMessage<InvalidData>(HasSubstr("/case/start_date has 2 dates for 3 cases")));
    EXPECT_EQ(start_dates(path, 2).size(), 2u);
    EXPECT_THAT(start_dates(with("b.h5", 0.3F), 3), IsEmpty());
}

}  // namespace
}  // namespace plumecast::testing
