#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <plumecast/training/training_observer.hpp>

namespace plumecast {

/// The learning curves of a run as TensorBoard reads them: a file in the run's folder to which every epoch adds the
/// scalars `loss/train`, `loss/validation`, `learning_rate`, `seconds` and `FIELD/mpe`, `/mre`, `/relative_l2`, `/r2`,
/// `/r2_plume`, `/mae`, the epoch as their step.
class EventFile {
   public:
    /// Name of the file; TensorBoard reads those with "tfevents" in it.
    static constexpr const char* name = "events.out.tfevents.plumecast";

    /// Opens or begins the file in a folder and makes it agree with the epochs so far: what a killed run left half
    /// written and later epochs go, missing ones are added. Throws InvalidData when the file there is none of these,
    /// IoError when it cannot be written.
    EventFile(const std::string& folder, const std::vector<EpochReport>& history);

    /// Appends an epoch that ended now. Throws IoError.
    void add(const EpochReport& report);

   private:
    int keep_until(int last_epoch);
    void append(const std::string& bytes);

    std::filesystem::path path_;
    std::ofstream file_;
};

}  // namespace plumecast
