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
/// Where several ranks hold a field in boxes, each makes a transform of its box: its spectra are the box's partial
/// sums, to be added up over the ranks, and from a whole spectrum it gives the field in its box.
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
    Tensor forward(ConstView field, Scaling scaling) const;
    /// field = f(transpose of forward(., scaling) applied to the spectrum + beta field). Destroys the spectrum.
    void inverse(Tensor spectrum, OutputRef field, Activation f, Scaling scaling) const;

    /// The same for all axes but some of the space axes, `left`, along which the field holds any cells: signed modes of
    /// the other axes and of time, [B, modes or cells per space axis..., 2 (re, im), mt C].
    Tensor forward(ConstView field, Scaling scaling, const std::vector<int>& left) const;
    void inverse(Tensor spectrum, OutputRef field, Activation f, Scaling scaling, const std::vector<int>& left) const;
    /// A space axis that was left: the cells of it that the transform holds, [outer, cells, mid, 2, inner] -> [outer, 2
    /// m, mid, 2, inner], and the transpose.
    Tensor forward_lines(int axis, ConstView lines) const;
    Tensor inverse_lines(int axis, Tensor spectrum) const;

   private:
    struct SpaceAxis {
        SpaceModes modes;
        std::int64_t held;     // cells of the axis in fields
        Tensor rows, columns;  // [2 (m+1), held] and its transpose
    };
    Tensor transform(const Tensor& matrix, ConstView x, std::int64_t outer, std::int64_t inner) const;
    Tensor combined(std::size_t axis, Tensor separate, std::int64_t outer, std::int64_t mid, std::int64_t inner) const;
    Tensor separated(std::size_t axis, Tensor spectrum, std::int64_t outer, std::int64_t mid, std::int64_t inner) const;
    bool holds_nothing(const std::vector<int>& left) const;
    Shape partly_transformed(const Shape& field, const std::vector<int>& left) const;
    Tensor forward_by_axes(ConstView field, Scaling scaling, const std::vector<int>& left) const;
    void inverse_by_axes(Tensor spectrum, OutputRef field, Activation f, Scaling scaling,
                         const std::vector<int>& left) const;

    Backend* backend_;
    Shape held_;
    std::vector<SpaceAxis> space_;
    TimeModes time_;
    FourierGrid plain_, inverse_;  // all of it at once, by scaling
    Tensor time_rows_, time_rows_inverse_, time_columns_, time_columns_inverse_;
};

}  // namespace plumecast
