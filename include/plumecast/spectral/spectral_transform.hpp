#pragma once

#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/box.hpp>
#include <plumecast/spectral/modes.hpp>

namespace plumecast {

/// The truncated real Fourier transform of fields [B, space..., T, C] over space and time, only ever computing the kept
/// modes: one small matrix product per axis, the last space axis first, because that shrinks a real field most.
///
/// Cosine and sine sums are kept apart along every space axis (all arithmetic stays real) and combined to signed
/// frequencies at the end, where little is left. Spectra are planar complex, [B, K, 2 (re, im), mt, C] with
/// K = product of 2 m over the space axes, each ordered 0..m-1, -m..-1.
///
/// Where several ranks hold a field in boxes, each makes a transform of its box: the spectra it analyses are the box's
/// share, to be added up over the ranks, and from a whole spectrum it synthesises the field in its box.
class SpectralTransform {
   public:
    /// plain: unscaled forward transform and its transpose. inverse: each mode times multiplicity / number of cells,
    /// whose transpose is the inverse transform that takes the real part last.
    enum class Scaling { plain, inverse };

    /// `extents` are the space extents followed by T, `modes` one count per entry. Throws InvalidInput for counts that
    /// the grid does not hold. The backend must outlive the transform.
    SpectralTransform(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes);
    /// The share of a box of the space axes, or of space and time; fields then have the box's extents. The box may be
    /// empty.
    SpectralTransform(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes, const Box& held);

    /// Space extents and T of the fields.
    const Shape& held() const { return held_; }
    /// Shape of the spectrum of a field of so many cases and channels.
    Shape spectrum_shape(std::int64_t batch, std::int64_t channels) const;

    /// Spectrum of a field [B, space..., T, C].
    Tensor analyse(ConstView field, Scaling scaling) const;
    /// field = f(transpose of analyse(., scaling) applied to the spectrum + beta field). Destroys the spectrum.
    void synthesise(Tensor spectrum, Target field, Activation f, Scaling scaling) const;

    /// analyse() in two parts, for ranks that cut the last space axis and pass lines of it on between the parts. Time
    /// and all space axes but the last, of which the field [B, space..., T, C] may hold any cells: rows of cosine and
    /// sine sums [B, rows, cells, 2 (re, im), mt C].
    Tensor analyse_others(ConstView field, Scaling scaling) const;
    /// Whole lines of the last space axis [B, rows, cells, 2, columns], for any of the mt C columns, to [B, K, 2,
    /// columns].
    Tensor analyse_last(ConstView lines) const;
    /// The transposes of the two.
    Tensor synthesise_last(Tensor spectrum) const;
    void synthesise_others(ConstView rows, Target field, Activation f, Scaling scaling) const;

   private:
    struct SpaceAxis {
        SpaceModes modes;
        std::int64_t held;     // cells of the axis in fields
        Tensor rows, columns;  // [2 (m+1), held] and its transpose
    };
    Tensor transform(const Tensor& matrix, ConstView x, std::int64_t outer, std::int64_t inner) const;
    Tensor combined(Tensor separate, std::int64_t batch, std::int64_t inner) const;
    Tensor separated(Tensor spectrum, std::int64_t batch, std::int64_t inner) const;
    bool holds_nothing() const;
    std::int64_t cells_before(std::size_t axis) const;
    std::int64_t rows_before(std::size_t axis) const;
    std::int64_t rows_after(std::size_t axis) const;
    std::int64_t modes_after(std::size_t axis) const;

    Backend* backend_;
    Shape held_;
    std::vector<SpaceAxis> space_;
    TimeModes time_;
    Tensor time_rows_, time_rows_inverse_, time_columns_, time_columns_inverse_;
};

}  // namespace plumecast
