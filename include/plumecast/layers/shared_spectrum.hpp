#pragma once

#include <memory>
#include <vector>

#include <plumecast/distributed/process_grid.hpp>
#include <plumecast/spectral/spectral_transform.hpp>
#include <plumecast/spectral/spectrum_route.hpp>

namespace plumecast {

/// The truncated spectrum of a field, also where ranks hold the field in boxes: each rank transforms and truncates the
/// axes that it holds whole, then y among the ranks along y and x among those along x (AxisExchange), by
/// reduce-scatter or all-to-all transpose, whichever of the two sends less for the axis. Only kept modes of the other
/// axes ever travel:
///
///   8 B C S n_x [n_y (1 - 1/Py) + (Ky / Py) (1 - 1/Px)] bytes per rank in (Py - 1) + (Px - 1) messages,
///
/// with S = Kz Kt and n_a the cells held of an axis by transpose, its kept modes by reduce-scatter. Each rank ends with
/// all time modes of the space modes that it owns.
///
/// Forward and inverse transform start and finish apart: one exchange of each is in flight while the caller does other
/// work.
class SharedSpectrum {
   public:
    using Scaling = SpectralTransform::Scaling;

    /// One rank alone, or a field that is not cut.
    explicit SharedSpectrum(std::shared_ptr<const SpectralTransform> transform);
    /// `extents` [space..., T] of the whole field and its mode counts; `partition` says who holds which cells, nullptr
    /// when this rank holds the first `kept` cells and times; `owners` is ProcessGrid::owners() of the modes. The grid
    /// must outlive this.
    SharedSpectrum(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes,
                   const Partition* partition, const Shape& kept, const ProcessGrid& grid, const AxisPartition& owners);

    /// Shape of this rank's part of a field of so many cases and channels.
    Shape field_shape(std::int64_t batch, std::int64_t channels) const;

    /// A field [B, space..., T, C] on its way to its spectrum. Collective, all four.
    InFlightTensor start_forward(Backend& backend, ConstView field, Scaling scaling) const;
    /// The modes of this rank [B, owned, 2, mt, C], for a field of so many cases and channels.
    Tensor finish_forward(Backend& backend, InFlightTensor in_flight, std::int64_t batch, std::int64_t channels) const;
    /// The transposes.
    InFlightTensor start_inverse(Backend& backend, Tensor own) const;
    void finish_inverse(InFlightTensor in_flight, OutputRef field, Activation f, Scaling scaling) const;

   private:
    std::int64_t pencil(std::int64_t channels) const;
    InFlightTensor start_exchange(Backend& backend, const SpectrumRoute::Stage& stage, std::int64_t batch,
                                  std::int64_t channels, Tensor array) const;

    std::shared_ptr<const SpectralTransform> transform_;
    SpectrumRoute route_;
    Shape held_;  // cells and times of this rank
};

}  // namespace plumecast
