#include "plan/memory_layout.hpp"

#include <algorithm>
#include <numeric>

#include "graph/ops/further_result.hpp"

namespace plumecast {

std::vector<int> last_reads(const Graph& graph, const std::vector<int>& order) {
    std::vector<int> last(graph.nodes().size(), -1);
    for (std::size_t step = 0; step < order.size(); ++step) {
        for (const int input : graph.nodes()[static_cast<std::size_t>(order[step])].inputs) {
            last[static_cast<std::size_t>(input)] = static_cast<int>(step);
        }
    }
    return last;
}

namespace {

/// A place and the steps during which it is in use.
struct Block {
    std::size_t bytes = 0;
    int first = 0, last = 0;
    std::size_t offset = MemoryLayout::none;

    bool is_beside(const Block& other) const {
        return other.offset != MemoryLayout::none && first <= other.last && other.first <= last;
    }
};

class BlockLayout {
   public:
    BlockLayout(const Graph& graph, const std::vector<int>& order, const std::vector<std::size_t>& bytes)
        : graph_(&graph),
          bytes_(&bytes),
          steps_(order.size()),
          last_(last_reads(graph, order)),
          block_of_(bytes.size(), -1) {
        for (std::size_t step = 0; step < order.size(); ++step) {
            if (bytes[index(order[step])] > 0) {
                add(order[step], static_cast<int>(step));
            }
        }
        begin_further_results(order);
        place();
    }
    MemoryLayout result() const {
        MemoryLayout layout;
        layout.in_use.assign(steps_, 0);
        for (const int block : block_of_) {
            layout.offsets.push_back(block < 0 ? MemoryLayout::none : blocks_[index(block)].offset);
        }
        for (const Block& block : blocks_) {
            layout.bytes = std::max(layout.bytes, block.offset + block.bytes);
            for (int step = block.first; step <= block.last; ++step) {
                layout.in_use[index(step)] += block.bytes;
            }
        }
        return layout;
    }

   private:
    static std::size_t index(int node) { return static_cast<std::size_t>(node); }

    void add(int node, int step) {
        const int last = std::max(step, last_[index(node)]);
        int block = taken_over(node, step);
        if (block < 0) {
            block = static_cast<int>(blocks_.size());
            blocks_.push_back({(*bytes_)[index(node)], step, last});
        }
        blocks_[index(block)].last = last;
        block_of_[index(node)] = block;
    }

    /// What another op computes beside its own result is there from then on.
    void begin_further_results(const std::vector<int>& order) {
        std::vector<int> step_of(block_of_.size(), 0);
        for (std::size_t step = 0; step < order.size(); ++step) {
            step_of[index(order[step])] = static_cast<int>(step);
        }
        for (const int node : order) {
            const Node& now = graph_->nodes()[index(node)];
            if (now.op.is<FurtherResultOp>() && block_of_[index(node)] >= 0) {
                blocks_[index(block_of_[index(node)])].first = step_of[index(now.inputs[0])];
            }
        }
    }

    /// The block of an input that the result may overwrite: as large, read by nobody later, and by this op once.
    int taken_over(int node, int step) const {
        const Node& now = graph_->nodes()[index(node)];
        for (const int which : now.op->in_place(now.inputs.size())) {
            const int input = now.inputs[index(which)], block = block_of_[index(input)];
            const auto readings = std::ranges::count_if(
                now.inputs, [&](int other) { return block >= 0 && block_of_[index(other)] == block; });
            if (readings == 1 && blocks_[index(block)].last == step &&
                blocks_[index(block)].bytes == (*bytes_)[index(node)]) {
                return block;
            }
        }
        return -1;
    }

    void place() {
        std::vector<std::size_t> by_size(blocks_.size());
        std::iota(by_size.begin(), by_size.end(), std::size_t{0});
        std::ranges::stable_sort(by_size, std::ranges::greater(), [&](std::size_t b) { return blocks_[b].bytes; });
        for (const std::size_t block : by_size) {
            blocks_[block].offset = lowest_hole(blocks_[block]);
        }
    }
    std::size_t lowest_hole(const Block& block) const {
        std::vector<const Block*> beside;
        for (const Block& other : blocks_) {
            if (block.is_beside(other)) {
                beside.push_back(&other);
            }
        }
        std::ranges::sort(beside, {}, &Block::offset);
        std::size_t offset = 0;
        for (const Block* other : beside) {
            if (offset + block.bytes <= other->offset) {
                break;
            }
            offset = std::max(offset, other->offset + other->bytes);
        }
        return offset;
    }

    const Graph* graph_;
    const std::vector<std::size_t>* bytes_;
    std::size_t steps_;
    std::vector<int> last_;
    std::vector<int> block_of_;  // of each node
    std::vector<Block> blocks_;
};

}  // namespace

MemoryLayout lay_out(const Graph& graph, const std::vector<int>& order, const std::vector<std::size_t>& bytes) {
    return BlockLayout(graph, order, bytes).result();
}

}  // namespace plumecast
