#pragma once

#include <map>
#include <memory>
#include <vector>

#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/levels.hpp>
#include <plumecast/layers/line_exchange.hpp>
#include <plumecast/layers/mode_exchange.hpp>
#include <plumecast/layers/parameters.hpp>
#include <plumecast/spectral/spectral_transform.hpp>

namespace plumecast {

/// How spectra come together where ranks hold a field in boxes: by shares of all modes, or by lines; neither for one
/// rank alone.
struct SpectrumRoute {
    std::shared_ptr<const ModeExchange> modes;
    std::shared_ptr<const LineExchange> lines;
};

/// A transform on the cells that this rank has, and the way of its spectra.
struct SpectrumPath {
    std::shared_ptr<const SpectralTransform> transform;
    SpectrumRoute route;
};

/// y = f(F^-1(W . F(x)) + addend): one complex matrix per kept mode (Li et al., "Fourier neural operator for parametric
/// partial differential equations", ICLR 2021). x [B, space..., T, I]; weight [2m per space axis..., mt, 2 (re, im), I,
/// O], space modes ordered 0..m-1, -m..-1.
/// Where ranks hold the field in boxes, `route` brings spectra together, `transform` is that of this rank's box (of the
/// whole field for lines), and the weight is that of this rank's modes, [owned, mt, 2, I, O]; its gradient is complete.
/// Collective.
Variable spectral_conv(const Variable& x, const Variable& weight, std::shared_ptr<const SpectralTransform> transform,
                       Epilogue epilogue = {}, SpectrumRoute route = {});
/// The same with the result on the cells of `to`, which may be fewer than those of x, `from`.
Variable spectral_conv(const Variable& x, const Variable& weight, const SpectrumPath& from, const SpectrumPath& to,
                       Epilogue epilogue);

/// Weight of spectral_conv(), real and imaginary parts uniform in [0, 1 / (I O)) as published, and its transforms.
class SpectralConv {
   public:
    /// `modes`: m of each space axis, then mt.
    SpectralConv(const Scope& scope, const std::vector<std::int64_t>& modes, std::int64_t inputs, std::int64_t outputs);
    /// x on level 0 of `levels`. One rank alone may ask for the result on the first `kept` cells and times only.
    Variable operator()(const Variable& x, Epilogue epilogue = {}, const Levels& levels = {},
                        const Shape& kept = {}) const;

    const Variable& weight() const { return weight_; }

   private:
    bool transposes(const Shape& extents) const;
    const SpectrumPath& path(Backend& backend, const Shape& extents, const Levels& levels, const Shape& held) const;
    SpectrumPath made_for(Backend& backend, const Shape& extents, const Levels& levels, const Shape& held) const;

    std::vector<std::int64_t> modes_;
    Variable weight_;
    const ProcessGrid* grid_ = nullptr;
    Cuts owners_;
    // Networks meet one grid in training and few in prediction.
    mutable std::map<std::string, SpectrumPath> grids_;
};

}  // namespace plumecast
