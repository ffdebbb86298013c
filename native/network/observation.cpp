#include "network/observation.hpp"

#include <bit>

namespace bidlab::network {

namespace {

constexpr int passed = 4, bids = 8, cards = 428;  // where these bits begin
constexpr int first_bid = 3;                      // calls: pass 0, double 1, redouble 2

struct Bits {
    std::uint64_t words[8] = {};

    void set(int bit) { words[bit / 64] |= std::uint64_t{1} << bit % 64; }
};

}  // namespace

int observe(const Views& views, std::size_t view, std::uint16_t numbers[observed]) {
    Bits bits;
    const std::size_t seat = views.dealers[view] + views.length;
    bits.set(views.vulnerable[view] >> seat % 2 & 1);
    bits.set(2 + (views.vulnerable[view] >> (seat + 1) % 2 & 1));

    const std::uint8_t* calls = views.calls + view * views.length;
    int last = -1;  // bid
    for (std::size_t i = 0; i < views.length; ++i) {
        const int place = static_cast<int>((i - views.length) % 4);  // 2 ** 64 is a multiple of 4
        if (calls[i] >= first_bid) last = calls[i] - first_bid;
        const int kind = calls[i] >= first_bid ? 0 : calls[i];
        if (last < 0)
            bits.set(passed + place);
        else if (calls[i] != 0)
            bits.set(bids + 12 * last + 4 * kind + place);
    }
    const std::uint64_t hand = views.hands[view] & ((std::uint64_t{1} << 52) - 1);
    bits.words[cards / 64] |= hand << cards % 64;
    bits.words[cards / 64 + 1] |= hand >> (64 - cards % 64);

    int count = 0;
    for (int i = 0; i < 8; ++i)
        for (std::uint64_t word = bits.words[i]; word; word &= word - 1)
            numbers[count++] = static_cast<std::uint16_t>(64 * i + std::countr_zero(word));
    return count;
}

}  // namespace bidlab::network
