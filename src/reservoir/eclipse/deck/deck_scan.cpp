#include "reservoir/eclipse/deck/deck_scan.hpp"

#include <optional>

#include "reservoir/eclipse/deck/deck_dates.hpp"
#include "reservoir/eclipse/deck/deck_paths.hpp"

namespace plumecast::eclipse {
namespace {

constexpr int deepest_scan = 8;
constexpr int most_scanned_files = 256;

class DeckScan {
   public:
    DeckScan(const std::filesystem::path& path, bool has_pore_volumes)
        : paths_(path.parent_path()), has_pore_volumes_(has_pore_volumes) {}

    void read(const std::filesystem::path& path, int depth);
    const ScannedDeck& deck() const { return deck_; }

   private:
    void take(const DeckWord& word, DeckWords& words, int depth);
    void include(const DeckWord& keyword, DeckWords& words, int depth);
    void mention(const std::string& name);
    void records_of_changes(DeckWords& words);
    void temperatures(const std::string& name, DeckWords& words);
    void further_records(const std::string& name, const std::string& regions, LeftOutKind kind, DeckWords& words);
    void options_of_saturation(DeckWords& words);
    void limits_of_injectors(DeckWords& words);
    bool changes_nothing(const std::string& name, DeckWords& words);

    DeckPaths paths_;
    bool has_pore_volumes_;
    int files_ = 0;
    bool is_over_ = false;
    bool is_schedule_ = false;  // section SCHEDULE has begun
    ScannedDeck deck_;
};

void DeckScan::read(const std::filesystem::path& path, int depth) {
    DeckWords words(path);
    ++files_;
    bool is_at_record = true;  // nothing but a keyword, or the first word of a record, can follow
    for (DeckWord word = words.next(); !word.is_end() && !is_over_; word = words.next()) {
        const bool may_have_remark = is_at_record;
        is_at_record = word.closes();
        if (!word.is_first || !word.is_name()) {
            continue;
        }
        const std::string name = word.name();
        const auto keyword = deck_keyword(name);
        if (may_have_remark && keyword && words.has_remark()) {
            words.skip_line();
        } else if (!words.is_alone()) {
            continue;
        }
        is_at_record = true;
        if (keyword && keyword->role == DeckRole::end_file) {
            return;
        }
        if (name == "START" || name == "DATES") {
            for (const std::string& date : wrong_dates(words, name == "DATES")) {
                deck_.left_out.add(LeftOutKind::dates, name + " " + date);
            }
        } else if (name == "WCONINJE") {
            limits_of_injectors(words);
        } else if (keyword) {
            take(word, words, depth);
        }
    }
}

void DeckScan::take(const DeckWord& word, DeckWords& words, int depth) {
    const std::string name = word.name();
    const DeckKeyword keyword = *deck_keyword(name);
    is_schedule_ = is_schedule_ || name == "SCHEDULE";
    deck_.has_co2_store = deck_.has_co2_store || name == "CO2STORE" || name == "CO2STOR";
    if (name == "DISGASW" || (name == "DISGAS" && deck_.dissolved_ratio.empty())) {
        deck_.dissolved_ratio = name == "DISGASW" ? "RSW" : "RS";
    }
    if (keyword.role == DeckRole::title) {
        words.skip_title();
    } else if (keyword.role == DeckRole::end_deck) {
        is_over_ = true;
    } else if (keyword.role == DeckRole::paths) {
        paths_.read_aliases(words);
    } else if (keyword.role == DeckRole::include) {
        include(word, words, depth);
    } else if (keyword.role == DeckRole::skip) {
        for (DeckWord next = words.next(); !next.is_end() && next.name() != "ENDSKIP"; next = words.next()) {
        }
    } else if (keyword.role == DeckRole::changes && keyword.records == DeckRecords::list) {
        records_of_changes(words);
    } else if (lists_names(name)) {
        for (DeckWord next = words.next(); !next.is_end() && !next.closes(); next = words.next()) {
        }
    } else if (name == "SATOPTS") {
        options_of_saturation(words);
    } else if (name == "SALINITY") {
        if (const std::optional<double> number = number_of_record(words)) {
            deck_.molality = number;
        }
    } else if (name == "RTEMPVD" || name == "TEMPVD") {
        temperatures(name, words);
    } else if (name == "ROCK") {
        const std::vector<std::optional<double>> items = items_of_record(words);
        if (items.size() > 1 && !deck_.rock_compressibility) {
            deck_.rock_compressibility = items[1];  // beside its reference pressure
        }
        further_records("ROCK", "ROCKNUM", LeftOutKind::rock, words);
    } else if (is_schedule_ || !neutral_value(name) || !changes_nothing(name, words)) {
        mention(name);  // in SCHEDULE a neutral value may take back an earlier one
    }
}

/// A table of depths and temperatures without defaults.
void DeckScan::temperatures(const std::string& name, DeckWords& words) {
    std::vector<double> numbers;
    bool is_whole = true;
    for (const std::optional<double> item : items_of_record(words)) {
        is_whole = is_whole && item.has_value();
        numbers.push_back(item.value_or(0.0));
    }
    if (is_whole && numbers.size() > 1 && numbers.size() % 2 == 0 && deck_.temperatures.empty()) {
        deck_.temperatures = std::move(numbers);
    }
    further_records(name, "EQLNUM", LeftOutKind::fluids, words);
}

/// Notes the records of a keyword behind the first one, which hold in other regions.
void DeckScan::further_records(const std::string& name, const std::string& regions, LeftOutKind kind,
                               DeckWords& words) {
    for (DeckWord word = words.next(); !word.is_end(); word = words.next()) {
        if (word.is_name()) {
            words.put_back(word);
            return;
        }
        if (!word.closes()) {
            deck_.left_out.add(kind, name + " of further regions (" + regions + ")");
            items_of_record(words);
        }
    }
}

void DeckScan::include(const DeckWord& keyword, DeckWords& words, int depth) {
    const DeckWord name = included_name(keyword, words);
    const std::filesystem::path path = paths_.file(name, words);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        deck_.left_out.add(LeftOutKind::missing_files, "INCLUDE '" + printable(name.text) + "'");
    } else if (depth < deepest_scan && files_ < most_scanned_files && std::filesystem::is_regular_file(path, ignored)) {
        read(path, depth + 1);
    }
}

void DeckScan::mention(const std::string& name) {
    const auto keyword = deck_keyword(name);
    const bool changes_flow =
        keyword && (keyword->left_out == LeftOutKind::faults || keyword->left_out == LeftOutKind::transmissibility ||
                    keyword->left_out == LeftOutKind::pore_volume || name == "MULTPV");
    if (is_schedule_ && changes_flow) {
        deck_.left_out.add(LeftOutKind::later_changes, name + " of section SCHEDULE");
        return;
    }
    const bool is_left_out =
        keyword && (keyword->role == DeckRole::left_out || keyword->role == DeckRole::local_grid ||
                    (keyword->role == DeckRole::refused && keyword->left_out != LeftOutKind::unknown));
    // The grid file holds the corners, and the first state how the run begins.
    if (is_left_out && keyword->left_out != LeftOutKind::block_geometry &&
        keyword->left_out != LeftOutKind::initial_state) {
        deck_.left_out.add(keyword->left_out, name);
    } else if (name == "MULTPV" && !has_pore_volumes_) {
        deck_.left_out.add(LeftOutKind::pore_volume, name);
    }
}

/// Each record of EQUALS and its kin begins with the array that it changes.
void DeckScan::records_of_changes(DeckWords& words) {
    for (DeckWord target = words.next(); !target.is_end() && !target.closes(); target = words.next()) {
        if (target.is_first && target.is_name() && words.is_alone() && deck_keyword(target.name())) {
            words.put_back(target);  // the empty record is missing
            return;
        }
        mention(target.name());
        for (DeckWord word = words.next(); !word.is_end() && !word.closes(); word = words.next()) {
        }
    }
}

void DeckScan::options_of_saturation(DeckWords& words) {
    for (DeckWord option = words.next(); !option.is_end() && !option.closes(); option = words.next()) {
        if (option.name() == "HYSTER") {
            deck_.left_out.add(LeftOutKind::hysteresis, "SATOPTS HYSTER");
        }
    }
}

/// The records of WCONINJE, up to an empty one.
void DeckScan::limits_of_injectors(DeckWords& words) {
    constexpr std::size_t pressure_item = 6;
    for (auto items = items_of_record(words); !items.empty(); items = items_of_record(words)) {
        if (items.size() > pressure_item && items[pressure_item]) {
            deck_.pressure_limits.push_back(*items[pressure_item]);
        }
    }
}

/// True when all numbers up to the end of the keyword have the value with which it changes nothing.
bool DeckScan::changes_nothing(const std::string& name, DeckWords& words) {
    const double neutral = *neutral_value(name);
    const bool is_list = deck_keyword(name)->records == DeckRecords::list;
    bool is_neutral = true;
    bool is_empty = true;
    for (DeckWord word = words.next(); !word.is_end(); word = words.next()) {
        if (word.closes()) {
            if (!is_list || is_empty) {
                break;
            }
            is_empty = true;
            continue;
        }
        if (word.is_first && word.is_name() && words.is_alone() && deck_keyword(word.name())) {
            words.put_back(word);
            break;
        }
        is_empty = false;
        double value = 0.0;
        const std::string number = word.text.substr(word.text.find('*') + 1);
        const bool is_number = !word.is_quoted && parse_fortran_number(number, value);
        is_neutral = is_neutral && (!is_number || value == neutral);
    }
    return is_neutral;
}

}  // namespace

ScannedDeck scan_deck(const std::filesystem::path& path, bool has_pore_volumes) {
    DeckScan scan(path, has_pore_volumes);
    scan.read(path, 0);
    return scan.deck();
}

}  // namespace plumecast::eclipse
