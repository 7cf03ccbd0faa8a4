#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <sstream>
#include <string>

// Every test program can run as a part of a program whose user writes 4,5 and 1.000: with PLUMECAST_TEST_LOCALE in the
// environment, the streams of C++ have such numbers, and C has the locale of that name, from the folder
// PLUMECAST_TEST_LOCALES. C looks there by LOCPATH, which is set for no longer than that: libraries that ask for a
// locale as they are loaded would leak a copy of it.
namespace plumecast::testing {
namespace {

constexpr const char* variable = "PLUMECAST_TEST_LOCALE";
constexpr const char* variable_of_folder = "PLUMECAST_TEST_LOCALES";

class CommaNumbers : public std::numpunct<char> {
   protected:
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

class CommaLocale : public ::testing::Environment {
   public:
    void SetUp() override {
        if (const char* name = std::getenv(variable)) {
            std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
            const char* folder = std::getenv(variable_of_folder);
            ::setenv("LOCPATH", folder == nullptr ? "" : folder, 1);
            std::setlocale(LC_ALL, name);
            ::unsetenv("LOCPATH");
            std::setlocale(LC_MESSAGES, "C");  // tests quote what the system says in its own words
            expect_commas(name);
        }
    }
    void TearDown() override {
        std::locale::global(std::locale::classic());
        std::setlocale(LC_ALL, "C");
    }

   private:
    /// Fails the program where its tests would run without commas.
    static void expect_commas(const std::string& name) {
        std::ostringstream stream;
        stream << 1234.5;
        EXPECT_EQ(stream.str(), "1.234,5");
        if (name == "C") {  // CTest names it where no other could be made
            return;
        }
        char text[16];
        std::snprintf(text, sizeof text, "%.1f", 4.5);
        EXPECT_STREQ(text, "4,5") << "C has no locale " << name << " (package locales)";
        EXPECT_EQ(std::strtod("4,5", nullptr), 4.5);
    }
};

// Programs take it up before their tests start.
[[maybe_unused]] const ::testing::Environment* const comma_locale =
    ::testing::AddGlobalTestEnvironment(new CommaLocale);

}  // namespace
}  // namespace plumecast::testing
