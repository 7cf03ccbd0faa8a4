#include <algorithm>
#include <cstring>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/exchange.hpp>

namespace plumecast {

/// A box that travels: its place in one array of this rank, and in the message to or from a peer.
struct Exchange::Piece {
    std::size_t array = 0;
    Shape low;
    Shape extents;
    std::int64_t offset = 0;
};

/// Everything this rank packs or unpacks on one side, by rank of the other end, itself included.
struct Exchange::Side {
    std::vector<std::vector<Piece>> pieces;
    std::vector<std::int64_t> counts;  // elements per peer
    std::vector<Shape> arrays;

    /// What goes to a peer as it lies in an array of this rank; nullptr where it has to be packed.
    const Piece* unpacked(std::size_t peer) const;
    std::int64_t elements_to_pack(std::size_t me) const;
};

/// Whether a box of an array lies in one piece: a range along one axis, one place along those before it, and all of
/// those after it.
static bool is_in_one_piece(const Shape& box, const Shape& array) {
    int axis = 0;
    while (axis < box.rank() && box[axis] == 1) {
        ++axis;
    }
    for (++axis; axis < box.rank(); ++axis) {
        if (box[axis] != array[axis]) {
            return false;
        }
    }
    return true;
}

const Exchange::Piece* Exchange::Side::unpacked(std::size_t peer) const {
    const std::vector<Piece>& all = pieces[peer];
    const bool lies_so = all.size() == 1 && is_in_one_piece(all.front().extents, arrays[all.front().array]);
    return lies_so ? &all.front() : nullptr;
}

std::int64_t Exchange::Side::elements_to_pack(std::size_t me) const {
    std::int64_t elements = 0;
    for (std::size_t peer = 0; peer < counts.size(); ++peer) {
        elements += peer == me || unpacked(peer) != nullptr ? 0 : counts[peer];
    }
    return elements;
}

struct Exchange::Sides {
    Communicator* communicator = nullptr;
    Side from;
    Side to;
};

/// The buffers of one exchange under way, one per peer.
class Exchange::Pending {
   public:
    Backend* backend = nullptr;
    std::vector<ConstView> views;
    std::vector<Tensor> own;  // memory of messages that nobody else holds
    std::vector<View> received;
    std::unique_ptr<Transfer> transfer;
};

namespace {

std::uint64_t hash_of(const Layout& from, const Layout& to) {
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    const auto add = [&](std::int64_t value) {
        for (int byte = 0; byte < 8; ++byte) {
            hash = (hash ^ (static_cast<std::uint64_t>(value) >> (8 * byte) & 255U)) * 1099511628211U;
        }
    };
    for (const Layout* layout : {&from, &to}) {
        for (const std::vector<Box>& boxes : *layout) {
            add(static_cast<std::int64_t>(boxes.size()));
            for (const Box& box : boxes) {
                add(box.rank());
                std::ranges::for_each(box.low().extents(), add);
                std::ranges::for_each(box.high().extents(), add);
            }
        }
    }
    return hash;
}

void compare_plans(Communicator& communicator, std::uint64_t hash) {
    const std::vector<std::byte> all = communicator.allgather(std::as_bytes(std::span(&hash, 1)));
    for (int rank = 0; rank < communicator.size(); ++rank) {
        if (std::memcmp(all.data() + static_cast<std::size_t>(rank) * sizeof(hash), all.data(), sizeof(hash)) != 0) {
            throw CommError("rank " + std::to_string(rank) +
                            " plans another exchange than rank 0 (their layouts differ); give all ranks the same "
                            "input, recipe and process grid");
        }
    }
}

void check_ranks(const Layout& layout, int size) {
    if (layout.size() != static_cast<std::size_t>(size)) {
        throw InvalidInput("a layout for " + std::to_string(layout.size()) + " ranks in a job of " +
                           std::to_string(size) + " (each rank needs its entry); make the layout for this job");
    }
}

void check_disjoint(const Layout& layout) {
    std::vector<std::pair<std::size_t, const Box*>> all;
    for (std::size_t rank = 0; rank < layout.size(); ++rank) {
        for (const Box& box : layout[rank]) {
            for (const auto& [other, known] : all) {
                if (!intersection(box, *known).empty()) {
                    throw InvalidInput("ranks " + std::to_string(other) + " and " + std::to_string(rank) +
                                       " both hold cells of " + intersection(box, *known).text() +
                                       " (a value must have one owner); cut the array without overlap");
                }
            }
            all.emplace_back(rank, &box);
        }
    }
}

/// Whether messages are sent from, and arrive in, the backend's memory.
bool sends_in_place(const Backend& backend, const Communicator& communicator) {
    return backend.shares_host_memory() || communicator.takes_device_memory();
}

/// Where messages lie: one after the other in memory that is given, or each in its own.
class MessageRoom {
   public:
    MessageRoom(View given, DType type, std::vector<Tensor>& own) : given_(given), type_(type), own_(&own) {}

    View of(MemoryResource& memory, std::int64_t elements) {
        if (given_.data == nullptr) {
            return own_->emplace_back(memory, Shape{elements}, type_).view();
        }
        at_ += elements;
        return given_.rows(at_ - elements, at_);
    }

   private:
    View given_;
    DType type_;
    std::vector<Tensor>* own_;
    std::int64_t at_ = 0;
};

/// Elements from a place on, of an array that is only read.
View of_one_piece(ConstView array, const Shape& low, std::int64_t elements) {
    std::int64_t first = 0;
    for (int axis = 0; axis < low.rank(); ++axis) {
        first = first * array.shape[axis] + low[axis];
    }
    const View all{{array.shape.count()}, array.type, const_cast<void*>(array.data)};
    return all.rows(first, first + elements);
}

std::span<std::byte> bytes_of(View view) {
    return {static_cast<std::byte*>(view.data), static_cast<std::size_t>(view.shape.count()) * size_of(view.type)};
}

Shape relative(const Shape& position, const Shape& origin) {
    Shape result = position;
    for (int axis = 0; axis < position.rank(); ++axis) {
        result = result.with(axis, position[axis] - origin[axis]);
    }
    return result;
}

}  // namespace

Exchange::Exchange(Communicator& communicator, const Layout& from, const Layout& to)
    : sides_(std::make_unique<Sides>()) {
    check_ranks(from, communicator.size());
    check_ranks(to, communicator.size());
    check_disjoint(from);
    compare_plans(communicator, hash_of(from, to));
    sides_->communicator = &communicator;
    const auto me = static_cast<std::size_t>(communicator.rank());
    // Both ends of a pair list their pieces in the order (box of `from`, box of `to`), so a message needs no header.
    const auto add_pieces = [](Side& side, const std::vector<Box>& origin, const std::vector<Box>& target, bool sends) {
        std::vector<Piece>& pieces = side.pieces.emplace_back();
        std::int64_t& count = side.counts.emplace_back(0);
        for (std::size_t i = 0; i < origin.size(); ++i) {
            for (std::size_t j = 0; j < target.size(); ++j) {
                const Box shared = intersection(origin[i], target[j]);
                if (!shared.empty()) {
                    const Box& home = sends ? origin[i] : target[j];
                    pieces.push_back({sends ? i : j, relative(shared.low(), home.low()), shared.extents(), count});
                    count += shared.count();
                }
            }
        }
    };
    for (std::size_t peer = 0; peer < from.size(); ++peer) {
        add_pieces(sides_->from, from[me], to[peer], true);
        add_pieces(sides_->to, from[peer], to[me], false);
    }
    const auto extents_of = [](const Box& box) { return box.extents(); };
    std::ranges::transform(from[me], std::back_inserter(sides_->from.arrays), extents_of);
    std::ranges::transform(to[me], std::back_inserter(sides_->to.arrays), extents_of);
}

Exchange::~Exchange() = default;
Communicator& Exchange::ranks() const { return *sides_->communicator; }
Exchange::Exchange(Exchange&&) noexcept = default;
Exchange& Exchange::operator=(Exchange&&) noexcept = default;

void Exchange::PendingDeleter::operator()(Pending* pending) const { delete pending; }

Exchange::PendingExchange Exchange::start(Backend& backend, const Side& sends, const Side& receives,
                                          std::span<const ConstView> views, View messages) const {
    expects(views.size() == sends.arrays.size(), "one view per box of this rank");
    for (std::size_t i = 0; i < views.size(); ++i) {
        expects(views[i].shape == sends.arrays[i] && views[i].type == views.front().type,
                "views of their boxes' extents and of one element type");
    }
    PendingExchange pending(new Pending);
    pending->backend = &backend;
    pending->views.assign(views.begin(), views.end());
    const DType type = views.empty() ? backend.compute_type() : views.front().type;
    Communicator& communicator = *sides_->communicator;
    const bool in_place = sends_in_place(backend, communicator);
    MessageRoom on_backend(in_place ? messages : View(), type, pending->own), on_host({}, type, pending->own);
    std::vector<OutgoingMessage> outgoing;
    std::vector<IncomingMessage> incoming;
    const int me = communicator.rank();
    for (int peer = 0; peer < communicator.size(); ++peer) {
        const auto p = static_cast<std::size_t>(peer);
        if (peer != me && receives.counts[p] > 0) {
            const View place = in_place ? on_backend.of(backend.memory(), receives.counts[p])
                                        : on_host.of(host_memory(), receives.counts[p]);
            incoming.push_back({peer, bytes_of(pending->received.emplace_back(place))});
        }
        if (peer == me || sends.counts[p] == 0) {
            continue;
        }
        if (const Piece* piece = in_place ? sends.unpacked(p) : nullptr; piece != nullptr) {
            const View array = of_one_piece(pending->views[piece->array], piece->low, sends.counts[p]);
            outgoing.push_back({peer, bytes_of(array)});
            continue;
        }
        View packed = on_backend.of(backend.memory(), sends.counts[p]);
        for (const Piece& piece : sends.pieces[p]) {
            const View place = packed.rows(piece.offset, piece.offset + piece.extents.count());
            backend.copy_box(pending->views[piece.array], piece.low, {place.reshaped(piece.extents)},
                             relative(piece.low, piece.low), piece.extents);
        }
        if (!in_place) {
            const View host = on_host.of(host_memory(), sends.counts[p]);
            backend.download(packed, host);
            packed = host;
        }
        outgoing.push_back({peer, bytes_of(packed)});
    }
    if (!outgoing.empty() || !incoming.empty()) {
        backend.wait();  // what is packed, or still read where something may arrive
    }
    pending->transfer = communicator.start(outgoing, incoming);
    return pending;
}

void Exchange::finish(PendingExchange pending, const Side& sends, const Side& receives,
                      std::span<const OutputRef> targets, bool adding) const {
    expects(targets.size() == receives.arrays.size(), "one view per box of this rank");
    Backend& backend = *pending->backend;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        expects(targets[i].view.shape == receives.arrays[i], "a view of its box's extents");
        expects(!adding || targets[i].beta == 0.0 || targets[i].beta == 1.0, "beta 0 or 1 where values are added");
        if (adding && targets[i].beta == 0.0) {
            backend.fill(targets[i].view, 0.0);
        }
    }
    pending->transfer->wait();
    std::size_t buffer = 0;
    const auto me = static_cast<std::size_t>(sides_->communicator->rank());
    for (std::size_t peer = 0; peer < receives.pieces.size(); ++peer) {
        View message;
        Tensor on_device;
        if (peer != me && receives.counts[peer] > 0) {
            message = pending->received[buffer++];
            if (!sends_in_place(backend, *sides_->communicator)) {
                on_device = Tensor(backend.memory(), message.shape, message.type);
                backend.upload(message, on_device);
                message = on_device.view();
            }
        }
        for (std::size_t i = 0; i < receives.pieces[peer].size(); ++i) {
            const Piece& piece = receives.pieces[peer][i];
            const OutputRef& target = targets[piece.array];
            const OutputRef place{target.view, adding ? 1.0 : target.beta};
            if (peer == me) {
                const Piece& own = sends.pieces[me][i];
                backend.copy_box(pending->views[own.array], own.low, place, piece.low, piece.extents);
            } else {
                const View part = message.rows(piece.offset, piece.offset + piece.extents.count());
                backend.copy_box(part.reshaped(piece.extents), relative(piece.low, piece.low), place, piece.low,
                                 piece.extents);
            }
        }
    }
}

std::int64_t Exchange::message_elements(bool adjoint) const {
    const Side &sends = adjoint ? sides_->to : sides_->from, &receives = adjoint ? sides_->from : sides_->to;
    const auto me = static_cast<std::size_t>(sides_->communicator->rank());
    std::int64_t elements = sends.elements_to_pack(me);
    for (std::size_t peer = 0; peer < receives.counts.size(); ++peer) {
        elements += peer == me ? 0 : receives.counts[peer];
    }
    return elements;
}

Exchange::PendingExchange Exchange::start_forward(Backend& backend, std::span<const ConstView> from,
                                                  View messages) const {
    return start(backend, sides_->from, sides_->to, from, messages);
}

Exchange::PendingExchange Exchange::start_adjoint(Backend& backend, std::span<const ConstView> to,
                                                  View messages) const {
    return start(backend, sides_->to, sides_->from, to, messages);
}

void Exchange::finish_forward(PendingExchange pending, std::span<const OutputRef> to) const {
    finish(std::move(pending), sides_->from, sides_->to, to, false);
}

void Exchange::finish_adjoint(PendingExchange pending, std::span<const OutputRef> from) const {
    finish(std::move(pending), sides_->to, sides_->from, from, true);
}

void Exchange::forward(Backend& backend, std::span<const ConstView> from, std::span<const OutputRef> to) const {
    finish_forward(start_forward(backend, from), to);
}

void Exchange::adjoint(Backend& backend, std::span<const ConstView> to, std::span<const OutputRef> from) const {
    finish_adjoint(start_adjoint(backend, to), from);
}

}  // namespace plumecast
