#include "webb/tournament.hpp"

#include <algorithm>
#include <numeric>

#include "batch/crew.hpp"
#include "webb/scoring.hpp"

namespace bidlab::webb {

Board BoardOrder::at(std::uint64_t number) {
    const std::uint64_t pass = number / deals_;
    if (pass != pass_) {
        Generator random(seed_, pass);
        do factor_ = 1 + random.below(deals_);
        while (std::gcd(factor_, deals_) != 1);
        shift_ = random.below(deals_);
        pass_ = pass;
    }
    const std::uint64_t deal = (number % deals_ * factor_ + shift_) % deals_;
    return {static_cast<std::uint32_t>(deal), static_cast<std::uint32_t>(deal + pass)};
}

namespace {

struct Pair {
    std::uint32_t one, other;
};

class Tournament {
   public:
    Tournament(const Deals& deals, const Form& form, const Rules& rules, const Migration& migration,
               Standing& standing)
        : deals_(deals),
          form_(form),
          rules_(rules),
          migration_(migration),
          standing_(standing),
          size_(standing.genomes.size()),
          seats_(size_ + size_ % 2),
          pairs_(size_ / 2),
          boards_(size_ / 2),
          scores_(2 * (size_ / 2)),
          seeds_{rules.seed},
          order_(seeds_.next(), deals.size()),
          choice_seed_(seeds_.next()),
          child_seed_(seeds_.next()) {
        systems_.reserve(size_);
        for (const Genome& one : standing.genomes)
            systems_.emplace_back(form, one.words.data(), one.links.data());
    }

    void play(std::uint64_t turns, std::size_t threads) {
        std::vector<Auction> auctions(threads);
        const auto work = [&](std::size_t worker, std::size_t item) { bid(auctions[worker], item); };
        Crew crew(threads, scores_.size(), work);
        for (; turns > 0; --turns) {
            pair_up();
            crew.run();
            enter_results();
            replace_unfit();
            if (++standing_.turn % (seats_ - 1) == 0) sort();
        }
    }

   private:
    // The circle method: the last of an even number of seats stays, the others move around it. Of an odd
    // number of members the one who would meet the empty seat sits out.
    void pair_up() {
        const std::uint64_t around = seats_ - 1, at = standing_.turn % around;
        std::size_t count = 0;
        if (size_ == seats_) pairs_[count++] = pair(around, at);
        for (std::uint64_t i = 1; i < seats_ / 2; ++i)
            pairs_[count++] = pair((at + i) % around, (at + around - i) % around);
        for (std::size_t i = 0; i < count; ++i) boards_[i] = order_.at(standing_.turn * count + i);
    }

    static Pair pair(std::uint64_t one, std::uint64_t other) {
        return {static_cast<std::uint32_t>(one), static_cast<std::uint32_t>(other)};
    }

    // Item 2i is the board of pair i with its first system North-South, 2i + 1 with its second.
    void bid(Auction& auction, std::size_t item) {
        const auto& [one, other] = pairs_[item / 2];
        const Board& board = boards_[item / 2];
        const bool is_turned = item % 2;
        std::array<Values, 4> values;
        for (std::size_t seat = 0; seat < 4; ++seat)
            values[seat] = values_of(deals_.hands[4 * std::size_t{board.deal} + seat], form_.options);
        auction.start(systems_[is_turned ? other : one], systems_[is_turned ? one : other], board.dealer(),
                      board.vulnerable());
        const auto [last, doubled, declarer] = auction.bid(values, nullptr);
        if (!last) {
            scores_[item] = 0;
            return;
        }
        const auto strain = static_cast<std::size_t>((last - first_bid) % 5);
        const int tricks = deals_.tricks[20 * std::size_t{board.deal} + 4 * strain + declarer];
        const int side = declarer & 1;
        const int points = contract_score(last, doubled, board.vulnerable() >> side & 1, tricks);
        scores_[item] = side ? -points : points;
    }

    void enter_results() {
        const auto members = static_cast<std::int64_t>(size_), imp = 256 * members;
        std::int64_t shared = 0;
        const auto push = [&](std::uint32_t member) {
            const std::int64_t penalty = rules_.push_penalty * standing_.pushes[member]++;
            standing_.fitness[member] -= penalty * members;
            shared += penalty;
        };
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const auto& [one, other] = pairs_[i];
            const std::int64_t won = imps(scores_[2 * i] - scores_[2 * i + 1]);
            standing_.fitness[one] += won * imp;
            standing_.fitness[other] -= won * imp;
            ++standing_.ages[one];
            ++standing_.ages[other];
            if (won) {
                standing_.pushes[one] = standing_.pushes[other] = 0;
            } else {
                push(one);
                push(other);
                standing_.tally[pushes_made] += 2;
            }
        }
        standing_.tally[boards_played] += 2 * pairs_.size();
        for (std::int64_t& fitness : standing_.fitness) fitness += shared;
    }

    // In the order of places; who falls below by what is spread here is replaced in its turn too, unless its
    // place is behind: then it has another board.
    void replace_unfit() {
        const auto members = static_cast<std::int64_t>(size_), least = rules_.threshold * 256 * members;
        for (std::size_t member = 0; member < size_; ++member) {
            const std::int64_t deficit = standing_.fitness[member];
            if (deficit >= least) continue;
            std::int64_t share = deficit / members, rest = deficit % members;
            if (rest < 0) rest += members, --share;
            standing_.fitness[member] = rest;
            for (std::int64_t& fitness : standing_.fitness) fitness += share;
            standing_.tally[ages_ended] += static_cast<std::uint64_t>(standing_.ages[member]);
            standing_.pushes[member] = 0;
            standing_.ages[member] = 0;
            breed(member);
            const Genome& child = standing_.genomes[member];
            systems_[member] = System(form_, child.words.data(), child.links.data());
        }
    }

    void breed(std::size_t member) {
        const std::uint64_t number = standing_.turn * size_ + member;
        Generator random(choice_seed_, number);
        Genome& place = standing_.genomes[member];
        const bool is_migrant = random.next() >> 32 < migration_.rate && !migration_.from.empty();
        if (is_migrant) {
            place = migration_.from[random.below(static_cast<std::uint32_t>(migration_.from.size()))];
            ++standing_.tally[migrants];
            return;
        }
        const int how = drawn_operator(random);
        const std::size_t parent = drawn_parent(random, member, member);
        const std::size_t other = drawn_parent(random, member, parent);
        Generator child(child_seed_, number);
        place = offspring(static_cast<Operator>(how), form_, standing_.genomes[parent],
                          standing_.genomes[other], rules_.rates, child);
        ++standing_.tally[static_cast<std::size_t>(first_operator + how)];
    }

    int drawn_operator(Generator& random) const {
        std::uint32_t left = random.below(std::reduce(rules_.weights.begin(), rules_.weights.end(), 0u));
        int how = 0;
        for (; left >= rules_.weights[static_cast<std::size_t>(how)]; ++how)
            left -= rules_.weights[static_cast<std::size_t>(how)];
        return how;
    }

    // The fittest of some members drawn evenly from all but two; of two members the other one.
    std::size_t drawn_parent(Generator& random, std::size_t one, std::size_t other) const {
        const auto [low, high] = std::minmax(one, other);
        const std::size_t barred = low == high || size_ == 2 ? 1 : 2;
        std::size_t best = size_;
        for (std::uint32_t i = 0; i < rules_.contest; ++i) {
            std::size_t drawn = random.below(static_cast<std::uint32_t>(size_ - barred));
            if (drawn >= (barred == 2 ? low : one)) ++drawn;
            if (barred == 2 && drawn >= high) ++drawn;
            if (best == size_ || standing_.fitness[drawn] > standing_.fitness[best]) best = drawn;
        }
        return best;
    }

    void sort() {
        std::vector<std::size_t> order(size_);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(
            order, [&](std::size_t a, std::size_t b) { return standing_.fitness[a] > standing_.fitness[b]; });
        const auto reordered = [&](auto& numbers) {
            auto before = std::move(numbers);
            numbers = {};
            numbers.reserve(size_);
            for (const std::size_t from : order) numbers.push_back(std::move(before[from]));
        };
        reordered(standing_.genomes);
        reordered(standing_.fitness);
        reordered(standing_.pushes);
        reordered(standing_.ages);
        reordered(systems_);
    }

    const Deals& deals_;
    const Form form_;
    const Rules& rules_;
    const Migration& migration_;
    Standing& standing_;
    const std::size_t size_, seats_;
    std::vector<System> systems_;
    std::vector<Pair> pairs_;
    std::vector<Board> boards_;
    std::vector<int> scores_;  // North-South's, by item
    SplitMix seeds_;
    BoardOrder order_;
    std::uint64_t choice_seed_, child_seed_;
};

}  // namespace

void play(const Deals& deals, const Form& form, const Rules& rules, const Migration& migration,
          std::uint64_t turns, int threads, Standing& standing) {
    Tournament(deals, form, rules, migration, standing).play(turns, thread_count(threads));
}

}  // namespace bidlab::webb
