#pragma once

#include <map>
#include <memory>
#include <vector>

#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/levels.hpp>
#include <plumecast/layers/parameters.hpp>
#include <plumecast/layers/shared_spectrum.hpp>

namespace plumecast {

/// One spectral_conv() under way. Its messages travel while the caller computes other branches of the block: those of
/// the spectrum from the beginning to mix(), those of the result from there to finish(); in backward() likewise.
class SpectralBranch {
   public:
    /// Transforms this rank's box of x and sends. `last` may name what hands on its gradient after this one has, so
    /// that its messages travel meanwhile. With `part`, the transform of a box, the result is wanted there only: for
    /// one rank alone. Collective, all three.
    SpectralBranch(const Variable& x, const Variable& weight, std::shared_ptr<const SharedSpectrum> spectrum,
                   const Variable& last = {}, std::shared_ptr<const SpectralTransform> part = nullptr);
    /// Mixes the channels of each mode that this rank owns, and sends the result on its way back.
    void mix();
    /// f(F^-1(W . F(x)) + addend). Once, after mix().
    Variable finish(Epilogue epilogue);

   private:
    struct Backward;

    Variable x_, weight_, start_;
    Shape result_;
    std::shared_ptr<const SharedSpectrum> shared_, to_;
    Relocation travelling_;
    std::shared_ptr<Tensor> spectrum_;
    std::shared_ptr<Backward> backward_;
};

/// y = f(F^-1(W . F(x)) + addend): one complex matrix per kept mode (Li et al., "Fourier neural operator for parametric
/// partial differential equations", ICLR 2021). x [B, space..., T, I]; weight [2m per space axis..., mt, 2 (re, im), I,
/// O], space modes ordered 0..m-1, -m..-1.
/// Where ranks hold the field in boxes, the weight is that of this rank's modes, [owned, mt, 2, I, O]; its gradient is
/// complete. Collective. `part`: see SpectralBranch.
Variable spectral_conv(const Variable& x, const Variable& weight, std::shared_ptr<const SharedSpectrum> spectrum,
                       Epilogue epilogue = {}, std::shared_ptr<const SpectralTransform> part = nullptr);

/// Weight of spectral_conv(), real and imaginary parts uniform in [0, 1 / (I O)) as published, and its transforms.
class SpectralConv {
   public:
    /// `modes`: m of each space axis, then mt.
    SpectralConv(const Scope& scope, const std::vector<std::int64_t>& modes, std::int64_t inputs, std::int64_t outputs);
    /// x on level 0 of `levels`.
    Variable operator()(const Variable& x, Epilogue epilogue = {}, const Levels& levels = {}) const;
    /// The same under way; see SpectralBranch. Where this rank is alone, the result may be wanted on the first `kept`
    /// cells and times only.
    SpectralBranch start(const Variable& x, const Levels& levels = {}, const Variable& last = {},
                         const Shape& kept = {}) const;
    /// Whether the spectrum is made here, without other ranks and without the steps that make it the same on all grids.
    bool is_alone(const Levels& levels) const;

    const Variable& weight() const { return weight_; }

   private:
    std::shared_ptr<const SpectralTransform> part(Backend& backend, const Shape& extents, const Shape& kept) const;

    std::vector<std::int64_t> modes_;
    Variable weight_;
    const ProcessGrid* grid_ = nullptr;
    Cuts owners_;
    // Networks meet one grid in training and few in prediction.
    mutable std::map<std::string, std::shared_ptr<const SharedSpectrum>> grids_;
    mutable std::map<std::string, std::shared_ptr<const SpectralTransform>> parts_;
};

}  // namespace plumecast
