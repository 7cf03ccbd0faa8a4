#include <filesystem>
#include <fstream>
#include <string>

#include "reservoir/eclipse/record_bytes.hpp"

using namespace plumecast::testing;

namespace {

void write(const std::filesystem::path& path, const std::string& content) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
}

std::vector<int> head(std::vector<int> values) {
    values.resize(27, 0);
    return values;
}

std::string grid() {
    return integers("FILEHEAD", head({3, 2007, 0, 0, 0, 0, 1})) + texts("GRIDUNIT", {"METRES", ""}) +
           integers("GRIDHEAD", head({1, 1, 1, 1})) + reals("COORD", std::vector<float>(24, 1.0F)) +
           reals("ZCORN", std::vector<float>(8, 2.0F)) + integers("ACTNUM", {1}) + integers("ENDGRID", {});
}

std::string grid_by_corners() {
    return integers("DIMENS", {1, 1, 1}) + integers("COORDS", {1, 1, 1, 1, 1}) +
           reals("CORNERS", std::vector<float>(24, 1.0F));
}

std::string restart() {
    return integers("SEQNUM", {0}) + doubles("DOUBHEAD", {0.0}) + doubles("PRESSURE", {1.0, 2.0}) +
           record_header("ENDSOL", 0, "MESS") + integers("SEQNUM", {1}) +
           record("LOGIHEAD", "LOGI", {whole(0), whole(-1)}, 1000) + reals("PRESSURE", {1.0F, 2.0F}) +
           texts("LONG", {"A", "B"}, 12);
}

std::string safetensors() {
    const std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    const std::string size = big_endian_bytes(header.size(), 8);
    return std::string(size.rbegin(), size.rend()) + header + std::string(8, '\0');
}

}  // namespace

/// Writes one small file of each kind into FOLDER/records, FOLDER/grdecl and FOLDER/safetensors.
int main(int, char** arguments) {
    const std::filesystem::path folder = arguments[1];
    write(folder / "records" / "egrid", grid());
    write(folder / "records" / "grid", grid_by_corners());
    write(folder / "records" / "unrst", restart());
    write(folder / "records" / "large", record_header("BIG", -1, "X231") + integers("BIG", {1}));
    write(folder / "records" / "funrst",
          " 'SEQNUM  '           1 'INTE'\n           0\n 'PRESSURE'           2 'DOUB'\n   0.10000000000000D+01   "
          "0.2D+01\n 'NAMES   '           1 'CHAR'\n 'W1      '\n 'FLAGS   '           2 'LOGI'\n  T  F\n");
    write(folder / "grdecl" / "model",
          "SPECGRID\n 1 1 2 1 F /\nPORO\n 2*0.2 /\nPERMX -- mD\n 1.5D+02 100 /\nACTNUM\n 1 0 /\n"
          "INCLUDE\n 'perm.inc' /\nGRIDUNIT\n 'FEET' /\nFAULTS\n 'A' 1 2 /\n/\n");
    write(
        folder / "grdecl" / "deck",
        "\xEF\xBB\xBFRUNSPEC\nTITLE\n north\nSATOPTS\n HYSTER /\nPATHS\n 'A' 'props' /\n/\nINCLUDE\n '$A\\rock.inc' /\n"
        "SKIP\nENDSKIP\nCARFIN\n 'FINE' 1 1 1 1 1 1 2 2 1 /\nENDFIN\nFACIES\n 2*1 /\nMAPAXES\n 0 1 0 0 1 0 /\n"
        "EQUALS\n MULTX 0.5 /\n/\nEND\n");
    write(folder / "safetensors" / "one", safetensors());
    return 0;
}
