#include <nanobind/stl/optional.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/bind.hpp"
#include "bind/watch.hpp"
#include "webb/arena.hpp"
#include "webb/variation.hpp"

namespace nb = nanobind;
namespace wb = bidlab::webb;

namespace {

using Words = Array<std::uint32_t, -1, -1, -1>;
using Links = Array<std::uint8_t, -1, -1, wb::transitions>;

wb::Form form_of(const Words& words, const Links& links, int inheritance, std::uint32_t options) {
    const std::size_t states = words.shape(1), entries = words.shape(2);
    if (links.shape(0) != words.shape(0) || links.shape(1) != states || !words.shape(0))
        throw std::invalid_argument("systems with transitions of every state are wanted");
    if (states < 1 || states > wb::most_states || entries < 1 || entries > wb::most_entries)
        throw std::invalid_argument("1 to 64 states of 1 to 64 entries are wanted");
    for (std::size_t i = 0; i < links.size(); ++i)
        if (links.data()[i] >= states) throw std::invalid_argument("a transition leads to no state");
    return {static_cast<int>(states), static_cast<int>(entries), inheritance, options};
}

wb::Genome genome(const wb::Form& form, const Words& words, const Links& links, std::size_t number) {
    const std::uint32_t* first = words.data() + number * form.words();
    const std::uint8_t* to = links.data() + number * form.links();
    return {{first, first + form.words()}, {to, to + form.links()}};
}

// The numbers of what was counted, by system.
std::vector<std::vector<std::uint32_t>> counted(const Array<std::uint32_t, -1, -1>& counts) {
    std::vector<std::vector<std::uint32_t>> found(counts.shape(0));
    for (std::size_t i = 0; i < counts.shape(0); ++i)
        for (std::uint32_t j = 0; j < counts.shape(1); ++j)
            if (counts.data()[i * counts.shape(1) + j]) found[i].push_back(j);
    return found;
}

nb::tuple variants(const Words& words, const Links& links, std::uint32_t options,
                   const Array<std::int32_t, -1>& parents, const Array<std::int32_t, -1>& others,
                   const Array<std::uint32_t, -1, -1>& used_words,
                   const Array<std::uint32_t, -1, -1>& used_links, std::uint64_t seed, std::uint64_t number) {
    const wb::Form form = form_of(words, links, 0, options);
    const std::size_t count = parents.shape(0);
    const auto seen_words = counted(used_words), seen_links = counted(used_links);
    if (used_words.shape(1) != form.words() || used_links.shape(1) != form.links() ||
        seen_words.size() != seen_links.size())
        throw std::invalid_argument("counts of every word and transition are wanted");
    if (others.shape(0) != count) throw std::invalid_argument("two parents of every child are wanted");
    std::vector<wb::Genome> all;
    for (std::size_t i = 0; i < words.shape(0); ++i) all.push_back(genome(form, words, links, i));
    auto entries = std::make_unique<std::uint32_t[]>(count * form.words());
    auto to = std::make_unique<std::uint8_t[]>(count * form.links());
    for (std::size_t i = 0; i < count; ++i) {
        bidlab::Generator random(seed, number + i);
        const auto parent = static_cast<std::size_t>(parents.data()[i]);
        const auto other = static_cast<std::size_t>(others.data()[i]);
        if (parent >= all.size() || other >= all.size()) throw std::invalid_argument("no such parent");
        wb::Used used;
        if (parent < seen_words.size()) used = {seen_words[parent], seen_links[parent]};
        const wb::Genome child = wb::variant(form, all[parent], all[other], used, random);
        std::copy(child.words.begin(), child.words.end(), entries.get() + i * form.words());
        std::copy(child.links.begin(), child.links.end(), to.get() + i * form.links());
    }
    return nb::make_tuple(owned(std::move(entries), count, form.states, form.entries),
                          owned(std::move(to), count, form.states, wb::transitions));
}

nb::tuple usage(const wb::Population& systems, int count, const Array<std::uint64_t, -1, 4>& hands,
                const Array<std::uint8_t, -1>& dealers, const Array<std::uint8_t, -1>& vulnerable) {
    const std::size_t boards = hands.shape(0), members = static_cast<std::size_t>(count);
    if (dealers.shape(0) != boards || vulnerable.shape(0) != boards || count < 0 || members > systems.size())
        throw std::invalid_argument(
            "dealer and vulnerability of every board are wanted, and systems there are");
    const wb::Form& form = systems.form();
    auto words = std::make_unique<std::uint32_t[]>(members * form.words());
    auto links = std::make_unique<std::uint32_t[]>(members * form.links());
    for (std::size_t i = 0; i < members; ++i) {
        const wb::Usage found = wb::usage_of(
            systems.at(i), form, {boards, hands.data(), nullptr, nullptr, dealers.data(), vulnerable.data()});
        std::copy(found.words.begin(), found.words.end(), words.get() + i * form.words());
        std::copy(found.links.begin(), found.links.end(), links.get() + i * form.links());
    }
    return nb::make_tuple(owned(std::move(words), members, form.words()),
                          owned(std::move(links), members, form.links()));
}

nb::object measure(const wb::Population& systems, const wb::Population& opponents,
                   const Array<std::int32_t, -1, 2>& who, const Array<std::uint64_t, -1, 4>& hands,
                   const Array<std::uint8_t, -1, 5, 4>& tricks, const Array<std::int32_t, -1>& par,
                   const Array<std::uint8_t, -1>& dealers, const Array<std::uint8_t, -1>& vulnerable,
                   int threads, const std::optional<Array<bool, -1, -1>>& skips, bool wants_touched) {
    const std::size_t count = hands.shape(0), entrants = who.shape(0);
    if (tricks.shape(0) != count || par.shape(0) != count || dealers.shape(0) != count ||
        vulnerable.shape(0) != count)
        throw std::invalid_argument("tricks, par, dealer and vulnerability of every board are wanted");
    if (skips && (skips->shape(0) != entrants || skips->shape(1) != count))
        throw std::invalid_argument("boards to skip of every entrant are wanted");
    std::vector<wb::Entrant> all(entrants);
    for (std::size_t i = 0; i < entrants; ++i) {
        all[i] = {who.data()[2 * i], who.data()[2 * i + 1]};
        if (all[i].system < 0 || static_cast<std::size_t>(all[i].system) >= systems.size() ||
            (all[i].against >= 0 && static_cast<std::size_t>(all[i].against) >= opponents.size()))
            throw std::invalid_argument("an entrant that there is not");
    }
    auto out = std::make_unique<std::int8_t[]>(entrants * count);
    const std::size_t width = wb::touched_words(systems.form());
    std::unique_ptr<std::uint64_t[]> touched;
    if (wants_touched) touched = std::make_unique<std::uint64_t[]>(entrants * count * width);
    watched(nb::none(), [&](const bidlab::Watch& watch) {
        wb::measure(systems, opponents,
                    {count, hands.data(), tricks.data(), par.data(), dealers.data(), vulnerable.data()},
                    entrants, all.data(), threads, watch, out.get(),
                    {skips ? skips->data() : nullptr, touched.get()});
    });
    nb::object imps = owned(std::move(out), entrants, count);
    if (!wants_touched) return imps;
    return nb::make_tuple(imps, owned(std::move(touched), entrants, count, width));
}

nb::object par(const Array<std::uint8_t, -1, 5, 4>& tricks, const Array<std::uint8_t, -1>& dealers,
               const Array<std::uint8_t, -1>& vulnerable) {
    const std::size_t count = tricks.shape(0);
    if (dealers.shape(0) != count || vulnerable.shape(0) != count)
        throw std::invalid_argument("dealer and vulnerability of every board are wanted");
    auto out = std::make_unique<std::int32_t[]>(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = wb::par_score(tricks.data() + 20 * i, dealers.data()[i], vulnerable.data()[i]);
    return owned(std::move(out), count);
}

}  // namespace

void bind_climbing(nb::module_& m) {
    m.def("webb_variants", &variants, nb::arg("words"), nb::arg("transitions"), nb::arg("options"),
          nb::arg("parents"), nb::arg("others"), nb::arg("used_words"), nb::arg("used_transitions"),
          nb::arg("seed"), nb::arg("number"),
          "Words and transitions of children, by small edits of their parents.");
    m.def("webb_usage", &usage, nb::arg("systems"), nb::arg("count"), nb::arg("hands"), nb::arg("dealers"),
          nb::arg("vulnerable"),
          "How often the first systems use each word and each transition, two arrays [system, number].");
    m.def("webb_par", &par, nb::arg("tricks"), nb::arg("dealers"), nb::arg("vulnerable"),
          "int32 [board]: par from North-South's side.");
    m.def("webb_measured", &measure, nb::arg("systems"), nb::arg("opponents"), nb::arg("who"),
          nb::arg("hands"), nb::arg("tricks"), nb::arg("par"), nb::arg("dealers"), nb::arg("vulnerable"),
          nb::arg("threads") = 1, nb::arg("skips") = nb::none(), nb::arg("wants_touched") = false,
          "int8 [entrant, board]: IMPs from par; with uint64 [entrant, board, ..], what each depends on.");
}
