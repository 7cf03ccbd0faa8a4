// Draws columns of CSV files as lines of one chart.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/core/error.hpp>
#include <plumecast/plotting/line_chart.hpp>

#include "program.hpp"

namespace plumecast::bench {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

std::size_t column_of(const std::vector<std::string>& header, const std::string& name, const std::string& file) {
    const auto found = std::ranges::find(header, name);
    if (found == header.end()) {
        throw InvalidInput(file + ": no column '" + name + "' (the first line names the columns); choose one of them");
    }
    return static_cast<std::size_t>(found - header.begin());
}

double number(const std::vector<std::string>& cells, std::size_t column) {
    const bool present = column < cells.size() && !cells[column].empty();
    return present ? std::strtod(cells[column].c_str(), nullptr) : std::numeric_limits<double>::quiet_NaN();
}

/// The next line without its ending, which tables written elsewhere may carry a carriage return in.
bool read_line(std::istream& file, std::string& line) {
    const bool found = static_cast<bool>(std::getline(file, line));
    if (found && line.ends_with('\r')) {
        line.pop_back();
    }
    return found;
}

/// NAME=FILE.csv:X:Y
Series read_series(const std::string& text) {
    const auto equals = text.find('=');
    const std::vector<std::string> parts = split(text.substr(equals == std::string::npos ? 0 : equals + 1), ':');
    if (equals == std::string::npos || parts.size() != 3) {
        throw InvalidInput("line '" + text + "' (a line is NAME=FILE.csv:X:Y); name file and two columns");
    }
    std::ifstream file(parts[0]);
    std::string line;
    if (!read_line(file, line)) {
        throw IoError(parts[0] + ": cannot be read (missing or empty); check the path");
    }
    const std::vector<std::string> header = split(line, ',');
    const std::size_t x = column_of(header, parts[1], parts[0]), y = column_of(header, parts[2], parts[0]);
    Series series{text.substr(0, equals), {}, {}};
    while (read_line(file, line)) {
        const std::vector<std::string> cells = split(line, ',');
        series.x.push_back(number(cells, x));
        series.y.push_back(number(cells, y));
    }
    return series;
}

int run(int argc, char** argv) {
    CLI::App app("Draws columns of CSV files as lines of one chart.");
    LineChart chart;
    std::string output;
    std::vector<std::string> lines;
    app.add_option("output", output)->required()->type_name("CHART.png");
    app.add_option("lines", lines)->required()->type_name("NAME=FILE.csv:X:Y");
    app.add_option("--title", chart.title);
    app.add_option("--x-label", chart.x_label);
    app.add_option("--y-label", chart.y_label);
    app.add_flag("--log-y", chart.log_y);
    CLI11_PARSE(app, argc, argv);
    for (const std::string& line : lines) {
        chart.series.push_back(read_series(line));
    }
    draw_line_chart(chart, output);
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
