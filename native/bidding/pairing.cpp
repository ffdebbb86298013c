#include "bidding/pairing.hpp"

namespace bidlab::bidding {

int Pairing::said(int book, int node) {
    auto& known = said_[book];
    const auto at = static_cast<std::size_t>(node);
    if (known.size() <= at) known.resize(at + at / 2 + 1);
    if (!known[at]) {
        const Book::Node& made = books_[book]->node(node);
        known[at] = books_[1 - book]->number_of_said(books_[book]->said_by(made.parent, made.call));
    }
    return known[at];
}

// One call at a table; false where a question stopped it, with the table where it was.
bool Pairing::step(int mover, std::uint64_t hand, std::int32_t* nodes) {
    Book &own = *books_[mover], &other = *books_[1 - mover];
    const int at = nodes[mover];
    if (!own.is_ready(at)) return false;
    const int call = own.node(at).rules[static_cast<std::size_t>(own.choice(at, hand))].call;
    const int next = own.child(at, call, 0);
    if (next < 0) return false;
    const int read = other.child(nodes[1 - mover], call, said(mover, next));
    if (read < 0) return false;
    nodes[mover] = next;
    nodes[1 - mover] = read;
    return true;
}

std::size_t Pairing::bid(std::size_t tables, const std::uint64_t* hands, const std::uint8_t* dealers,
                         const std::uint8_t* vulnerable, const std::uint8_t* swapped, std::int32_t* nodes) {
    for (int book = 0; book < 2; ++book)
        if (generations_[book] != books_[book]->generation()) {
            said_[book].clear();
            generations_[book] = books_[book]->generation();
        }
    std::size_t going = 0;
    for (std::size_t i = 0; i < tables; ++i) {
        const unsigned dealer = dealers[i], sides = vulnerable[i];
        std::int32_t* at = nodes + 2 * i;
        if (at[0] < 0)
            at[0] = at[1] =
                books_[0]->root(static_cast<int>(dealer & 1 ? (sides >> 1 | (sides & 1) << 1) : sides));
        while (!books_[0]->node(at[0]).state.is_ended()) {
            const unsigned seat = (dealer + books_[0]->node(at[0]).state.place) & 3;
            if (!step(static_cast<int>((seat & 1) ^ (swapped[i] & 1u)), hands[4 * i + seat], at)) {
                ++going;
                break;
            }
        }
    }
    return going;
}

}  // namespace bidlab::bidding
