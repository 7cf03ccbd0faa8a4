#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/architectures/parameters.hpp>

namespace plumecast {

/// Exponential moving average of the weights of a network and of its running statistics (Polyak and Juditsky 1992 for
/// the idea). After step n it goes by 1 - min(decay, (1 + n) / (10 + n)) of the way to the weights, so that the first
/// steps soon forget where they started. What does not move keeps its bits.
class AveragedWeights {
   public:
    /// Starts at the present weights. The parameters must outlive this.
    AveragedWeights(const Parameters& parameters, double decay);

    /// Starts again at the present weights.
    void restart();
    /// The average moves after the step of this number, which counts from 1.
    void follow(std::int64_t step);

    /// Writes the average under the parameters' names, whole, as Adam::save() does its moments. Throws IoError.
    void save(const std::string& path) const;
    /// Reads it back. Throws InvalidModel for a missing name or wrong shape.
    void load(const std::string& path);

   private:
    friend class AveragedInPlace;
    struct Average {
        const Parameter* parameter;
        Tensor value;
    };
    Backend& backend() const { return parameters_->backend(); }
    View scratch(const Shape& shape);
    void exchange();

    const Parameters* parameters_;
    double decay_;
    std::vector<Average> averages_;
    Tensor scratch_;  // as large as the largest
};

/// While it lives, the network has the averaged weights, bit for bit, and after that its own again.
class AveragedInPlace {
   public:
    /// nullptr where there is no average: then nothing happens.
    explicit AveragedInPlace(AveragedWeights* average);
    ~AveragedInPlace();
    AveragedInPlace(const AveragedInPlace&) = delete;
    AveragedInPlace& operator=(const AveragedInPlace&) = delete;

   private:
    AveragedWeights* average_;
};

}  // namespace plumecast
