// Two systems at one table, each disclosing what its calls mean: boards bid to the end without a look
// outside.
//
// A table is at a node of either book. The side that calls goes on in its own book; the other side reads the
// call by the hands that it was said to show. Those are the cells of the call's meaning, the same that would
// come by way of `number_of_said` from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bidding/book.hpp"

namespace bidlab::bidding {

class Pairing {
   public:
    Pairing(Book& one, Book& other) : books_{&one, &other} {}

    // As Book::bid, for tables where the first book bids for North-South, or for East-West where `swapped`.
    // Nodes are two a table, of the first book and of the second; both -1: not begun.
    std::size_t bid(std::size_t tables, const std::uint64_t* hands, const std::uint8_t* dealers,
                    const std::uint8_t* vulnerable, const std::uint8_t* swapped, std::int32_t* nodes);

   private:
    // What the call that led to a node of a book is said to show, by its number in the other book.
    int said(int book, int node);
    bool step(int mover, const std::uint64_t hand, std::int32_t* nodes);

    Book* books_[2];
    std::vector<std::int32_t> said_[2];  // by node of each book; 0: not known yet
    int generations_[2] = {-1, -1};
};

}  // namespace bidlab::bidding
