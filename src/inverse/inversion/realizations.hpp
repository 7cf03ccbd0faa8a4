#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <plumecast/reservoir/dataset/dataset_content.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

namespace plumecast {

class Dataset;

/// Realizations of a reservoir: a base case with the inputs that all of them share, and of each its unknown inputs.
class Realizations {
   public:
    /// The first `members` realizations of `prior` (0 for all) of the inputs `unknown` of case `which` of `base`.
    /// Throws InvalidInput for a case or input that there is not, or too few members, InvalidData for a prior on
    /// another grid, with other active cells, or that does not vary in an unknown input.
    Realizations(const Dataset& base, std::int64_t which, const Dataset& prior, const std::vector<std::string>& unknown,
                 std::int64_t members);

    std::int64_t members() const { return members_; }
    /// The members' numbers in the prior [N], which those that were dropped leave out.
    const std::vector<std::int64_t>& numbers() const { return numbers_; }
    /// What is changed by an inversion [M, N]: of each unknown input the values in active cells, or its one value;
    /// permeabilities as natural logarithms.
    Eigen::MatrixXd parameters() const;
    /// Takes such values over, clipped to what the format admits; how many were.
    std::int64_t set_parameters(const Eigen::MatrixXd& parameters);
    /// Drops members by their places, increasing.
    void drop(const std::vector<std::int64_t>& places);
    /// Repeats the members from the first on until there are so many.
    void resize(std::int64_t members);
    /// One member alone.
    Realizations only(std::int64_t place) const;
    /// Derivatives by parameters() [M] of a single member from those by its inputs, each by its name [cells] or [1]; 0
    /// where a value is at an end of what the format admits.
    Eigen::VectorXd by_parameters(const std::map<std::string, std::vector<double>, std::less<>>& by_inputs) const;
    /// The values of the unknown inputs by name, [N, cells] or [N], and back with the members' numbers.
    std::map<std::string, std::vector<float>> values() const;
    void restore(const std::map<std::string, std::vector<float>>& values, std::vector<std::int64_t> numbers);
    /// Names of the unknown inputs.
    std::vector<std::string> names() const;
    /// Some members as cases in memory, which this must outlive unchanged; what is known lies there once.
    MemoryCases cases(std::int64_t first, std::int64_t count) const;
    /// Writes them as a data set, which appears whole or not at all. Throws IoError.
    void write(const std::string& path, const FileAttributes& attributes) const;

   private:
    Realizations() = default;
    struct Unknown {
        std::string name;
        bool is_map = false, is_logarithm = false;
        double low = 0.0, high = 0.0;
        std::vector<float> values;  // [N, cells] or [N]
    };
    std::int64_t cells_of(const Unknown& unknown) const;
    std::int64_t rows_of(const Unknown& unknown) const;

    DatasetContent base_;  // one case
    std::vector<std::int64_t> active_;
    std::int64_t cells_ = 0, members_ = 0;
    std::vector<std::int64_t> numbers_;
    std::vector<Unknown> unknown_;
};

}  // namespace plumecast
