#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"

namespace plumecast {

/// What became of cases beside their fields.
struct ComputedCases {
    std::map<std::int64_t, std::string> failed;  ///< cases without values, and why
    std::vector<Verdict> verdicts;               ///< of each case where they were asked for
    /// Of each case of a model with intervals, why they say nothing of it; empty where they do.
    std::vector<std::string> without_interval = {};
};

/// How often and whether a computation is to be judged or ended.
struct ComputationOptions {
    int threads = 0;                       ///< 0 for all
    bool has_verdicts = false;             ///< takes about half as long again by physics alone
    std::function<bool()> stop_requested;  ///< ends it with Interrupted; may be empty
};

/// Adds the fields of all cases of a content to its arrays, as outputs of the data set format.
class FieldSource {
   public:
    virtual ~FieldSource() = default;
    /// Throws InvalidData, Interrupted.
    virtual ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const = 0;
    /// What computed the fields, in words.
    virtual std::string description() const = 0;
    /// Whether several threads may compute cases of their own at once.
    virtual bool is_for_threads() const = 0;
    /// Intervals of figures that its fields are known to; empty where there are none.
    virtual const FigureBands& intervals() const { return none_; }

   private:
    FigureBands none_;
};

/// The way of `plumecast estimate`: reduced physics without a network.
class PhysicsSource : public FieldSource {
   public:
    explicit PhysicsSource(int substeps) : substeps_(substeps) {}
    ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const override;
    std::string description() const override;
    bool is_for_threads() const override { return true; }

   private:
    int substeps_;
};

/// The way of `plumecast predict`: a bundle.
class PredictedSource : public FieldSource {
   public:
    /// The predictor must outlive this; `name` is what the model is called. Throws InvalidModel for a damaged record.
    PredictedSource(const Predictor& predictor, std::string name);
    ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const override;
    std::string description() const override { return name_; }
    bool is_for_threads() const override { return false; }
    const FigureBands& intervals() const override { return trust_.bands; }

   private:
    const Predictor& predictor_;
    std::string name_;
    TrustRecord trust_;
    std::vector<std::string> fields_;
};

}  // namespace plumecast
