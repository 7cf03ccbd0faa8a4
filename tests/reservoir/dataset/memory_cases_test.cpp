#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include <gmock/gmock.h>

#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"
#include "support/samples/generic_dataset.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

using Change = std::function<void(DatasetContent&)>;

std::vector<float> map_in(const Dataset& dataset, std::string_view name) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(dataset.cases()));
    std::iota(all.begin(), all.end(), 0);
    std::vector<float> values(all.size() * static_cast<std::size_t>(dataset.cells()));
    dataset.read_map(name, all, values);
    return values;
}

void expect_same_data(const Dataset& file, const Dataset& memory) {
    EXPECT_EQ(file.cases(), memory.cases());
    EXPECT_EQ(file.space(), memory.space());
    EXPECT_EQ(file.r_edges(), memory.r_edges());
    EXPECT_EQ(file.x_edges(), memory.x_edges());
    EXPECT_EQ(file.y_edges(), memory.y_edges());
    EXPECT_EQ(file.z_edges(), memory.z_edges());
    EXPECT_EQ(file.times(), memory.times());
    EXPECT_EQ(file.place(), memory.place());
    EXPECT_EQ(file.outputs(), memory.outputs());
    for (const ArraySpec& spec : dataset_arrays(file.geometry())) {
        const std::string name(spec.name());
        EXPECT_EQ(file.has(name), memory.has(name)) << name;
        EXPECT_EQ(file.cell_values(name), memory.cell_values(name)) << name;
        if (spec.role == Role::scalar && file.has(name)) {
            EXPECT_EQ(file.scalar(name), memory.scalar(name)) << name;
        } else if (spec.role == Role::map && file.has(name)) {
            EXPECT_EQ(map_in(file, name), map_in(memory, name)) << name;
        } else if (spec.role == Role::output && file.has(name)) {
            const std::vector<std::int64_t> cases{1, 0};
            std::vector<float> one(2 * file.times().size() * static_cast<std::size_t>(file.cells())), other = one;
            file.read_output(name, cases, one);
            memory.read_output(name, cases, other);
            EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(float)), 0) << name;
        }
    }
    const std::vector<std::int64_t> cases{0, 1};
    EXPECT_EQ(InputRanges::over(file, cases), InputRanges::over(memory, cases));
    EXPECT_EQ(case_fingerprint(file, 1), case_fingerprint(memory, 1));
}

TEST(MemoryCases, AreTheDataSetThatAFileOfThemIs) {
    const ScratchFolder folder;
    for (DatasetContent content : {sample_content(), cartesian_content()}) {
        content.attributes["title"] = "in memory";
        if (content.geometry() == Geometry::cartesian) {
            content.attributes["origin"] = "x 431000 m, y 6521000 m";
            content.attributes["rotation"] = "30";
            content.arrays["cell_volume"].assign(24, 7.5F);
        }
        const std::string path = folder.file("a.h5");
        write_dataset(path, content);
        const Dataset file(path), memory(views_of(content));
        expect_same_data(file, memory);
        EXPECT_TRUE(file.is_file());
        EXPECT_FALSE(memory.is_file());
        EXPECT_EQ(memory.path(), "cases in memory");
        EXPECT_EQ(memory.attribute("title"), "in memory");
        EXPECT_EQ(memory.attribute("history"), "");
    }
}

/// Elements of another type, in reversed order of the axes and backwards along the last one, one place apart.
template <class T>
struct Strided {
    explicit Strided(const std::vector<float>& values, std::int64_t cases, std::int64_t rows, std::int64_t columns)
        : elements(2 * values.size()) {
        for (std::int64_t n = 0, i = 0; n < cases; ++n) {
            for (std::int64_t z = 0; z < rows; ++z) {
                for (std::int64_t r = 0; r < columns; ++r, ++i) {
                    const std::int64_t place = 2 * (((columns - 1 - r) * rows + z) * cases + n);
                    elements[static_cast<std::size_t>(place)] = static_cast<T>(values[static_cast<std::size_t>(i)]);
                }
            }
        }
        view = view_of(elements.data() + 2 * (columns - 1) * rows * cases, {cases, rows, columns}, "1",
                       {2, 2 * cases, -2 * cases * rows});
    }
    std::vector<T> elements;
    ArrayView view;
};

template <class T>
void expect_read_alike(const char* name) {
    const DatasetContent content = sample_content();
    const Dataset plain(views_of(content));
    const Strided<T> strided(content.arrays.at(name), 3, 4, 5);
    MemoryCases cases = views_of(content);
    cases.arrays[name] = strided.view;
    EXPECT_EQ(map_in(Dataset(cases), name), map_in(plain, name)) << name_of(strided.view.type);
}

TEST(MemoryCases, MayBeGenericData) {
    const ScratchFolder folder;
    const std::string path = folder.file("generic.h5");
    write_generic_data(path);
    const Dataset file(path);
    const std::vector<double> times{1.0, 3.0};
    const std::vector<std::uint8_t> active{1, 1, 1, 1, 1, 0};
    const std::vector<float> number{1, 2};
    std::vector<float> map(6), field(12), u(12);
    const std::vector<std::int64_t> cases{0, 1};
    file.read_map("/inputs/map", cases, map);
    file.read_varying("/inputs/field", cases, field);
    file.read_output("u", cases, u);
    MemoryCases memory{{{"times", view_of(times.data(), {2}, "s")},
                        {"active", view_of(active.data(), {2, 3}, "1")},
                        {"/inputs/map", view_of(map.data(), {2, 3}, "m")},
                        {"/inputs/number", view_of(number.data(), {2}, "")},
                        {"/inputs/field", view_of(field.data(), {2, 2, 3}, "")},
                        {"/outputs/u", view_of(u.data(), {2, 2, 3}, "K")}},
                       {{"geometry", "generic"}, {"axes", "x"}}};
    EXPECT_THAT(validate(memory), ::testing::IsEmpty());
    const Dataset same(memory);
    EXPECT_EQ(same.geometry(), Geometry::generic);
    EXPECT_EQ(same.space(), file.space());
    EXPECT_EQ(same.times(), file.times());
    EXPECT_EQ(same.outputs(), file.outputs());
    EXPECT_EQ(same.scalar("/inputs/number"), file.scalar("/inputs/number"));
    EXPECT_EQ(same.find("/inputs/map")->unit, "m");
    EXPECT_EQ(same.find("/inputs/field")->unit, "1");
    std::vector<float> again(6), later(12);
    same.read_map("/inputs/map", cases, again);
    EXPECT_EQ(std::memcmp(again.data(), map.data(), sizeof(float) * 6), 0);
    same.read_varying("/inputs/field", cases, later);
    EXPECT_EQ(std::memcmp(later.data(), field.data(), sizeof(float) * 12), 0);
    memory.arrays.emplace("/input/mistyped", view_of(map.data(), {2, 3}, "m"));
    EXPECT_THAT([&] { Dataset{memory}; },
                ::testing::ThrowsMessage<InvalidData>(HasSubstr("/input/mistyped is left over")));
}

TEST(MemoryCases, MayHaveAnyStridesAndElements) {
    expect_read_alike<float>("porosity");
    expect_read_alike<double>("porosity");
    expect_read_alike<std::int8_t>("active");
    expect_read_alike<std::int16_t>("active");
    expect_read_alike<std::int32_t>("active");
    expect_read_alike<std::int64_t>("active");
    expect_read_alike<std::uint8_t>("active");
    expect_read_alike<std::uint16_t>("active");
    expect_read_alike<std::uint32_t>("active");
    expect_read_alike<std::uint64_t>("active");
    static_assert(element_type_of<bool>() == ElementType::uint8);
    static_assert(element_type_of<long long>() == ElementType::int64);
}

TEST(MemoryCases, MayHaveElementsOfSixteenBits) {
    const DatasetContent content = sample_content();
    const std::size_t cells = content.arrays.at("porosity").size();
    struct Known {
        ElementType type;
        std::uint16_t bits;
    };
    for (const Known& quarter : {Known{ElementType::float16, 0x3400}, Known{ElementType::bfloat16, 0x3e80}}) {
        const std::vector<std::uint16_t> elements(cells, quarter.bits);
        MemoryCases cases = views_of(content);
        cases.arrays["porosity"].data = elements.data();
        cases.arrays["porosity"].type = quarter.type;
        EXPECT_EQ(map_in(Dataset(cases), "porosity"), std::vector<float>(cells, 0.25F)) << name_of(quarter.type);
    }
}

TEST(MemoryCases, MayLieAtAnyAddress) {
    const DatasetContent content = sample_content();
    const std::vector<float>& porosity = content.arrays.at("porosity");
    std::vector<std::byte> bytes(porosity.size() * sizeof(float) + 1);
    std::memcpy(bytes.data() + 1, porosity.data(), porosity.size() * sizeof(float));
    MemoryCases cases = views_of(content);
    cases.arrays["porosity"].data = bytes.data() + 1;
    EXPECT_EQ(map_in(Dataset(cases), "porosity"), porosity);
}

TEST(MemoryCases, RepeatOneGeologyOverManyRates) {
    DatasetContent content = sample_content();
    std::erase_if(content.arrays, [](const auto& array) { return find_array(array.first)->role == Role::output; });
    MemoryCases cases = views_of(content);
    const std::vector<double> rates{0.25, 0.5, 1.0, 2.0, 4.0};
    for (auto& [name, view] : cases.arrays) {
        const Role role = find_array(name)->role;
        if (role == Role::map || role == Role::scalar) {
            view.extents[0] = 5;
            view.strides = role == Role::map ? std::vector<std::int64_t>{0, 5, 1} : std::vector<std::int64_t>{0};
        }
    }
    cases.arrays["injection_rate"] = view_of(rates.data(), {5}, "Mt/year");
    const Dataset dataset(cases);
    EXPECT_EQ(dataset.cases(), 5);
    EXPECT_EQ(dataset.scalar("injection_rate"), std::vector<float>(rates.begin(), rates.end()));
    const std::vector<float>& first = content.arrays.at("permeability_r");
    const std::vector<float> all = map_in(dataset, "permeability_r");
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i], first[i % 20]);
    }
    EXPECT_TRUE(validate(cases).empty());
}

/// The message with which a data set of the sample is refused after a change of its views.
std::string refusal(const std::function<void(MemoryCases&)>& change, const DatasetContent& content = sample_content()) {
    MemoryCases cases = views_of(content);
    change(cases);
    try {
        const Dataset dataset(cases);
    } catch (const InvalidData& error) {
        return error.what();
    }
    return "nothing was thrown";
}

void rename(MemoryCases& cases, const std::string& from, const std::string& to) {
    auto array = cases.arrays.extract(from);
    array.key() = to;
    cases.arrays.insert(std::move(array));
}

TEST(MemoryCases, NameTheNearestNameForAWrongOne) {
    EXPECT_EQ(
        refusal([](MemoryCases& cases) { rename(cases, "permeability_r", "permeabilty_r"); }),
        "cases in memory: permeabilty_r is left over (the format knows no such array); call it permeability_r, or "
        "leave it out");
    EXPECT_THAT(refusal([](MemoryCases& cases) { rename(cases, "r_edges", "redges"); }), HasSubstr("call it r_edges"));
    EXPECT_THAT(refusal([](MemoryCases& cases) { rename(cases, "x_edges", "x_edge"); }, cartesian_content()),
                HasSubstr("x_edge is left over (the format knows no such array); call it x_edges"));
    EXPECT_THAT(refusal([](MemoryCases& cases) {
                    cases.name = "the screening";
                    cases.arrays["wells"] = cases.arrays["porosity"];
                }),
                HasSubstr("the screening: wells is left over (the format knows no such array); leave it out"));
    EXPECT_THAT(refusal([](MemoryCases& cases) { cases.arrays["permeability_x"] = cases.arrays["permeability_r"]; }),
                HasSubstr("/inputs/permeability_x is left over (a radial grid has no such array)"));
}

TEST(MemoryCases, NameWhatIsMissingOrNotAsTheFormatWantsIt) {
    const std::pair<const char*, std::function<void(MemoryCases&)>> damages[] = {
        {"/inputs/porosity is missing (no array of that name was given); add it: porosity in 1",
         [](MemoryCases& cases) { cases.arrays.erase("porosity"); }},
        {"/inputs/porosity has units mD (the format wants 1); convert the values and state their unit, 1",
         [](MemoryCases& cases) { cases.arrays["porosity"].unit = "mD"; }},
        {"/inputs/porosity has units missing", [](MemoryCases& cases) { cases.arrays["porosity"].unit = ""; }},
        {"/inputs/porosity has 6 entries along R (the grid has 5); make the arrays agree",
         [](MemoryCases& cases) { cases.arrays["porosity"].extents[2] = 6; }},
        {"/inputs/porosity has 1 axes (the format wants 3); reshape it",
         [](MemoryCases& cases) { cases.arrays["porosity"].extents = {60}; }},
        {"/inputs/porosity has elements that are no real numbers (float16, bfloat16, float32, float64 and integers of "
         "8 to 64 bits are read); convert them to float32",
         [](MemoryCases& cases) { cases.arrays["porosity"].type = ElementType::other; }},
        {"/inputs/porosity has elements that are no real numbers",
         [](MemoryCases& cases) { cases.arrays["porosity"].type = static_cast<ElementType>(4711); }},
        {"/inputs/porosity has 2 strides for 3 axes",
         [](MemoryCases& cases) {
             cases.arrays["porosity"].strides = {5, 1};
         }},
        {"/inputs/porosity has no values (its data pointer is null)",
         [](MemoryCases& cases) { cases.arrays["porosity"].data = nullptr; }},
        {"/inputs/porosity has an extent of -4", [](MemoryCases& cases) { cases.arrays["porosity"].extents[1] = -4; }},
        {"/inputs/porosity has an extent of 9223372036854775807",
         [](MemoryCases& cases) { cases.arrays["porosity"].extents[2] = std::numeric_limits<std::int64_t>::max(); }},
        {"/inputs/porosity has a stride of more than 2^40 elements",
         [](MemoryCases& cases) {
             cases.arrays["porosity"].strides = {std::numeric_limits<std::int64_t>::min(), 5, 1};
         }},
        {"/grid/times repeats one entry", [](MemoryCases& cases) { cases.arrays["times"].strides = {0}; }},
        {"there is no case; add at least one",
         [](MemoryCases& cases) { cases.arrays["injection_rate"].extents = {0}; }},
    };
    for (const auto& [message, damage] : damages) {
        EXPECT_THAT(refusal(damage), HasSubstr(std::string("cases in memory: ") + message));
        const DatasetContent content = sample_content();
        MemoryCases cases = views_of(content);
        damage(cases);
        EXPECT_THAT(validate(cases), Contains(::testing::Field(&Violation::is_error, true))) << message;
    }
}

TEST(MemoryCases, ViolateTheFormatAsAFileDoes) {
    const std::pair<DatasetContent, Change> damaged[] = {
        {sample_content(), [](DatasetContent&) {}},
        {sample_content(),
         [](DatasetContent& content) {
             content.times = {1.0, 100.0, 10.0};
             content.arrays.erase("thickness");
             content.arrays["temperature"][2] = 900.0F;
             content.arrays["porosity"][7] = std::numeric_limits<float>::quiet_NaN();
             content.arrays["permeability_z"][20 + 18] = 5.0F;
             content.arrays["gas_saturation"][20 + 7] = 1.5F;
             content.arrays["gas_saturation"][20 + 8] = 1.6F;
         }},
        {sample_content(),
         [](DatasetContent& content) {
             content.attributes["model_hash"] = "0";
             content.arrays["gas_saturation"][7] = 1.5F;
             content.arrays["temperature"].assign(3, 333.0F);
         }},
        {sample_content(), [](DatasetContent& content) { content.arrays["perforation"].assign(60, 0.0F); }},
        {cartesian_content(),
         [](DatasetContent& content) {
             content.attributes["rotation"] = "1000";
             content.arrays["cell_injection_rate"][1] += 3.0F;
             content.arrays["cell_volume"].assign(24, -1.0F);
         }},
    };
    for (const auto& [sample, change] : damaged) {
        DatasetContent content = sample;
        change(content);
        const ScratchFolder folder;
        const std::string path = folder.file("a.h5");
        write_dataset(path, content);
        EXPECT_EQ(validate(path), validate(views_of(content)));
        EXPECT_EQ(validate(path).empty(), content.arrays == sample.arrays) << "what is damaged is found";
        EXPECT_EQ(validate(path, Checked::inputs), validate(views_of(content), Checked::inputs));
    }
}

TEST(MemoryCases, ViolateUnitsAndShapesInTheWordsOfAFile) {
    const DatasetContent content = sample_content();
    MemoryCases cases = views_of(content);
    cases.arrays["thickness"].unit = "ft";
    cases.arrays["porosity"].extents = {3, 20};
    cases.arrays["perforation"].extents[0] = 2;
    cases.arrays["temperature"].type = ElementType::other;
    const std::vector<Violation> expected = {
        {"/inputs/porosity", "it has 2 axes", "shape it as [N, Z, R]"},
        {"/inputs/perforation", "it has 2 entries along N, the grid has 3", "make arrays and grid agree"},
        {"/inputs/temperature",
         "has elements that are no real numbers (float16, bfloat16, float32, float64 and integers of 8 to 64 bits are "
         "read)",
         "convert them to float32"},
        {"/inputs/thickness", "attribute units is \"ft\"", "convert the values to m and set it to \"m\""}};
    EXPECT_EQ(validate(cases), expected);
}

TEST(MemoryCases, AreRefusedWithCaseAndCellOfTheFirstViolation) {
    DatasetContent content = sample_content();
    content.arrays["porosity"][20 + 7] = std::numeric_limits<float>::infinity();
    content.arrays["temperature"][2] = 900.0F;
    try {
        require_valid_inputs(views_of(content));
        FAIL() << "nothing was thrown";
    } catch (const InvalidData& error) {
        EXPECT_STREQ(error.what(),
                     "cases in memory: /inputs/porosity: case 1, cell [1, 2]: value infinity is not finite (validate() "
                     "names 1 error more); replace it or mark the cell inactive");
    }
}

TEST(MemoryCases, AreRefusedForAWrongNameBeforeTheArrayThatItStandsFor) {
    const DatasetContent content = sample_content();
    MemoryCases cases = views_of(content);
    rename(cases, "permeability_r", "permeability");
    const std::vector<Violation> expected = {
        {"permeability", "the format knows no such array", "call it permeability_r, or leave it out"},
        {"/inputs/permeability_r", "the array is missing", "add it: horizontal permeability in mD"}};
    EXPECT_EQ(validate(cases), expected);
}

}  // namespace
}  // namespace plumecast::testing
