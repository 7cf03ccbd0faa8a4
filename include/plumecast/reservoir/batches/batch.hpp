#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/batches/channels.hpp>

namespace plumecast {

class CaseFailures;
class CasePhysics;
class Dataset;

/// Channels that vary over the same axes.
struct InputGroup {
    std::vector<std::string> channels;
    /// [B, Z|1, R|1, T|1, C] on the host; extent 1 along an axis the group does not vary over.
    Tensor values;
    bool same_for_all = false;  ///< the times, which the cases of a batch share
};

/// Cases ready for a network. All tensors are on the host, float32 but where a source was asked for float64: inputs,
/// scales, base, correction and limits are then. A 3-D case only has one more axis.
struct Batch {
    std::vector<std::int64_t> cases;
    /// 1 for cases that no network is to be asked for, as nothing is injected or they cannot be computed [B]; their
    /// inputs and bases are 0 and their scales NaN. Empty where there is none.
    std::vector<char> set_aside = {};
    /// Maps [B, Z, R, 1, C], then scalars [B, 1, 1, 1, C], times [1, 1, 1, T, C], series of the cases [B, 1, 1, T, C]
    /// and fields of the reduced physics [B, Z, R, T, C]; groups without channels are left out. Ready-made channels are
    /// one group [B, Z, R, T, C].
    std::vector<InputGroup> inputs;
    /// What a network's value of a field is multiplied by in each case [B, T, F], 1 in the place of T where no field's
    /// factors vary in time; empty for ready-made channels.
    Tensor scales;
    /// What a network corrects, [B, Z, R, T, F] each: prediction = base + correction * network. The base is normalised
    /// like the outputs, 0 where a field has none; the correction is the field's residual scale where it may act, else
    /// 0. Both are 0 in inactive cells, and empty when no field has a base.
    Tensor base;
    Tensor correction;
    /// Largest physical values of a field in each case [B, F], infinity where there is no limit; empty without any.
    Tensor limits;
    /// Fields of the physics that are asked for as they are [B, Z, R, T], in their units, by name.
    std::map<std::string, Tensor> physics_fields = {};
    /// CO2 that the physics injects until each time [B][T] [Mt], where the pressure in wells has limits; else empty.
    std::vector<std::vector<float>> injected = {};
    /// Normalised outputs [B, Z, R, T, F], 0 in inactive cells; empty when the file has none or none were asked for.
    Tensor targets;
    /// 1 in active cells, 0 elsewhere [B, Z, R].
    Tensor active;
    /// Extents of a whole case, space before time; tensors may hold a box of it. Empty where inputs tell them.
    Shape extents = {};

    /// Whether no network is to be asked for the n-th case.
    bool is_set_aside(std::size_t n) const { return !set_aside.empty() && set_aside[n] != 0; }
};

/// Of Batch::scales that of field f in case n at time t.
double scale_at(const Tensor& scales, std::size_t n, std::size_t t, std::size_t f);

/// Where batches come from. load() may be called from any one thread at a time.
class BatchSource {
   public:
    virtual ~BatchSource() = default;
    /// Number of cases N.
    virtual std::int64_t cases() const = 0;
    /// Extents of one case, space before time: [Z, R, T].
    virtual Shape extents() const = 0;
    /// Names of the channels in the order of the concatenated groups of a batch.
    virtual std::vector<std::string> channels() const = 0;
    /// Loads cases. Throws InvalidInput for a case out of range, InvalidData naming file, array, case and cell for a
    /// damaged file or a value that is not finite in an active cell.
    virtual Batch load(std::span<const std::int64_t> cases) const = 0;
};

/// Whether a source reads the outputs that a file has.
enum class Targets { read, skip };

/// Batches of a data set; scales belong to `fields`, targets are filled when asked for and the file has outputs.
/// `physics`, of the same data set, gives what channels and fields read from it; it is computed while a batch is
/// loaded, where no file holds it; `physics_fields` of it come with the batch. What a network computes with is made in
/// double precision and kept as `type`, float32 or float64. With `failures`, cases that cannot be loaded are added to
/// them and set aside, as are those without injection. The data set must outlive the source.
/// Throws InvalidInput for channels that contradict themselves or physics that is missing, InvalidData when the file
/// has outputs to read but not those of `fields` in the same unit.
std::unique_ptr<BatchSource> dataset_source(const Dataset& dataset, std::vector<Channel> channels,
                                            std::vector<Field> fields, Targets targets = Targets::read,
                                            std::shared_ptr<CasePhysics> physics = nullptr,
                                            std::vector<std::string> physics_fields = {}, DType type = DType::float32,
                                            std::shared_ptr<CaseFailures> failures = nullptr);

/// Batches of a file with ready-made channels: `/channels` [N, Z, R, T, C], names in its attribute `names` (default for
/// twelve channels: those of published_channels()). Cells whose permeability_r channel (else the first) is 0 at the
/// first time are inactive. Throws IoError or InvalidData.
std::unique_ptr<BatchSource> channel_file_source(const std::string& path);

}  // namespace plumecast
