// Second thoughts in competition: is a call worth more than a pass? A small network, trained on what calls
// and passes came to on solved deals, looks at what is public and writes down what a hand is worth for the
// call: so much for its points, for its cards in the suit that is bid, for its cards in theirs. Turned round
// that is how many points a hand needs, and these are conditions like any others (docs/judgement.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bidding/conditions.hpp"
#include "bidding/question.hpp"

namespace bidlab::bidding {

// What a hand wins by a call over a pass, in IMPs: the sum of what its parts are worth.
struct Worth {
    static constexpr int lengths = 6;
    float base = 0, points = 0;           // at ten points; for every five more
    std::array<float, lengths> own{};     // by cards in the suit that is bid: 0-2, 3, 4, 5, 6, 7 or more
    std::array<float, lengths> theirs{};  // by cards in the suit of the last bid: 0 .. 4, 5 or more

    // What the mean hand of a player wins; suits as in Sieve.
    double mean(const Summary& own, int suit, int over) const;
};

// The hands that may think of a call at all, whatever it is worth on the average: a call says something, and
// partner and opponents go by it. Bits of points, by cards in the suit that is bid as in `Worth::own`.
using Thinkable = std::array<std::uint64_t, Worth::lengths>;

// The hands that win more than a limit by a call, or less than it.
class Sieve {
   public:
    // `suit` and `over` are the suits of the call and of the last bid, -1 where it has none.
    Sieve(const Worth& worth, int suit, int over, double limit, bool is_less, const Thinkable& thinkable);

    // Bits of points by the kinds of both lengths: the kind of the suit that is bid times `lengths`, and that
    // of theirs.
    static constexpr std::size_t kinds = Worth::lengths * Worth::lengths;
    using ByKind = std::array<std::uint64_t, kinds>;

    // The points with which hands may be among them.
    std::uint64_t points() const { return any_points_; }
    // The points that come up in some cells.
    ByKind there(const Cells& cells) const;
    // Whether any of the hands are in cells with these points.
    bool has_some(const ByKind& there) const;
    // Takes them out of the cells of a rule, as far as they are certain, and puts them into other ones.
    void sift(const ByKind& there, Cells& possible, Cells& certain, Cells& sifted, Cells& surely) const;
    // The same as conditions, as short as they can be said where the hands are in cells with these points.
    Clauses clauses(const ByKind& there) const;

   private:
    int suit_, over_;
    std::uint64_t any_points_ = 0;
    ByKind points_;
};

// From how many IMPs on a second thought counts: a call in place of a pass that the text has written, or that
// was judged; a pass in place of a natural call that the text has written, or of one that was judged.
struct Margins {
    double written_calls = 0, judged_calls = 0, written_passes = 0, judged_passes = 0;
};

class Reviewer {
   public:
    static constexpr std::size_t hidden = 64, outputs = 2 + 2 * Worth::lengths;
    static constexpr std::size_t size =
        (question_size + 1) * hidden + (hidden + 1) * hidden + (hidden + 1) * outputs;

    // Weights of three layers, one after the other: for each its matrix [input, output], then its biases.
    explicit Reviewer(const std::vector<float>& weights);

    Worth worth(const Question& question) const;

   private:
    std::vector<float> weights_;  // the same with the outputs of the last layer filled up to whole panels
};

}  // namespace bidlab::bidding
