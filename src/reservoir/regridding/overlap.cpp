#include "reservoir/regridding/overlap.hpp"

#include <algorithm>

namespace plumecast {

std::vector<Piece> pieces(const std::vector<double>& edges, double begin, double end) {
    std::vector<Piece> found;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const Piece piece{i, std::max(begin, edges[i]), std::min(end, edges[i + 1])};
        if (piece.end - piece.begin > 1e-9 * (end - begin)) {
            found.push_back(piece);
        }
    }
    return found;
}

}  // namespace plumecast
