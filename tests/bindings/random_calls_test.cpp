#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <random>

#include "bindings/c_model.hpp"

namespace plumecast::testing {
namespace {

/// Calls with arguments of all kinds, right, wrong and absurd; all memory that they name is there.
class RandomCalls {
   public:
    explicit RandomCalls(std::uint32_t seed) : draw_(seed), memory_(1 << 16, 0.25) {}
    ~RandomCalls() {
        plumecast_recording_release(recording_);
        plumecast_network_release(network_);
        for (plumecast_cases* cases : made_) {
            plumecast_cases_release(cases);
        }
    }
    RandomCalls(const RandomCalls&) = delete;
    RandomCalls& operator=(const RandomCalls&) = delete;

    /// One call; whatever it returns is a known status. Seven of eight have neither the right cases nor their file, so
    /// that they end before any work is done, in a tenth of the time.
    plumecast_status call() {
        may_work_ = below(8) == 0;
        switch (below(19)) {
            case 0:
                return create();
            case 1:
            case 2:
            case 3:
                return set();
            case 4:
                return plumecast_cases_check(cases(), below(2) == 0 ? nullptr : &text_);
            case 5:
                return info();
            case 6:
                return quantity();
            case 7:
                return texts();
            case 8:
                return open();
            case 9:
                return plumecast_cases_write(cases(), file());
            case 10:
                return record();
            case 11:
                return pull_back();
            case 12:
                return plumecast_evaluate(model(), cases(), below(2) == 0 ? nullptr : &options(),
                                          below(4) == 0 ? nullptr : &text_);
            case 13:
                return measure();
            case 14:
                return train();
            case 16:
                return run_network();
            case 17:
                return change_network();
            case 15:
                return plumecast_predict_file(model(), cases(), file(), below(2) == 0 ? nullptr : &options());
            default:
                return predict();
        }
    }

    /// Calls that predicted into arrays.
    int predicted() const { return predicted_; }
    /// Calls that pulled a recording back.
    int pulled_back() const { return pulled_back_; }

   private:
    std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(draw_); }
    template <class T>
    T one_of(std::initializer_list<T> all) {
        return *(all.begin() + below(all.size()));
    }
    plumecast_cases* cases() {
        return !may_work_ || below(3) == 0 ? made_[below(made_.size())] : below(4) == 0 ? nullptr : right_.cases;
    }
    const plumecast_model* model() { return below(5) == 0 ? nullptr : right_.model; }
    const char* name() {
        return one_of<const char*>({nullptr, "", "gas_saturation", "pressure_buildup", "porosity", "r_edges", "z_edges",
                                    "times", "injection_rate", "entry_pressure", "rotation", "active", "no such thing",
                                    "/", "%s%n", "/nowhere/at/all.h5"});
    }
    plumecast_array array() {
        constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
        for (std::int64_t& extent : shape_) {
            extent = one_of<std::int64_t>({3, 3, 4, 5, 5, 6, 1, 0, -1, std::int64_t{1} << 50, huge, -huge});
        }
        if (below(3) == 0) {
            shape_ = {3, 3, 4, 5};
        }
        for (std::int64_t& stride : strides_) {
            stride = one_of<std::int64_t>({60, 20, 5, 1, 0, -1, huge});
        }
        plumecast_array array{};
        array.data = below(8) == 0 ? nullptr : memory_.data() + memory_.size() / 2;
        array.device.device_type = one_of<std::int32_t>({1, 1, 1, 1, 3, 2, 0, -5});
        array.ndim = one_of<std::int32_t>({4, 4, 1, 3, 2, 0, -1, 17, std::numeric_limits<std::int32_t>::max()});
        array.dtype.code = one_of<std::uint8_t>({2, 2, 2, 0, 1, 4, 6, 255});
        array.dtype.bits = one_of<std::uint8_t>({32, 32, 64, 8, 16, 0, 7});
        array.dtype.lanes = below(9) == 0 ? 4 : 1;
        array.shape = below(9) == 0 ? nullptr : shape_.data();
        array.strides = below(3) == 0 ? strides_.data() : nullptr;
        array.byte_offset = one_of<std::uint64_t>({0, 0, 0, 3, 8, ~std::uint64_t{0}});
        return array;
    }
    plumecast_options& options() {
        options_.size = one_of<std::size_t>({sizeof options_, sizeof options_, 16, 8, 0, 3});
        options_.batch = one_of<std::int64_t>({0, 1, 2, 1000, -1});
        options_.limits = one_of<std::int32_t>({0, 0, 1, 7, -1});
        return options_;
    }
    plumecast_status open() {
        plumecast_cases* opened = nullptr;
        const plumecast_status status = plumecast_cases_open(file(), below(3) == 0 ? nullptr : &opened);
        plumecast_cases_release(opened);
        return status;
    }
    const char* file() {
        return one_of<const char*>({nullptr, "", "/", "/nowhere/at/all.h5", may_work_ ? written_.c_str() : "no.h5"});
    }
    plumecast_status create() {
        plumecast_cases*& place = made_[below(made_.size())];
        plumecast_cases_release(place);
        place = nullptr;
        if (below(8) == 0) {
            const auto* axes = one_of<const char*>({nullptr, "", "x", "y,x", "z,y,x", "r"});
            return plumecast_cases_create_generic(axes, below(4) == 0 ? nullptr : &place);
        }
        return plumecast_cases_create(below(4) == 0 ? nullptr : &place);
    }
    plumecast_status set() {
        const plumecast_array given = array();
        return plumecast_cases_set(made_[below(made_.size())], name(),
                                   one_of<const char*>({"m", "1", "mD", "bar", "day", nullptr, "furlong"}),
                                   below(9) == 0 ? nullptr : &given);
    }
    plumecast_network* network() { return below(6) == 0 ? nullptr : network_; }
    plumecast_status run_network() {
        const plumecast_array channels = array(), weights = array();
        const plumecast_named named{name(), weights};
        switch (below(4)) {
            case 0:
                return plumecast_network_forward(network(), &channels, below(6) == 0 ? nullptr : &weights,
                                                 one_of<std::int32_t>({0, 1, 7}));
            case 1:
                return plumecast_network_vjp(network(), &channels, &weights, below(2) == 0 ? nullptr : &channels,
                                             &named, below(2), 0);
            case 2:
                return plumecast_network_inputs(network(), cases(), &named, below(2), &options());
            default:
                return plumecast_network_of_model(model(), name(), nullptr);
        }
    }
    plumecast_status change_network() {
        const plumecast_named named{one_of<const char*>({nullptr, "lift.bias", "lift.weight", "no such thing"}),
                                    array()};
        plumecast_named found{};
        switch (below(6)) {
            case 0:
                plumecast_network_release(network_);
                return plumecast_network_of_model(right_.model, name(), &network_);
            case 1:
                return plumecast_network_assign(network(), &named, below(2));
            case 2:
                return plumecast_network_read(network(), &named, below(2));
            case 3:
                return plumecast_network_parameter(network(), below(1000), below(3) == 0 ? nullptr : &found);
            case 4:
                return plumecast_network_load(network(), file());
            default:
                return plumecast_network_describe(network(), below(3) == 0 ? nullptr : &text_);
        }
    }
    plumecast_status info() {
        plumecast_cases_extents extents{};
        extents.size = one_of<std::size_t>({sizeof extents, 8, 0, 24});
        return plumecast_cases_info(cases(), below(4) == 0 ? nullptr : &extents);
    }
    plumecast_status quantity() {
        plumecast_quantity answer{};
        answer.size = one_of<std::size_t>({sizeof answer, 16, 8, 0});
        const std::size_t index = one_of<std::size_t>({0, 1, 5, 1000, ~std::size_t{0}});
        plumecast_quantity* to = below(5) == 0 ? nullptr : &answer;
        return below(2) == 0 ? plumecast_model_input(model(), index, to) : plumecast_model_field(model(), index, to);
    }
    plumecast_status texts() {
        const char** to = below(5) == 0 ? nullptr : &text_;
        if (below(3) == 0) {
            const double* numbers = nullptr;
            size_t count = 0;
            return plumecast_model_axis(model(), name(), below(8) == 0 ? nullptr : &numbers, &count);
        }
        return below(2) == 0 ? plumecast_model_hash(model(), to) : plumecast_model_describe(model(), to);
    }
    /// Arrays by name, sometimes one that is right.
    struct Named {
        std::array<plumecast_named, 3> list{};
        std::array<std::array<std::int64_t, 16>, 3> shapes{};
    };
    void fill(Named& named, const char* right, std::array<std::int64_t, 16> extents, std::int32_t axes) {
        for (std::size_t i = 0; i < named.list.size(); ++i) {
            named.list[i] = {name(), array()};
            if (named.list[i].array.shape != nullptr) {
                named.shapes[i] = shape_;
                named.list[i].array.shape = named.shapes[i].data();
            }
        }
        if (below(3) > 0) {
            named.shapes[0] = extents;
            const std::size_t begin = axes == 4 ? 0 : memory_.size() / 4;
            named.list[0] = {right,
                             {memory_.data() + begin, {1, 0}, axes, {2, 32, 1}, named.shapes[0].data(), nullptr, 0}};
        }
    }
    plumecast_status predict() {
        Named outputs;
        fill(outputs, "gas_saturation", {3, 3, 4, 5}, 4);
        const plumecast_status status =
            plumecast_predict(model(), cases(), below(9) == 0 ? nullptr : outputs.list.data(), below(3),
                              below(2) == 0 ? nullptr : &options());
        predicted_ += status == PLUMECAST_OK ? 1 : 0;
        return status;
    }
    plumecast_status record() {
        Named outputs;
        fill(outputs, "gas_saturation", {3, 3, 4, 5}, 4);
        plumecast_recording* made = nullptr;
        const plumecast_model* by = below(3) == 0 ? model() : gradients_.model;
        const plumecast_status status = plumecast_record(
            by, !may_work_ || below(3) == 0 ? cases() : gradients_.cases, below(9) == 0 ? nullptr : outputs.list.data(),
            below(3), below(2) == 0 ? nullptr : &options(), below(9) == 0 ? nullptr : &made);
        if (made != nullptr) {
            plumecast_recording_release(recording_);
            recording_ = made;
        }
        return status;
    }
    plumecast_status pull_back() {
        Named weights, gradients;
        fill(weights, "gas_saturation", {3, 3, 4, 5}, 4);
        fill(gradients, "permeability_r", {3, 4, 5}, 3);
        const plumecast_status status =
            plumecast_pull_back(below(9) == 0 ? nullptr : recording_, below(9) == 0 ? nullptr : weights.list.data(),
                                below(3), below(9) == 0 ? nullptr : gradients.list.data(), below(3));
        pulled_back_ += status == PLUMECAST_OK ? 1 : 0;
        return status;
    }
    plumecast_status measure() {
        const double thresholds[] = {0.01, one_of({0.1, 1.0, -1.0, std::numeric_limits<double>::quiet_NaN()})};
        plumecast_measures measures{};
        measures.size = one_of<std::size_t>({sizeof measures, sizeof measures, 24, 8, 0});
        measures.thresholds = below(3) == 0 ? nullptr : thresholds;
        measures.threshold_count = one_of<std::size_t>({0, 1, 2, 2});
        measures.pressure_front = one_of({0.0, 1.0, -1.0});
        measures.fracture_gradient = one_of({0.0, 0.2, std::numeric_limits<double>::infinity()});
        measures.top_depth = one_of({0.0, 1000.0});
        return plumecast_measure(cases(), below(3) == 0 ? nullptr : &measures, below(5) == 0 ? nullptr : &text_);
    }
    /// Of recipes that are refused: a run takes too long for here.
    plumecast_status train() {
        plumecast_training_options options{};
        options.size = one_of<std::size_t>({sizeof options, 16, 8, 0});
        options.train = cases();
        const char* recipe = one_of<const char*>(
            {nullptr, "", "{", "[]", "{}", "{\"epochs\": -1, \"output\": \"/nowhere/at/all\"}", "{\"output\": 3}"});
        return plumecast_train(below(5) == 0 ? nullptr : right_.device, recipe, below(3) == 0 ? nullptr : &options);
    }

    std::mt19937 draw_;
    bool may_work_ = false;
    CModel right_;
    CModel gradients_{tiny_network("fno")};  // has gradients
    plumecast_recording* recording_ = nullptr;
    plumecast_network* network_ = nullptr;
    int predicted_ = 0, pulled_back_ = 0;
    std::string written_ = right_.file("out.h5");
    std::vector<double> memory_;
    std::array<std::int64_t, 16> shape_{};
    std::array<std::int64_t, 16> strides_{};
    std::array<plumecast_cases*, 4> made_{};
    plumecast_options options_{};
    const char* text_ = nullptr;
};

/// 100,000, or as many as PLUMECAST_RANDOM_CALLS says: fewer where each takes long, or more.
int wanted_calls() {
    const char* given = std::getenv("PLUMECAST_RANDOM_CALLS");
    return given == nullptr ? 100000 : std::max(std::atoi(given), 20000);
}

TEST(CFace, ComesThroughRandomCalls) {
    RandomCalls calls(20);
    std::array<int, 12> counts{};
    for (int i = 0; i < wanted_calls(); ++i) {
        const plumecast_status status = calls.call();
        ASSERT_TRUE(status >= PLUMECAST_OK && status < PLUMECAST_INTERNAL)
            << "call " << i << ": " << status << ", " << plumecast_last_error();
        ++counts[static_cast<std::size_t>(status)];
        EXPECT_TRUE(status == PLUMECAST_OK || std::strlen(plumecast_last_error()) > 0);
    }
    EXPECT_GT(counts[PLUMECAST_OK], 2000);
    EXPECT_GT(counts[PLUMECAST_INVALID_INPUT], 2000);
    EXPECT_GT(counts[PLUMECAST_INVALID_DATA], 20);
    EXPECT_GT(calls.predicted(), 5);
    EXPECT_GT(calls.pulled_back(), 5);
}

}  // namespace
}  // namespace plumecast::testing
