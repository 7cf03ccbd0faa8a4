#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/shape.hpp>
#include <plumecast/reservoir/dataset/grid_place.hpp>
#include <plumecast/reservoir/dataset/rollout.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

class DatasetStore;
struct MemoryCases;

/// Cases of the data set format open for reading: a `plumecast-dataset` file, or arrays in the caller's memory. Opening
/// checks arrays, shapes, units, grid and scalars; maps and outputs are read case by case on demand. Reading may be
/// done from several threads. Nothing behind a data set depends on where its cases lie.
class Dataset {
   public:
    /// Throws IoError when the file cannot be read, InvalidData naming the file, the array and the remedy when its
    /// content violates the format.
    explicit Dataset(const std::string& path);
    /// The same of a file that messages, and path(), call by another name: what the user does not know it by.
    Dataset(const std::string& path, std::string called);
    /// Cases in memory, whose maps and outputs must outlive this. Throws InvalidData as for a file, and for an array
    /// that the format or the kind of grid does not know or an attribute that is misspelt, naming the nearest one.
    explicit Dataset(MemoryCases cases);
    ~Dataset();
    Dataset(Dataset&&) noexcept;
    Dataset& operator=(Dataset&&) noexcept;

    /// Path of the file, or what messages call the cases in memory.
    const std::string& path() const;
    /// True for a file, false for cases in memory.
    bool is_file() const;
    /// Number of cases N.
    std::int64_t cases() const { return cases_; }
    Geometry geometry() const { return geometry_; }
    /// Extents of a map: [Z, R], or [Z, Y, X] of a Cartesian grid; of generic data [Z, Y, X], [Y, X] or [1, X].
    Shape space() const;
    /// Cells of a map.
    std::int64_t cells() const { return space().count(); }
    /// Rows Z; columns R, or X of a Cartesian grid; snapshots T.
    std::int64_t rows() const { return static_cast<std::int64_t>(z_edges_.size()) - 1; }
    std::int64_t columns() const { return static_cast<std::int64_t>(last_edges().size()) - 1; }
    std::int64_t snapshots() const { return static_cast<std::int64_t>(times_.size()); }

    /// Radial cell edges [R+1] [m], increasing; empty for any other grid.
    const std::vector<double>& r_edges() const { return r_edges_; }
    /// Cell edges [X+1] and [Y+1] [m], increasing; empty for a radial grid. Of generic data those midway between the
    /// points; with two axes z_edges() are of the first, and y_edges() are empty.
    const std::vector<double>& x_edges() const { return x_edges_; }
    const std::vector<double>& y_edges() const { return y_edges_; }
    /// Edges of the last axis of space: r, or x.
    const std::vector<double>& last_edges() const { return geometry_ == Geometry::radial ? r_edges_ : x_edges_; }
    /// Depth of the cell edges below the top of the formation [Z+1] [m], increasing.
    const std::vector<double>& z_edges() const { return z_edges_; }
    /// Times of the snapshots [T] [day], increasing.
    const std::vector<double>& times() const { return times_; }

    /// Where a Cartesian grid lies on the map, as far as the file says (docs/data_format.md).
    const GridPlace& place() const { return place_; }

    /// Depth of the top of the formation below the surface [m], as the attribute `top_depth` or the end of `origin`
    /// states it; nothing otherwise.
    std::optional<double> top_depth() const { return top_depth_; }
    /// Radius of the wells [m] that the attribute `well_radius` states; nothing otherwise.
    std::optional<double> well_radius() const { return well_radius_; }

    /// Ends of the periods [P] [day] of a schedule of rates, increasing; empty where the rate of each case is constant.
    const std::vector<double>& schedule_ends() const { return schedule_ends_; }
    /// Rates [N, W, P] of the wells in these periods [Mt/year]; after the last nothing is injected. The scalar
    /// "injection_rate" is then the mean over the periods until the last injection of a case.
    const std::vector<float>& schedule_rates() const { return schedule_rates_; }

    bool has_outputs() const { return !outputs_.empty(); }
    /// Names of the outputs that there are.
    const std::vector<std::string>& outputs() const { return outputs_; }

    /// A text attribute ("title", "source", "history", "model" ...); empty when absent.
    std::string attribute(const std::string& name) const;
    /// The number that one of number_attributes() states for all cases ("entry_pressure", in bar); nothing where the
    /// data set does not state it.
    std::optional<double> stated(std::string_view attribute) const;

    /// The arrays that the data set may have: those of its kind of grid, of generic data those that it has.
    std::span<const ArraySpec> arrays() const;
    /// The array of that name among them; nullptr when there is none. Inputs and coordinates of generic data are named
    /// by their paths, "/inputs/coefficient", outputs without, as elsewhere.
    const ArraySpec* find(std::string_view name) const;
    /// True when there is an input or output of that name.
    bool has(std::string_view name) const;
    /// Throws InvalidData for generic data, of which `what`, "a report", cannot be made: they describe no reservoir.
    void require_reservoir(std::string_view what) const;
    /// True where nothing is injected into a case, whose answer is then known to be 0; never of generic data.
    bool injects_nothing(std::int64_t which) const;
    /// Values [Z, Y, X] of a quantity that cells have in all cases, such as "cell_volume" [m3]; empty when the file has
    /// none, as for the boxes that the edges describe.
    const std::vector<float>& cell_values(std::string_view name) const;
    /// Transmissibilities [K] of a case [cP m3/(day bar)] between the cells "connection_first" and "connection_second"
    /// among the values of cells, which are no neighbours by their indices; empty without such connections. Throws
    /// InvalidInput for a case out of range, InvalidData for a damaged file.
    std::vector<float> connection_transmissibilities(std::int64_t which) const;

    /// Per-case values [N] of an input without axes, for example "injection_rate" [Mt/year].
    /// Throws InvalidInput for an unknown name, InvalidData when the file lacks an optional one.
    const std::vector<float>& scalar(std::string_view name) const;

    /// Reads a map of the given cases into `out` [n, space...], in the unit of the format; "active" as 0 or 1.
    /// Throws InvalidInput for an unknown name or a case out of range, InvalidData for a damaged file or one whose kind
    /// of grid has no such map.
    void read_map(std::string_view name, std::span<const std::int64_t> cases, std::span<float> out) const;
    /// Reads an input of generic data that varies in time into `out`: [n, T], or [n, T, space...] where it varies in
    /// space too. Throws InvalidInput for another name or a case out of range, InvalidData for a damaged file.
    void read_varying(std::string_view name, std::span<const std::int64_t> cases, std::span<float> out) const;
    /// Coordinates of the points of generic data along an axis of space(), as the file states them, or 0 to 1.
    std::vector<double> coordinates(int axis) const;
    /// Reads an output of the given cases into `out` [n, T, space...], in physical units; inactive cells as stored.
    void read_output(std::string_view name, std::span<const std::int64_t> cases, std::span<float> out) const;

    /// All windows of the times of generic data as cases of their own, each with the outputs before it as its states;
    /// first those of the first case. Throws InvalidData for states or times that the data do not have.
    Dataset windows(const RolloutOptions& rollout) const;
    /// The window from time `start` on of each case, with `rolled` for the outputs before it, which must outlive it.
    Dataset window(const RolloutOptions& rollout, std::int64_t start, const RolledOutputs& rolled) const;

   private:
    explicit Dataset(std::shared_ptr<const DatasetStore> store);
    void read_grid();
    void read_points();
    void read_schedule();
    void read_scalars();
    void read_cell_values();
    void check_connections() const;
    void check_arrays();
    void read_cases(const std::string& path, std::int64_t per_case, std::span<const std::int64_t> cases,
                    std::span<float> out) const;

    std::shared_ptr<const DatasetStore> store_;
    std::int64_t cases_ = 0;
    Geometry geometry_ = Geometry::radial;
    std::vector<ArraySpec> own_arrays_;             // of generic data
    std::vector<std::vector<double>> coordinates_;  // of generic data, by axis of space()
    std::vector<double> r_edges_;
    std::vector<double> x_edges_;
    std::vector<double> y_edges_;
    std::vector<double> z_edges_;
    std::vector<double> times_;
    GridPlace place_;
    std::vector<double> schedule_ends_;
    std::vector<float> schedule_rates_;
    std::optional<double> top_depth_;
    std::optional<double> well_radius_;
    std::map<std::string, std::vector<float>, std::less<>> scalars_;
    std::map<std::string, std::vector<float>, std::less<>> cell_values_;
    std::vector<std::string> outputs_;
};

}  // namespace plumecast
