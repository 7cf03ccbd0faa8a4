#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include <plumecast/inference/predictor.hpp>
#include <plumecast/io/safetensors.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include <cmath>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"
#include "training/rank_plan.hpp"

namespace plumecast::testing {
namespace {

namespace fs = std::filesystem;

using MakeBackend = std::function<std::unique_ptr<Backend>()>;

const MakeBackend on_cpu = [] { return make_cpu_backend({.threads = 1}); };
const MakeBackend on_oracle = [] { return make_oracle_backend(); };

/// A grid for a number of ranks: groups where the number is even and above two.
GridShape grid_for(int ranks) { return ranks > 2 && ranks % 2 == 0 ? GridShape{2, ranks / 2} : GridShape{1, ranks}; }

/// Trains, or goes on, on the ranks of a grid; stopped when the observer was asked `patience` times.
void train_on(const GridShape& shape, const Recipe& recipe, const MakeBackend& make, int patience = 1 << 30) {
    on_ranks(shape.ranks(), [&](Communicator& world) {
        const auto backend = make();
        const ProcessGrid grid(world, shape);
        // Only the last rank says stop: the others follow.
        StopAfter observer(world.rank() + 1 == world.size() ? patience : 1 << 30);
        Trainer trainer(recipe, *backend, observer, &grid);
        if (trainer.has_checkpoint()) {
            trainer.resume();
        }
        trainer.run();
    });
}

/// All weights and moments of a checkpoint agree.
void expect_same_state(const std::string& run, const std::string& expected, double tolerance) {
    for (const char* name : {"/checkpoint/gas_saturation.safetensors", "/checkpoint/optimizer.safetensors"}) {
        const SafetensorsFile file(run + name), other(expected + name);
        ASSERT_EQ(file.names(), other.names());
        for (const std::string& array : file.names()) {
            expect_close(file.read(array), other.read(array), tolerance, array);
        }
    }
}

class SharedRunTest : public ::testing::Test {
   protected:
    /// Fresh recipe with an output folder of that name.
    Recipe recipe(const std::string& name, int epochs, const std::string& architecture = "ufno") {
        Recipe result = tiny_recipe(folder_, architecture);
        result.output = folder_.file(name);
        result.epochs = epochs;
        result.network.network.padding = {8, 2, 2};  // 16 x 8 x 8 cells in all
        return result;
    }
    ScratchFolder folder_;
};

TEST_F(SharedRunTest, TakesTenStepsLikeOneRank) {
    Recipe alone = recipe("alone", 5), shared = recipe("shared", 5);
    alone.network.network.width = shared.network.network.width = 2;
    train_on({}, alone, on_oracle);
    train_on({2, 2}, shared, on_oracle);
    expect_same_state(shared.output, alone.output, 1e-6);  // files hold float32
}

TEST_F(SharedRunTest, ClipsTheGradientOfAllRanks) {
    Recipe alone = recipe("alone", 2, "fno"), shared = recipe("shared", 2, "fno");
    alone.optimizer.gradient_clip = shared.optimizer.gradient_clip = 0.01;
    train_on({}, alone, on_oracle);
    train_on({2, 2}, shared, on_oracle);
    expect_same_state(shared.output, alone.output, 1e-6);
}

TEST_F(SharedRunTest, GivesTheSameBitsOnTheSameGrid) {
    for (const char* name : {"first", "second"}) {
        train_on({2, 2}, recipe(name, 2), on_cpu);
    }
    expect_same_state(folder_.file("second"), folder_.file("first"), 0.0);
}

TEST_F(SharedRunTest, ContinuesOnAnyOtherNumberOfRanks) {
    const std::vector<int> counts{1, 2, 3, 4, 6};
    const Recipe straight = recipe("straight", 2);
    train_on({}, straight, on_cpu);
    for (const int saved : counts) {
        const std::string half = "saved on " + std::to_string(saved);
        train_on(grid_for(saved), recipe(half, 2), on_cpu, 3);  // within the second epoch
        for (const int resumed : counts) {
            SCOPED_TRACE(half + ", resumed on " + std::to_string(resumed));
            const Recipe rest = recipe(half + "-" + std::to_string(resumed), 2);
            fs::copy(folder_.file(half), rest.output, fs::copy_options::recursive);
            train_on(grid_for(resumed), rest, on_cpu);
            expect_same_state(rest.output, straight.output, 2e-3);
        }
    }
}

TEST_F(SharedRunTest, EvaluatesLikeOneRank) {
    const Recipe trained_alone = recipe("run", 1);
    train_on({}, trained_alone, on_cpu);
    const Dataset dataset(trained_alone.train_files.front());
    const auto evaluated = [&](const ProcessGrid* grid) {
        const auto backend = make_oracle_backend();
        EvaluationOptions options;
        options.batch = 2;
        return Predictor(trained_alone.output + "/best", *backend, grid).evaluate(dataset, options).front();
    };
    const Evaluation alone = evaluated(nullptr);
    for (const GridShape& shape : {GridShape{1, 2}, GridShape{2, 1}, GridShape{2, 2}, GridShape{1, 6}}) {
        on_ranks(shape.ranks(), [&](Communicator& world) {
            const ProcessGrid grid(world, shape);
            const Evaluation shared = evaluated(&grid);
            EXPECT_NEAR(shared.loss, alone.loss, 1e-9);
            for (const auto member : case_error_members) {
                for (std::size_t k = 0; k < alone.cases.size(); ++k) {
                    EXPECT_NEAR(shared.fields[0].errors.cases()[k].*member, alone.fields[0].errors.cases()[k].*member,
                                1e-6);
                }
            }
            EXPECT_NEAR(shared.fields[0].errors.pooled_r2(), alone.fields[0].errors.pooled_r2(), 1e-6);
        });
    }
}

TEST_F(SharedRunTest, PredictsTheFileOfOneRank) {
    const Recipe trained_alone = recipe("run", 1);
    train_on({}, trained_alone, on_cpu);
    const auto predicted = [&](const GridShape& shape) {
        const std::string file = folder_.file(shape.text() + ".h5");
        on_ranks(shape.ranks(), [&](Communicator& world) {
            const auto backend = make_oracle_backend();
            const ProcessGrid grid(world, shape);
            PredictionOptions options;
            options.batch = 2;
            const Predictor predictor(trained_alone.output + "/best", *backend, &grid);
            EXPECT_EQ(predictor.predict(trained_alone.train_files.front(), file, options).cases, 3);
        });
        const Dataset dataset(file);
        std::vector<float> values(3 * 4 * 5 * 3);
        dataset.read_output("gas_saturation", std::vector<std::int64_t>{0, 1, 2}, values);
        return values;
    };
    const std::vector<float> alone = predicted({});
    for (const GridShape& shape : {GridShape{1, 2}, GridShape{2, 2}, GridShape{1, 6}}) {
        const std::vector<float> shared = predicted(shape);
        for (std::size_t i = 0; i < alone.size(); ++i) {
            EXPECT_TRUE(std::abs(shared[i] - alone[i]) < 1e-6F || (std::isnan(shared[i]) && std::isnan(alone[i])));
        }
    }
}

/// Notes what a rank has sent when an epoch ends.
class TrafficObserver final : public TrainingObserver {
   public:
    explicit TrafficObserver(const ProcessGrid& grid) : grid_(grid) {}
    void epoch(const EpochReport&) override { sent_.push_back(grid_.traffic()); }
    /// In the last epoch.
    Traffic last() const {
        const Traffic &before = sent_[sent_.size() - 2], &after = sent_.back();
        return {after.bytes - before.bytes, after.messages - before.messages};
    }

   private:
    const ProcessGrid& grid_;
    std::vector<Traffic> sent_;
};

TEST_F(SharedRunTest, SendsExactlyWhatThePlanSays) {
    for (const char* architecture : {"fno", "conv_fno", "ufno", "cnn"}) {
        Recipe one_step = recipe("run", 3, architecture);
        one_step.validation_files.clear();
        one_step.train_cases = 2;
        for (const GridShape& shape : {GridShape{1, 3}, GridShape{2, 1}, GridShape{2, 2}}) {
            SCOPED_TRACE(std::string(architecture) + " on " + shape.text());
            const Traffic plan = plan_rank(one_step.network, {4, 5, 3}, 2, shape).step;
            EXPECT_GT(plan.bytes, 0);
            fs::remove_all(one_step.output);
            on_ranks(shape.ranks(), [&](Communicator& world) {
                const auto backend = make_cpu_backend({.threads = 1});
                const ProcessGrid grid(world, shape);
                TrafficObserver observer(grid);
                Trainer(one_step, *backend, observer, &grid).run();
                if (world.rank() == 0) {  // the others also send their weights to be saved
                    EXPECT_EQ(observer.last(), plan);
                }
            });
        }
    }
}

TEST(PlanGrids, NamesEveryGridBestFirst) {
    const NetworkDescription network = tiny_network("ufno");
    const auto plans = plan_grids(network, {4, 5, 3}, 4, 4, std::size_t{1} << 40);
    ASSERT_EQ(plans.size(), 3u);  // 1x4, 2x2, 4x1
    for (const RankPlan& plan : plans) {
        EXPECT_EQ(plan.grid.ranks(), 4);
        EXPECT_NEAR(plan.largest_share, 0.25, 0.01);
    }
    const auto cost = [](const RankPlan& plan) {
        return static_cast<double>(plan.step.bytes) + 20e3 * static_cast<double>(plan.step.messages);
    };
    EXPECT_LE(cost(plans[0]), cost(plans[1]));
    EXPECT_LE(cost(plans[1]), cost(plans[2]));
    const auto passes = plan_grids(network, {4, 5, 3}, 4, 4, std::size_t{1} << 40, GridPurpose::prediction);
    EXPECT_EQ(passes.front().grid, (GridShape{4, 1})) << "groups that predict send nothing";
    EXPECT_EQ(passes.front().pass, Traffic{});
}

TEST(PlanGrids, PutsGridsThatDoNotFitLast) {
    const NetworkDescription network = tiny_network("fno");
    const auto all = plan_grids(network, {4, 40, 3}, 4, 4, 0);
    std::size_t least = all.front().memory.training;
    for (const RankPlan& plan : all) {
        least = std::min(least, plan.memory.training);
    }
    const auto plans = plan_grids(network, {4, 40, 3}, 4, 4, least);
    EXPECT_EQ(plans.front().memory.training, least);
    EXPECT_GT(plans.back().memory.training, least);
}

}  // namespace
}  // namespace plumecast::testing
