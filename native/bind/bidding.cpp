#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bidding/book.hpp"
#include "bidding/outlook.hpp"
#include "bidding/pairing.hpp"
#include "bidding/question.hpp"
#include "bind/bind.hpp"
#include "meaning/features.hpp"

namespace nb = nanobind;
namespace bd = bidlab::bidding;
namespace mg = bidlab::meaning;

namespace {

template <typename Number, int... Shape>
using Array = nb::ndarray<const Number, nb::shape<Shape...>, nb::c_contig, nb::device::cpu>;
template <typename Number, int... Shape>
using Made = nb::ndarray<nb::numpy, Number, nb::shape<Shape...>>;

// forcing, agrees, asks, transfers, invites, signs off, artificial, takeout, penalty
using EffectsRow = std::tuple<int, int, int, int, bool, bool, bool, bool, bool>;

bd::Effects effects_of(const EffectsRow& row) {
    bd::Effects e;
    e.forcing = static_cast<std::int8_t>(std::get<0>(row));
    e.agrees = static_cast<std::int8_t>(std::get<1>(row));
    e.asks = static_cast<std::int16_t>(std::get<2>(row));
    e.transfers = static_cast<std::int8_t>(std::get<3>(row));
    std::tie(e.invites, e.signs_off, e.artificial, e.takeout, e.penalty) = std::make_tuple(
        std::get<4>(row), std::get<5>(row), std::get<6>(row), std::get<7>(row), std::get<8>(row));
    return e;
}

EffectsRow row_of(const bd::Effects& e) {
    return {e.forcing,   e.agrees,     e.asks,    e.transfers, e.invites,
            e.signs_off, e.artificial, e.takeout, e.penalty};
}

template <typename Number, typename... Sizes>
auto owned(std::unique_ptr<Number[]> numbers, Sizes... sizes) {
    Number* first = numbers.release();
    nb::capsule owner(first, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    return nb::ndarray<nb::numpy, Number>(first, {static_cast<std::size_t>(sizes)...}, owner);
}

void check_hands(const std::uint64_t* hands, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (hands[i] >> 52 || std::popcount(hands[i]) != 13)
            throw std::invalid_argument("hand " + std::to_string(i) + " has not 13 of the 52 cards");
}

int checked(const bd::Book& book, int node) {
    if (node < 0 || static_cast<std::size_t>(node) >= book.size())
        throw std::invalid_argument("no such node");
    return node;
}

// A forecast: its kind, strain and tricks.
using ForecastRow = std::tuple<int, int, double>;

int add_rule(bd::Book& book, int call, const nb::object& condition, const EffectsRow& effects,
             std::int64_t order, const ForecastRow& forecast) {
    if (call < 0 || call >= bd::calls) throw std::invalid_argument("no such call");
    bd::WrittenRule rule;
    rule.call = static_cast<std::uint8_t>(call);
    if (!condition.is_none()) rule.condition = &nb::cast<const mg::Condition&>(condition);
    rule.effects = effects_of(effects);
    rule.order = order;
    const auto [kind, strain, tricks] = forecast;
    if (kind < 0 || kind > bd::Forecast::doubles || strain < 0 || strain > 4)
        throw std::invalid_argument("no such forecast");
    rule.forecast = {static_cast<bd::Forecast::Kind>(kind), static_cast<std::int8_t>(strain),
                     static_cast<float>(tricks)};
    return book.add_rule(rule);
}

nb::list clause_rows(bd::ClausesView clauses) {
    nb::list all;
    for (const bd::Clause& clause : clauses) {
        nb::list tests;
        for (int i = 0; i < clause.count; ++i) {
            const bd::Test& test = clause.tests[i];
            tests.append(nb::make_tuple(test.feature, test.least, test.most));
        }
        all.append(tests);
    }
    return all;
}

nb::list forecast_at(const bd::Book& book, int node, int rule) {
    return clause_rows(book.forecast_at(checked(book, node), rule));
}

int number_of_said(bd::Book& book, const Array<std::uint64_t, mg::shapes>& cells) {
    mg::Cells set;
    std::copy_n(cells.data(), mg::shapes, set.begin());
    return book.number_of_said(set);
}

nb::tuple rule_row(const bd::Book& book, const bd::Rule& rule) {
    nb::object clauses = nb::none();
    if (rule.clauses) clauses = clause_rows(book.clauses(rule));
    return nb::make_tuple(static_cast<int>(rule.call), rule.written_as, static_cast<int>(rule.kind),
                          static_cast<int>(rule.strain), rule.tricks, rule.partner_hcp, rule.partner_length,
                          clauses, row_of(rule.effects));
}

nb::list rules(const bd::Book& book, int node) {
    nb::list rows;
    for (const bd::Rule& rule : book.node(checked(book, node)).rules) rows.append(rule_row(book, rule));
    return rows;
}

// Expected points and lengths of the four hands, the player to call first, then clockwise.
nb::list expected(bd::Book& book, int number) {
    const bd::State& state = book.settled(checked(book, number)).state;
    nb::list rows;
    for (int i = 0; i < 4; ++i) {
        const bd::Summary& of =
            book.bank().summary(state.known[static_cast<std::size_t>((state.mover() + i) & 3)]);
        rows.append(nb::make_tuple(of.hcp.mean, of.length[0].mean, of.length[1].mean, of.length[2].mean,
                                   of.length[3].mean));
    }
    return rows;
}

std::size_t bid(bd::Book& book, const Array<std::uint64_t, -1, 4>& hands,
                const Array<std::uint8_t, -1>& dealers, const Array<std::uint8_t, -1>& vulnerable,
                const nb::ndarray<std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>& nodes) {
    const std::size_t boards = hands.shape(0);
    if (dealers.shape(0) != boards || vulnerable.shape(0) != boards || nodes.shape(0) != boards)
        throw std::invalid_argument("one dealer, vulnerability and node a board are wanted");
    const nb::gil_scoped_release released;
    check_hands(hands.data(), 4 * boards);
    for (std::size_t i = 0; i < boards; ++i)
        if (dealers.data()[i] > 3 || vulnerable.data()[i] > 3 ||
            (nodes.data()[i] >= 0 && static_cast<std::size_t>(nodes.data()[i]) >= book.size()))
            throw std::invalid_argument("board " + std::to_string(i) +
                                        ": no such dealer, vulnerability or node");
    return book.bid(boards, hands.data(), dealers.data(), vulnerable.data(), nodes.data());
}

std::size_t bid_pair(
    bd::Pairing& pair, const Array<std::uint64_t, -1, 4>& hands, const Array<std::uint8_t, -1>& dealers,
    const Array<std::uint8_t, -1>& vulnerable, const Array<std::uint8_t, -1>& swapped,
    const nb::ndarray<std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>& nodes) {
    const std::size_t tables = hands.shape(0);
    if (dealers.shape(0) != tables || vulnerable.shape(0) != tables || swapped.shape(0) != tables ||
        nodes.shape(0) != tables)
        throw std::invalid_argument(
            "one dealer, vulnerability, seating and pair of nodes a table are wanted");
    const nb::gil_scoped_release released;
    check_hands(hands.data(), 4 * tables);
    for (std::size_t i = 0; i < tables; ++i)
        if (dealers.data()[i] > 3 || vulnerable.data()[i] > 3)
            throw std::invalid_argument("table " + std::to_string(i) + ": no such dealer or vulnerability");
    return pair.bid(tables, hands.data(), dealers.data(), vulnerable.data(), swapped.data(), nodes.data());
}

// What a call at a node says, as cells.
Made<std::uint64_t, mg::shapes> said_by(const bd::Book& book, int node, int call) {
    const bd::Cells cells = book.said_by(checked(book, node), call);
    auto copy = std::make_unique<std::uint64_t[]>(mg::shapes);
    std::copy(cells.begin(), cells.end(), copy.get());
    std::uint64_t* first = copy.release();
    nb::capsule owner(first, [](void* p) noexcept { delete[] static_cast<std::uint64_t*>(p); });
    return Made<std::uint64_t, mg::shapes>(first, {mg::shapes}, owner);
}

// The calls that led to each node, 255 after the last.
auto calls_to(const bd::Book& book, const Array<std::int32_t, -1>& nodes) {
    const std::size_t count = nodes.shape(0);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < count; ++i)
        longest = std::max<std::size_t>(longest, book.node(checked(book, nodes.data()[i])).state.place);
    auto calls = std::make_unique<std::uint8_t[]>(count * longest);
    std::fill_n(calls.get(), count * longest, std::uint8_t{255});
    for (std::size_t i = 0; i < count; ++i)
        for (int at = nodes.data()[i]; book.node(at).parent >= 0; at = book.node(at).parent)
            calls[i * longest + book.node(at).state.place - 1] =
                static_cast<std::uint8_t>(book.node(at).call);
    return owned(std::move(calls), count, longest);
}

// The nodes of auctions in step [auction, call], from the roots by vulnerability (bit 0: the dealer's side);
// -1 where a question is open.
auto locate(bd::Book& book, const Array<std::uint8_t, -1>& roots, const Array<std::uint8_t, -1, -1>& calls,
            const Array<std::int32_t, -1, -1>& said) {
    const std::size_t count = calls.shape(0), length = calls.shape(1);
    if (roots.shape(0) != count || said.shape(0) != count || said.shape(1) != length)
        throw std::invalid_argument("arrays of different sizes");
    auto nodes = std::make_unique<std::int32_t[]>(count);
    {
        const nb::gil_scoped_release released;
        for (std::size_t i = 0; i < count; ++i) {
            int at = book.root(roots.data()[i] & 3);
            for (std::size_t j = 0; j < length && at >= 0; ++j) {
                const int call = calls.data()[i * length + j];
                if (call >= bd::calls || !book.node(at).state.is_legal(call) ||
                    book.node(at).state.is_ended())
                    throw std::invalid_argument("an illegal auction");
                at = book.child(at, call, said.data()[i * length + j]);
            }
            if (at >= 0 && !book.node(at).state.is_ended() && !book.is_ready(at)) at = -1;
            nodes[i] = at;
        }
    }
    return owned(std::move(nodes), count);
}

int ready(const bd::Book& book, int node) {
    if (!book.node(checked(book, node)).is_ready) throw std::invalid_argument("a node without rules");
    return node;
}

// The numbers of the rules that choose, and the calls.
nb::tuple decide(const bd::Book& book, const Array<std::int32_t, -1>& nodes,
                 const Array<std::uint64_t, -1>& hands) {
    const std::size_t count = nodes.shape(0);
    if (hands.shape(0) != count) throw std::invalid_argument("one hand a node is wanted");
    check_hands(hands.data(), count);
    auto chosen = std::make_unique<std::int32_t[]>(count);
    auto calls = std::make_unique<std::uint8_t[]>(count);
    for (std::size_t i = 0; i < count; ++i) {
        const int node = ready(book, nodes.data()[i]);
        chosen[i] = book.choice(node, hands.data()[i]);
        calls[i] = book.node(node).rules[static_cast<std::size_t>(chosen[i])].call;
    }
    return nb::make_tuple(owned(std::move(chosen), count), owned(std::move(calls), count));
}

// How far hands are from making a call at a node.
auto call_misfits(const bd::Book& book, int node, int call, const Array<std::uint64_t, -1>& hands,
                  const Array<double, mg::features>& spreads, bool only_whether) {
    const std::size_t count = hands.shape(0);
    check_hands(hands.data(), count);
    ready(book, node);
    auto found = std::make_unique<double[]>(count);
    {
        const nb::gil_scoped_release released;
        for (std::size_t i = 0; i < count; ++i)
            found[i] = book.call_misfit(node, call, hands.data()[i], spreads.data(), only_whether);
    }
    return owned(std::move(found), count);
}

// The call of each rule of a node, and how far a hand is from the rule.
auto rule_misfits(const bd::Book& book, int node, std::uint64_t hand,
                  const Array<double, mg::features>& spreads) {
    check_hands(&hand, 1);
    const std::vector<double> far = book.rule_misfits(ready(book, node), hand, spreads.data());
    std::vector<std::pair<int, double>> found;
    for (std::size_t i = 0; i < far.size(); ++i) found.emplace_back(book.node(node).rules[i].call, far[i]);
    return found;
}

std::vector<std::pair<int, int>> take_wanted(bd::Book& book) {
    std::vector<std::pair<int, int>> wanted;
    for (const auto& [node, call] : book.wanted()) wanted.emplace_back(node, call);
    book.clear_wanted();
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    return wanted;
}

std::vector<int> node_fields(bd::Book& book, int node) {
    const bd::Fields fields = bd::fields_of(book.settled(checked(book, node)).state, book.bank());
    return {fields.begin(), fields.end()};
}

// For nodes and calls, a row each: what is known where the player may pass or make the call, in numbers.
auto questions(bd::Book& book, const Array<std::int32_t, -1>& nodes, const Array<std::uint8_t, -1>& calls) {
    const std::size_t count = nodes.shape(0);
    auto rows = std::make_unique<float[]>(count * bd::question_size);
    for (std::size_t i = 0; i < count; ++i) {
        const bd::Question question =
            bd::question_of(book.settled(checked(book, nodes.data()[i])).state, book.bank(), calls.data()[i]);
        std::copy(question.begin(), question.end(), rows.get() + i * bd::question_size);
    }
    return owned(std::move(rows), count, bd::question_size);
}

Made<std::uint64_t, mg::shapes> known(bd::Book& book, int number, int seat) {
    const bd::State& state = book.settled(checked(book, number)).state;
    const bd::Cells& cells = book.bank().cells(state.known[static_cast<std::size_t>(seat & 3)]);
    auto copy = std::make_unique<std::uint64_t[]>(mg::shapes);
    std::copy(cells.begin(), cells.end(), copy.get());
    std::uint64_t* first = copy.release();
    nb::capsule owner(first, [](void* p) noexcept { delete[] static_cast<std::uint64_t*>(p); });
    return Made<std::uint64_t, mg::shapes>(first, {mg::shapes}, owner);
}

}  // namespace

void bind_bidding(nb::module_& m) {
    m.def(
        "trick_model",
        [] {
            const bd::TrickModel& model = bd::trick_model;
            nb::dict found;
            found["suit_base"] = model.suit_base;
            found["suit_points"] = model.suit_points;
            found["trumps_to_eight"] = model.trumps_to_eight;
            found["trumps_over_eight"] = model.trumps_over_eight;
            found["notrump_base"] = model.notrump_base;
            found["notrump_points"] = model.notrump_points;
            return found;
        },
        "The coefficients by which judgement forecasts the tricks of a side.");
    nb::class_<bd::Book>(m, "Book", "Positions of a system, made when they are first reached.")
        .def(nb::init<std::size_t>(), nb::arg("most_nodes"))
        .def("add_rule", &add_rule, nb::arg("call"), nb::arg("condition").none(), nb::arg("effects"),
             nb::arg("order"), nb::arg("forecast") = ForecastRow{0, 0, 0.0})
        .def("forecast_at", &forecast_at, nb::arg("node"), nb::arg("rule"))
        .def("number_of_said", &number_of_said, nb::arg("cells"))
        .def("set_rules", &bd::Book::set_rules, nb::arg("part"), nb::arg("looked_at"), nb::arg("rules"))
        .def("set_parts", &bd::Book::set_parts, nb::arg("cursor"), nb::arg("parts"))
        .def(
            "is_known",
            [](const bd::Book& book, int node, int part) { return book.is_known(checked(book, node), part); },
            nb::arg("node"), nb::arg("part"))
        .def(
            "list_rules", [](const bd::Book& book, int number) { return book.list(number); }, nb::arg("list"))
        .def("set_cursor", &bd::Book::set_cursor, nb::arg("cursor"), nb::arg("list"), nb::arg("call"),
             nb::arg("next"))
        .def("take_wanted", &take_wanted)
        .def("bid", &bid, nb::arg("hands"), nb::arg("dealers"), nb::arg("vulnerable"), nb::arg("nodes"))
        .def("calls_to", &calls_to, nb::arg("nodes"))
        .def("locate", &locate, nb::arg("roots"), nb::arg("calls"), nb::arg("said"))
        .def("decide", &decide, nb::arg("nodes"), nb::arg("hands"))
        .def("call_misfits", &call_misfits, nb::arg("node"), nb::arg("call"), nb::arg("hands"),
             nb::arg("spreads"), nb::arg("only_whether"))
        .def("rule_misfits", &rule_misfits, nb::arg("node"), nb::arg("hand"), nb::arg("spreads"))
        .def("rules", &rules, nb::arg("node"))
        .def("fields", &node_fields, nb::arg("node"))
        .def("expected", &expected, nb::arg("node"))
        .def(
            "review",
            [](bd::Book& book, const Array<float, -1>& weights, double written_calls, double judged_calls,
               double written_passes, double judged_passes) {
                if (weights.shape(0) != bd::Reviewer::size)
                    throw std::invalid_argument("a reviewer has another number of weights");
                book.review(bd::Reviewer({weights.data(), weights.data() + weights.shape(0)}),
                            {written_calls, judged_calls, written_passes, judged_passes});
            },
            nb::arg("weights"), nb::arg("written_calls"), nb::arg("judged_calls"), nb::arg("written_passes"),
            nb::arg("judged_passes"))
        .def("questions", &questions, nb::arg("nodes"), nb::arg("calls"))
        .def("known", &known, nb::arg("node"), nb::arg("seat"))
        .def(
            "cursor", [](const bd::Book& book, int node) { return book.node(checked(book, node)).cursor; },
            nb::arg("node"))
        .def(
            "list", [](const bd::Book& book, int node) { return book.node(checked(book, node)).list; },
            nb::arg("node"))
        .def(
            "parent", [](const bd::Book& book, int node) { return book.node(checked(book, node)).parent; },
            nb::arg("node"))
        .def("said_by", &said_by, nb::arg("node"), nb::arg("call"))
        .def("trim", &bd::Book::trim)
        .def_prop_ro("size", &bd::Book::size)
        .def_prop_ro("sets", [](const bd::Book& book) { return book.bank().size(); });
    nb::class_<bd::Pairing>(m, "Pairing", "Two books at one table, each told what the other's calls show.")
        .def(nb::init<bd::Book&, bd::Book&>(), nb::arg("one"), nb::arg("other"), nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>())
        .def("bid", &bid_pair, nb::arg("hands"), nb::arg("dealers"), nb::arg("vulnerable"),
             nb::arg("swapped"), nb::arg("nodes"));
}
