#pragma once

#include <array>
#include <span>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

namespace plumecast {

/// One field of one case, predicted and true, in physical units and host memory. Only active cells are ever read.
struct FieldCase {
    ConstView prediction;                    ///< [Z, R, T] float32
    ConstView truth;                         ///< [Z, R, T] float32
    ConstView active;                        ///< [Z, R] float32, zero where the cell takes no part.
    std::span<const double> pore_volumes{};  ///< [Z * R] [m3] for mass_error of a saturation; may be empty.
};

/// Errors of one field of one case, p predicted and s true, over active cells and all times. None is NaN unless a
/// prediction or truth in an active cell is: such a value counts as plume and shows in every error.
struct CaseErrors {
    /// Plume error: mean |p - s| over cells and times with s > 0.01 or p > 0.01; 0 when there are none. Meant for gas
    /// saturation (Wen et al. 2022).
    double mpe = 0.0;
    /// Mean over times of mean |p - s| over cells / max s over cells, leaving out times whose max s is not positive; 0
    /// when none is left. Meant for pressure build-up (Wen et al. 2022).
    double mre = 0.0;
    /// ||p - s|| / ||s||; when s is zero everywhere, 0 if p is too and 1 otherwise.
    double relative_l2 = 0.0;
    /// 1 - SSE / SST with SST about the mean of s; when s is constant, 1 if p equals it and 0 otherwise.
    double r2 = 0.0;
    /// The same over the cells and times of mpe; 1 when there are none.
    double r2_plume = 0.0;
    /// Mean |p - s| in the unit of the field; 0 without active cells.
    double mae = 0.0;
    /// Root of the mean of (p - s)^2 in the unit of the field; 0 without active cells.
    double rmse = 0.0;
    /// mass_error() of mass_balance.hpp; 0 when the case carries no pore volumes.
    double mass_error = 0.0;
};

/// The members of CaseErrors in order, to run over all of them.
inline constexpr double CaseErrors::*case_error_members[] = {
    &CaseErrors::mpe,      &CaseErrors::mre, &CaseErrors::relative_l2, &CaseErrors::r2,
    &CaseErrors::r2_plume, &CaseErrors::mae, &CaseErrors::rmse,        &CaseErrors::mass_error};

/// Squared error and squared deviation of the truth, pooled without cancellation (Chan, Golub and LeVeque 1979).
class Determination {
   public:
    void add(double prediction, double truth);
    void add(const Determination& other);
    /// 1 - SSE / SST, with the degenerate values of CaseErrors::r2; 1 when nothing was added.
    double r2() const;

    /// The state as numbers, to be sent to another rank, and back.
    std::array<double, 4> numbers() const { return {count_, mean_, deviation_, error_}; }
    static Determination of_numbers(std::span<const double, 4> numbers);

   private:
    double count_ = 0.0;
    double mean_ = 0.0;
    double deviation_ = 0.0;
    double error_ = 0.0;
};

/// Sums over the cells of a case, or of a box of it that a rank holds; its errors follow from those of all boxes.
struct CaseSums {
    /// Over the active cells at one time.
    struct Time {
        double absolute = 0.0, largest = 0.0, cells = 0.0;
    };

    double absolute = 0.0, count = 0.0, square_error = 0.0, square_truth = 0.0;
    double plume_absolute = 0.0, plume_count = 0.0;
    double gas_predicted = 0.0, gas_true = 0.0;  ///< volumes at the last time; 0 when no pore volumes were given
    Determination all, plume;
    std::vector<Time> times;

    /// Throws InvalidInput when its shapes differ.
    static CaseSums of(const FieldCase& one);
    /// Adds another box of the same case.
    void join(const CaseSums& other);
    CaseErrors errors() const;

    /// The state as numbers, always as many for so many times, and back.
    std::vector<double> numbers() const;
    static CaseSums of_numbers(std::span<const double> numbers);
};

/// Errors of many cases of one field: per case, in the mean, and pooled. Used by evaluation and by validation.
class ErrorSummary {
   public:
    /// Adds a case and returns its errors. Throws InvalidInput when its shapes differ.
    CaseErrors add(const FieldCase& one);
    CaseErrors add(const CaseSums& sums);
    /// Adds the cases of another summary.
    void add(const ErrorSummary& other);

    /// Errors of each case in the order added.
    std::span<const CaseErrors> cases() const { return cases_; }
    /// Mean over cases; zeros without cases.
    CaseErrors mean() const;
    /// Standard deviation over cases (division by their number); zeros without cases.
    CaseErrors deviation() const;
    /// Each error's own quantile over cases, linear between ranks; q in [0, 1], 0.9 for the error nine in ten cases
    /// stay below. Throws InvalidInput for another q; zeros without cases.
    CaseErrors quantile(double q) const;
    /// R2 over the active cells and times of all cases at once.
    double pooled_r2() const { return all_.r2(); }
    /// R2 over the plume cells and times of all cases at once.
    double pooled_r2_plume() const { return plume_.r2(); }

   private:
    std::vector<CaseErrors> cases_;
    Determination all_;
    Determination plume_;
};

}  // namespace plumecast
