#include "webb/sequences.hpp"

#include <algorithm>
#include <utility>

namespace bidlab::webb {

std::vector<Reached> reached(const System& system, std::size_t most, int vulnerable) {
    struct Waiting {
        Auction auction;
        std::int32_t parent;
        std::uint8_t call;
    };
    std::vector<Waiting> waiting(1);
    waiting.back() = {{}, -1, 0};
    waiting.back().auction.start(system, system, 0, vulnerable);
    std::vector<Reached> found;
    while (!waiting.empty()) {
        Waiting at = std::move(waiting.back());
        waiting.pop_back();
        Auction& auction = at.auction;
        Box own;
        if (!auction.possible(own)) continue;
        if (found.size() == most) return {};
        Position position = auction.position_for(own);
        found.push_back({at.parent, at.call,
                         static_cast<std::uint8_t>(auction.state(auction.laws().seat() & 1)), own,
                         position.steps()});
        std::vector<std::uint8_t> calls;
        for (const Position::Step& step : found.back().steps)
            if (step.call >= 0) calls.push_back(static_cast<std::uint8_t>(step.call));
        std::sort(calls.begin(), calls.end(), std::greater<>());  // the lowest is looked at first
        calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
        const auto number = static_cast<std::int32_t>(found.size() - 1);
        for (const std::uint8_t call : calls) {
            Graph graph;
            Box left = own;
            if (!position.infer(call, left, graph)) continue;
            Laws laws = auction.laws();
            laws.make(call);
            if (laws.is_ended()) continue;
            waiting.push_back({auction, number, call});
            if (!waiting.back().auction.make(call)) waiting.pop_back();  // against his earlier calls
        }
    }
    return found;
}

}  // namespace bidlab::webb
