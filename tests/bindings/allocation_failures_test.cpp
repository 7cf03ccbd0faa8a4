#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

#include "bindings/c_model.hpp"
#include "support/limits/failing_heap.hpp"

namespace plumecast::testing {
namespace {

/// All of them where PLUMECAST_ALL_ALLOCATIONS is set, which may take hours and tells how far it is, else ever fewer.
bool is_each_to_fail() { return std::getenv("PLUMECAST_ALL_ALLOCATIONS") != nullptr; }
std::int64_t next_after(std::int64_t n) { return n + 1 + (is_each_to_fail() ? 0 : n / 16); }

class AllocationFailures : public ::testing::Test {
   protected:
    /// Repeats a call, each time after `prepare`, with one allocation after the other failing, until none does.
    void expect_survived(
        const std::string& what, const std::function<plumecast_status()>& call,
        const std::function<void()>& prepare = [] {}) {
        SCOPED_TRACE(what);
        for (int i = 0; i < 2; ++i) {  // fills what is kept between calls
            prepare();
            ASSERT_EQ(call(), PLUMECAST_OK) << plumecast_last_error();
        }
        const std::int64_t before = live_pieces();
        std::int64_t tried = 0, most = before;
        for (std::int64_t n = 0;; n = next_after(n)) {
            prepare();
            fail_allocation_after(n);
            const plumecast_status status = call();
            const bool has_failed = stop_failing();
            most = std::max(most, live_pieces());
            if (!has_failed) {
                EXPECT_EQ(status, PLUMECAST_OK) << plumecast_last_error();
                break;
            }
            ++tried;
            if (is_each_to_fail() && tried % 1000 == 0) {
                std::cerr << what << ": " << tried << " allocations have failed, " << failures_ << " calls with them\n";
            }
            failures_ += status == PLUMECAST_OUT_OF_MEMORY ? 1 : 0;
            EXPECT_TRUE(status == PLUMECAST_OK || plumecast_last_error()[0] != '\0');
        }
        EXPECT_GT(tried, 0);
        EXPECT_LE(most, before + kept_) << "pieces are left behind";
        prepare();
        EXPECT_EQ(call(), PLUMECAST_OK) << plumecast_last_error();
    }

    static constexpr std::int64_t kept_ = 8;  // texts and tables of libraries, made once
    int failures_ = 0;
    CModel tiny_{tiny_network("fno")};
};

TEST_F(AllocationFailures, OfCasesLeaveNothingBehind) {
    std::vector<std::int64_t> extents = {3, 4, 5};
    const plumecast_array porosity =
        c_array(tiny_.content().arrays.at("porosity").data(), ElementType::float32, extents);
    expect_survived("create and set", [&] {
        plumecast_cases* cases = nullptr;
        plumecast_status status = plumecast_cases_create(&cases);
        if (status == PLUMECAST_OK) {
            status = plumecast_cases_set(cases, "porosity", "1", &porosity);
        }
        plumecast_cases_release(cases);
        return status;
    });
    expect_survived("check", [&] { return plumecast_cases_check(tiny_.cases, nullptr); });
    const char* json = nullptr;
    expect_survived("measure", [&] { return plumecast_measure(tiny_.cases, nullptr, &json); });
    EXPECT_GT(failures_, 100);
}

TEST_F(AllocationFailures, OfModelsLeaveNothingBehind) {
    const std::string path = tiny_.file("unused");  // nobody has it loaded already
    std::filesystem::copy(tiny_.path(), path, std::filesystem::copy_options::recursive);
    expect_survived("load", [&] {
        plumecast_model* model = nullptr;
        const plumecast_status status = plumecast_model_load(tiny_.device, path.c_str(), &model);
        plumecast_model_release(model);
        return status;
    });
    EXPECT_GT(failures_, 20);
}

TEST_F(AllocationFailures, OfPredictionsLeaveNothingBehind) {
    std::vector<float> values(180);
    std::vector<std::int64_t> extents = {3, 3, 4, 5}, map = {3, 4, 5};
    const plumecast_named field{"gas_saturation", c_array(values.data(), ElementType::float32, extents)};
    expect_survived("predict", [&] { return plumecast_predict(tiny_.model, tiny_.cases, &field, 1, nullptr); });
    const char* json = nullptr;
    expect_survived("evaluate", [&] { return plumecast_evaluate(tiny_.model, tiny_.cases, nullptr, &json); });
    std::vector<double> slopes(60);
    const plumecast_named gradient{"permeability_r", c_array(slopes.data(), ElementType::float64, map)};
    const std::vector<float> ones(180, 1.0F);
    const plumecast_named weight{"gas_saturation", c_array(ones.data(), ElementType::float32, extents)};
    expect_survived("record and pull back", [&] {
        plumecast_recording* recording = nullptr;
        plumecast_status status = plumecast_record(tiny_.model, tiny_.cases, nullptr, 0, nullptr, &recording);
        if (status == PLUMECAST_OK) {
            status = plumecast_pull_back(recording, &weight, 1, &gradient, 1);
        }
        plumecast_recording_release(recording);
        return status;
    });
    EXPECT_GT(failures_, 100);
}

TEST_F(AllocationFailures, OfNetworksLeaveNothingBehind) {
    const char* description =
        R"({"architecture": "ufno", "channels": 1, "fields": 1, "width": 2, "modes": [1, 1, 1], "fourier_blocks": 1,
            "extended_blocks": 1, "hidden": 2, "padding": [0, 0, 0]})";
    std::vector<std::int64_t> extents = {2, 4, 4, 2, 1};
    std::vector<float> values(64, 1.0F), predicted(64), by_channels(64);
    const plumecast_array from = c_array(values.data(), ElementType::float32, extents),
                          to = c_array(predicted.data(), ElementType::float32, extents),
                          slopes = c_array(by_channels.data(), ElementType::float32, extents);
    expect_survived("create, forward and vjp", [&] {
        plumecast_network* network = nullptr;
        plumecast_status status = plumecast_network_create(tiny_.device, description, 1, &network);
        status = status == PLUMECAST_OK ? plumecast_network_forward(network, &from, &to, 1) : status;
        status = status == PLUMECAST_OK ? plumecast_network_vjp(network, &from, &from, &slopes, nullptr, 0, 0) : status;
        plumecast_network_release(network);
        return status;
    });
    std::vector<std::int64_t> map = {3, 4, 5};
    std::vector<float> active(60);
    const plumecast_named wanted{"active", c_array(active.data(), ElementType::float32, map)};
    expect_survived("inputs of cases", [&] {
        plumecast_network* network = nullptr;
        plumecast_status status = plumecast_network_of_model(tiny_.model, nullptr, &network);
        status = status == PLUMECAST_OK ? plumecast_network_inputs(network, tiny_.cases, &wanted, 1, nullptr) : status;
        plumecast_network_release(network);
        return status;
    });
    EXPECT_GT(failures_, 100);
}

TEST_F(AllocationFailures, OfFilesLeaveNothingBehind) {
    const std::string data = tiny_.data();
    expect_survived("open", [&] {
        plumecast_cases* cases = nullptr;
        plumecast_status status = plumecast_cases_open(data.c_str(), &cases);
        if (status == PLUMECAST_OK) {
            status = plumecast_cases_check(cases, nullptr);
        }
        plumecast_cases_release(cases);
        return status;
    });
    const std::string written = tiny_.file("written.h5"), predicted = tiny_.file("predicted.h5");
    expect_survived("write", [&] { return plumecast_cases_write(tiny_.cases, written.c_str()); });
    expect_survived("predict file",
                    [&] { return plumecast_predict_file(tiny_.model, tiny_.cases, predicted.c_str(), nullptr); });
    EXPECT_GT(failures_, 100);
}

TEST_F(AllocationFailures, OfTrainingLeaveNothingBehind) {
    ScratchFolder folder;
    Recipe recipe = tiny_recipe(folder, "fno");
    recipe.output = folder.file("run");
    recipe.epochs = 1;
    const std::string text = recipe.to_json().dump();
    expect_survived(
        "train", [&] { return plumecast_train(tiny_.device, text.c_str(), nullptr); },
        [&] { std::filesystem::remove_all(recipe.output); });
    EXPECT_GT(failures_, 100);
}

TEST(AllocationFailuresOfJson, LeaveNothingBehind) {
    const std::string text(40, 'x');  // on the heap
    const auto nested = [&text] {
        const Json list = Json::Array{text, 1.0, Json::Object{{text, text}}};
        Json json = Json::Object{{text, list}, {"of it", Json::Object{{text, Json::Array{list, text}}}}};
        json = list;
        return json == list;
    };
    ASSERT_TRUE(nested());
    const std::int64_t before = live_pieces();
    int failures = 0;
    for (std::int64_t n = 0;; ++n) {
        fail_allocation_after(n);
        try {
            nested();
        } catch (const std::bad_alloc&) {
            ++failures;
        }
        const bool has_failed = stop_failing();
        ASSERT_EQ(live_pieces(), before) << "after allocation " << n;
        if (!has_failed) {
            break;
        }
    }
    EXPECT_GT(failures, 20);
}

}  // namespace
}  // namespace plumecast::testing
