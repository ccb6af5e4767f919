#include "app/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/spec_text.h"
#include "base/errors.h"
#include "reports/level_fields.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/threads.h"

namespace oddsbound::app {

namespace {

using Json = nlohmann::ordered_json;

// Sizes up to the largest, ordered by inputs * outputs.
std::vector<SearchSize> sizes_up_to(const SearchSize& largest) {
  std::vector<SearchSize> sizes;
  SearchSize size = largest;
  const std::function<void(std::size_t)> grow = [&](std::size_t i) {
    if (i < largest.coordinates.size()) {
      for (std::uint64_t v = 2; v <= largest.coordinates[i]; ++v) {
        size.coordinates[i] = v;
        grow(i + 1);
      }
      return;
    }
    for (std::uint64_t m = 2; m <= largest.outputs; ++m) {
      size.outputs = m;
      sizes.push_back(size);
    }
  };
  grow(0);
  std::stable_sort(sizes.begin(), sizes.end(), [](const SearchSize& a, const SearchSize& b) {
    return a.inputs() * a.outputs < b.inputs() * b.outputs;
  });
  return sizes;
}

// Rows of exact numbers.
Json rows_json(const std::vector<std::vector<Number>>& rows) {
  Json json = Json::array();
  for (const auto& row : rows) {
    Json& cells = json.emplace_back(Json::array());
    for (const Number& number : row) cells.push_back(number.to_string());
  }
  return json;
}

Json level_json(const CounterClaim& claim) {
  const std::string level = Level::of_exponential(claim.exponential).to_string();
  return claim.first_coordinate ? Json{{"x1", level}} : Json(level);
}

Json claims_json(const std::vector<CounterClaim>& claims) {
  Json json = Json::array();
  for (const CounterClaim& claim : claims) {
    Json entry = {{"notion", claim.notion}, {"epsilon", level_json(claim)}};
    if (claim.delta) entry["delta"] = claim.delta->to_string();
    if (!claim.holds) entry["expect"] = "refuted";
    json.push_back(std::move(entry));
  }
  return json;
}

class SpecWriter {
 public:
  SpecWriter(const Property& property, const SearchSize& size, const Counterexample& found)
      : property_(property), size_(size), found_(found), stem_("not-" + as_file_name(property.name)) {}

  std::vector<FoundSpec> write() const {
    Json mechanism = {{"type", "matrix"}, {"outputs", size_.outputs}, {"rows", rows_json(found_.channel)}};
    if (found_.runs == 1 && found_.kernel.empty()) {
      std::vector<CounterClaim> all = found_.premise;
      all.insert(all.end(), found_.conclusion.begin(), found_.conclusion.end());
      return {spec("", mechanism, all)};
    }
    const FoundSpec once = spec("-premise", mechanism, found_.premise);
    Json then = {{"type", "repeat"}, {"mechanism", mechanism}, {"times", found_.runs}};
    if (!found_.kernel.empty()) {
      then = {{"type", "post_process"},
              {"mechanism", mechanism},
              {"outputs", size_.second_outputs},
              {"rows", rows_json(found_.kernel)}};
    }
    return {once, spec("-conclusion", then, found_.conclusion)};
  }

 private:
  FoundSpec spec(const std::string& part, const Json& mechanism, const std::vector<CounterClaim>& claims) const {
    Json json;
    json["oddsbound"] = 1;
    json["name"] = stem_ + part;
    json["description"] = "A counterexample to: " + property_.summary + ".";
    json["source"] = "oddsbound search --property \"" + property_.name + "\", " + size_.to_string();
    json["domain"] = Json::array();
    for (std::size_t i = 0; i < size_.coordinates.size(); ++i) {
      json["domain"].push_back({{"name", "x" + std::to_string(i + 1)}, {"size", size_.coordinates[i]}});
    }
    if (!found_.weights.empty()) {
      Number total(0);
      for (const Number& weight : found_.weights) total += weight;
      Json probabilities = Json::array();
      for (const Number& weight : found_.weights) probabilities.push_back((weight / total).to_string());
      json["prior"] = {{"type", "probabilities"}, {"probabilities", probabilities}};
    }
    json["mechanism"] = mechanism;
    json["claims"] = claims_json(claims);
    return {stem_ + part + ".json", json_text(json)};
  }

  const Property& property_;
  const SearchSize& size_;
  const Counterexample& found_;
  std::string stem_;
};

// True if the exact engine gives the expected verdict for every claim.
bool checks(const std::vector<FoundSpec>& specs) {
  try {
    for (const FoundSpec& found : specs) {
      Budget budget;
      const Spec spec = read_spec_text(found.name, ".", found.text, budget);
      MeasuredModel subject(spec.model, budget);
      for (const Claim& claim : spec.claims) {
        if (claim.notion->decide(subject, claim.arguments).holds != answer_of(claim.expect_holds)) return false;
      }
    }
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

// Replaces every value of the model by the simplest number within 10^-digits.
SolverAnswer simplified(const SolverAnswer& answer, std::int64_t digits) {
  SolverAnswer result = answer;
  const Number around = Number(10).pow(-digits);
  for (auto& [name, value] : result.model) {
    const Number least = std::max(Number(0), value.low - around);
    value.low = value.high = simplest_between(least, std::max(least, value.high + around));
  }
  return result;
}

class Searcher {
 public:
  Searcher(const Property& property, const SmtOptions& options) : property_(property), options_(options) {}

  SearchStep step(const SearchSize& size, SearchResult& result) {
    SearchStep step{size.coordinates, size.outputs, Answer::kOpen, "", 0};
    const SolverAnswer answer = ask(size, 0, options_.seconds, step);
    step.reason = answer.reason;
    if (answer.satisfiable == Answer::kNo) step.found = Answer::kNo;
    if (answer.satisfiable == Answer::kNo || !property_.read) return step;
    if (find_simple(size, result, step) || answer.satisfiable != Answer::kYes) return step;
    for (std::int64_t digits = 1; digits <= 40; ++digits) {
      if (accept(size, simplified(answer, digits), result, step)) return step;
    }
    step.reason = "Z3 has a counterexample, and no rational numbers near it were found that are one";
    return step;
  }

 private:
  // Tries small denominators and a uniform prior first, because such counterexamples are simplest.
  bool find_simple(SearchSize size, SearchResult& result, SearchStep& step) {
    constexpr unsigned kGrids = 4;
    for (const bool uniform : {true, false}) {
      size.uniform_prior = uniform;
      for (unsigned grid = 1; grid <= kGrids; ++grid) {
        const SolverAnswer answer = ask(size, grid, options_.seconds / 10, step);
        if (answer.satisfiable == Answer::kYes && accept(size, answer, result, step)) return true;
      }
    }
    return false;
  }

  SolverAnswer ask(const SearchSize& size, unsigned grid, double seconds, SearchStep& step) {
    const std::vector<std::string> title{"oddsbound: " + property_.summary, size.to_string(),
                                         "satisfiable if and only if this fails for some mechanism of that size"};
    const Script script = property_.ask(size, grid);
    const SolverAnswer answer = ask_solver(options_, script.text(title), {seconds, options_.memory_mb});
    step.seconds += answer.seconds;
    return answer;
  }

  bool accept(const SearchSize& size, const SolverAnswer& answer, SearchResult& result, SearchStep& step) {
    const Counterexample found = property_.read(size, answer);
    std::vector<FoundSpec> specs;
    try {
      specs = SpecWriter(property_, size, found).write();
    } catch (const NumberError&) {
      return false;
    }
    if (!checks(specs)) return false;
    result.specs = std::move(specs);
    result.shown = show(size, found);
    step.found = Answer::kYes;
    return true;
  }

  static std::string show(const SearchSize& size, const Counterexample& found) {
    Number total(0);
    for (const Number& weight : found.weights) total += weight;
    std::string text;
    for (std::uint64_t x = 0; x < found.channel.size(); ++x) {
      std::uint64_t rest = x;
      std::string input;
      for (std::size_t i = size.coordinates.size(); i-- > 0; rest /= size.coordinates[i]) {
        if (!input.empty()) input.insert(0, ",");
        input.insert(0, std::to_string(rest % size.coordinates[i]));
      }
      text += "    (" + input + ")";
      if (!found.weights.empty()) text += " with probability " + (found.weights[x] / total).to_string();
      text += ": outputs";
      for (const Number& p : found.channel[x]) text += " " + p.to_string();
      text += "\n";
    }
    return text + show_map(found);
  }

  // Which outputs a map merges, and the delta that this raises. Empty for other post-processing.
  static std::string show_map(const Counterexample& found) {
    if (found.kernel.empty() || !found.premise[0].delta) return "";
    std::vector<std::string> sets(found.kernel[0].size());
    for (std::size_t y = 0; y < found.kernel.size(); ++y) {
      for (std::size_t z = 0; z < sets.size(); ++z) {
        if (found.kernel[y][z].is_one()) sets[z] += (sets[z].empty() ? "{" : ", ") + std::to_string(y);
      }
    }
    std::string text = "    merged to";
    for (const std::string& set : sets) {
      if (!set.empty()) text += " " + set + "}";
    }
    const CounterClaim& claim = found.premise[0];
    return text + ": delta rises above " + claim.delta->to_string() +
           " at epsilon = " + Level::of_exponential(claim.exponential).to_string() + "\n";
  }

  const Property& property_;
  const SmtOptions& options_;
};

// The result of one size, with the counterexample if there is one.
struct Looked {
  SearchStep step;
  std::vector<FoundSpec> specs;
  std::string shown;

  Bytes as_bytes() const {
    BinaryWriter writer;
    writer.put(step.coordinates).put(step.outputs).put(static_cast<std::uint64_t>(step.found)).put(step.reason);
    writer.put(step.seconds).put(shown).put(std::uint64_t{specs.size()});
    for (const FoundSpec& spec : specs) writer.put(spec.name).put(spec.text);
    return writer.take();
  }
  static Looked from(const Bytes& bytes) {
    BinaryReader reader(bytes);
    Looked looked;
    looked.step.coordinates = reader.words<std::uint64_t>();
    looked.step.outputs = reader.word();
    looked.step.found = reader.one_of(Answer::kOpen);
    looked.step.reason = reader.text();
    looked.step.seconds = reader.bound();
    looked.shown = reader.text();
    for (std::size_t left = reader.count(16); left > 0; --left) {
      std::string name = reader.text();
      // It becomes a file name.
      if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos ||
          name.find('\0') != std::string::npos) {
        throw BytesError("'" + printable(name) + "' is no name of a counterexample");
      }
      looked.specs.push_back({std::move(name), reader.text()});
    }
    reader.require_end();
    if (looked.specs.empty() == (looked.step.found == Answer::kYes)) {
      throw BytesError("a size has counterexamples or none, and says otherwise");
    }
    return looked;
  }
};

Looked look_at(const Property& property, const SmtOptions& options, const SearchSize& size) {
  SearchResult found;
  Looked looked{Searcher(property, options).step(size, found), {}, ""};
  looked.specs = std::move(found.specs);
  looked.shown = std::move(found.shown);
  return looked;
}

// Throws BytesError unless these are the results of the first sizes, in order.
void require_looks_at(const std::vector<SearchSize>& sizes, const std::vector<Bytes>& looks) {
  if (looks.size() > sizes.size()) throw BytesError("there are not that many sizes");
  for (std::size_t k = 0; k < looks.size(); ++k) {
    const SearchStep step = Looked::from(looks[k]).step;
    if (step.coordinates != sizes[k].coordinates || step.outputs != sizes[k].outputs) {
      throw BytesError("these are other sizes");
    }
  }
}

// The sizes are listed before the first one is searched, so their number has a limit.
void require_searchable(const SearchOptions& options) {
  constexpr std::uint64_t kMostValues = 8, kMostOutputs = 16, kMostSizes = 1 << 16;
  if (options.coordinates.empty()) throw ModelError("--coordinates has no number of values, expected at least one");
  if (options.outputs < 2 || options.outputs > kMostOutputs) {
    throw ModelError(fmt::format("found --outputs {}, expected 2 to {}", options.outputs, kMostOutputs));
  }
  std::uint64_t sizes = options.outputs - 1;
  for (const std::uint64_t values : options.coordinates) {
    if (values < 2 || values > kMostValues) {
      throw ModelError(fmt::format("found {} values in --coordinates, expected 2 to {} of each", values, kMostValues));
    }
    sizes *= values - 1;
    if (sizes <= kMostSizes) continue;
    throw ModelError(
        fmt::format("--coordinates and --outputs have more than {} sizes to search, expected fewer", kMostSizes));
  }
}

// The largest size, with the level of the premise.
SearchSize largest_size(const Property& property, const SearchOptions& options) {
  require_searchable(options);
  SearchSize size{options.coordinates, options.outputs, options.second_outputs, options.runs,
                  property.default_exponential};
  if (!options.level) return size;
  if (!property.uses_level) {
    throw ModelError("'" + property.name + "' is asked for all levels at once; --level is not used");
  }
  if (options.level->is_infinite() || !options.level->exponential_as_surd().is_rational()) {
    throw ModelError("--level must be the logarithm of a rational number, as in log(2)");
  }
  size.exponential = options.level->exponential();
  return size;
}

Bytes question_of(const Property& property, const std::vector<SearchSize>& sizes, const SmtOptions& options) {
  BinaryWriter writer;
  writer.put(property.name).put(options.seconds).put(options.memory_mb);
  for (const SearchSize& size : sizes) writer.put(size.to_string());
  return writer.take();
}

}  // namespace

SearchResult search(const Property& property, const SearchOptions& options, Budget& budget,
                    const SearchProgress& progress) {
  const std::vector<SearchSize> sizes = sizes_up_to(largest_size(property, options));
  const Unit unit = [&](const Bytes& place, std::size_t, Budget&) {
    return look_at(property, options.smt, sizes[BinaryReader(place).below(sizes.size())]).as_bytes();
  };
  const TaskBody lead = [&](WorkerPool& workers, Budget& own) {
    std::vector<Bytes> known;
    if (const Bytes kept = workers.kept(); !kept.empty()) known = BinaryReader(kept).texts();
    require_looks_at(sizes, known);
    const auto state = [&] { return BinaryWriter().put(known).take(); };
    const auto found_any = [&] { return !known.empty() && !Looked::from(known.back()).specs.empty(); };
    while (known.size() < sizes.size() && !found_any() && !own.limits().stop.stop_requested()) {
      if (progress) progress(known.size() + 1, sizes.size(), sizes[known.size()].to_string());
      std::vector<Bytes> places;
      for (std::size_t k = known.size(); k < std::min(sizes.size(), known.size() + workers.count()); ++k) {
        places.push_back(BinaryWriter().put(k).take());
      }
      for (Bytes& result : workers.map(places)) {
        known.push_back(std::move(result));
        if (found_any()) break;
      }
      workers.keep(state);
    }
    if (known.size() < sizes.size() && !found_any()) workers.is_unfinished(state());
    return state();
  };
  const Bytes outcome = run_task(task_name("search", question_of(property, sizes, options.smt)), unit, lead, budget);
  SearchResult result{property.name, {}, {}, ""};
  const std::vector<Bytes> looks = BinaryReader(outcome).texts();
  require_looks_at(sizes, looks);
  for (const Bytes& bytes : looks) {
    Looked looked = Looked::from(bytes);
    result.steps.push_back(std::move(looked.step));
    result.specs = std::move(looked.specs);
    result.shown = std::move(looked.shown);
  }
  for (std::size_t k = result.steps.size(); result.specs.empty() && k < sizes.size(); ++k) {
    const SearchSize& size = sizes[k];
    result.steps.push_back({size.coordinates, size.outputs, Answer::kOpen, "it was stopped", 0});
  }
  return result;
}

}  // namespace oddsbound::app
