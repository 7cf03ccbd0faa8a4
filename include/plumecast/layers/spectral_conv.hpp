#pragma once

#include <map>
#include <memory>
#include <vector>

#include <plumecast/distributed/levels.hpp>
#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/parameters.hpp>
#include <plumecast/layers/shared_spectrum.hpp>

namespace plumecast {

/// One spectral_conv() under way. Its messages travel while the caller computes other branches of the block: those of
/// the spectrum from the start to multiply(), those of the result from there to finish(); in backward() likewise.
class SpectralBranch {
   public:
    /// Transforms this rank's box of x, the cells of `from`, and sends. The result has the cells of `to`. `last` may
    /// name what hands on its gradient after this one has, so that its messages travel meanwhile. Collective, all
    /// three.
    SpectralBranch(const Variable& x, const Variable& weight, std::shared_ptr<const SharedSpectrum> from,
                   std::shared_ptr<const SharedSpectrum> to, const Variable& last = {});
    /// Multiplies each mode that this rank owns by its matrix, and sends the result on its way back.
    void multiply();
    /// f(F^-1(W . F(x)) + addend). Once, after multiply().
    Variable finish(Epilogue epilogue);

   private:
    struct Backward;

    Variable x_, weight_, start_;
    std::shared_ptr<const SharedSpectrum> from_, to_;
    InFlightTensor in_flight_;
    std::shared_ptr<Tensor> spectrum_;
    std::shared_ptr<Backward> backward_;
};

/// y = f(F^-1(W . F(x)) + addend): one complex matrix per kept mode (Li et al., "Fourier neural operator for parametric
/// partial differential equations", ICLR 2021). x [B, space..., T, I]; weight [2m per space axis..., mt, 2 (re, im), I,
/// O], space modes ordered 0..m-1, -m..-1.
/// Where ranks hold the field in boxes, the weight is that of this rank's modes, [owned, mt, 2, I, O]; its gradient is
/// complete. Collective.
Variable spectral_conv(const Variable& x, const Variable& weight, const std::shared_ptr<const SharedSpectrum>& spectrum,
                       Epilogue epilogue = {});
/// The same with the result on the cells of `to`, which may be fewer than those of x, `from`.
Variable spectral_conv(const Variable& x, const Variable& weight, std::shared_ptr<const SharedSpectrum> from,
                       std::shared_ptr<const SharedSpectrum> to, Epilogue epilogue = {});

/// Weight of spectral_conv(), real and imaginary parts uniform in [0, 1 / (I O)) as published, and its transforms.
class SpectralConv {
   public:
    /// `modes`: m of each space axis, then mt.
    SpectralConv(const Scope& scope, const std::vector<std::int64_t>& modes, std::int64_t inputs, std::int64_t outputs);
    /// x on level 0 of `levels`. One rank alone may ask for the result on the first `kept` cells and times only.
    Variable operator()(const Variable& x, Epilogue epilogue = {}, const Levels& levels = {},
                        const Shape& kept = {}) const;
    /// The same under way; see SpectralBranch.
    SpectralBranch start(const Variable& x, const Levels& levels = {}, const Shape& kept = {},
                         const Variable& last = {}) const;

    const Variable& weight() const { return weight_; }

   private:
    std::shared_ptr<const SharedSpectrum> spectrum(Backend& backend, const Shape& extents, const Levels& levels,
                                                   const Shape& held) const;

    std::vector<std::int64_t> modes_;
    Variable weight_;
    const ProcessGrid* grid_ = nullptr;
    AxisPartition owners_;
    // Networks meet one grid in training and few in prediction.
    mutable std::map<std::string, std::shared_ptr<const SharedSpectrum>> grids_;
};

}  // namespace plumecast
