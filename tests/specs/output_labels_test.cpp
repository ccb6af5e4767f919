// Labels of outputs that are too many to enumerate.
#include "specs/output_labels.h"

#include <doctest/doctest.h>

#include "base/errors.h"
#include "mechanisms/sampler.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::read_example;

namespace {

// A survey of `questions` questions, each with the given output labels.
Spec survey(int questions, const std::string& outputs, Budget& budget) {
  std::string domain, mechanisms;
  for (int i = 0; i < questions; ++i) {
    const std::string name = "\"q" + std::to_string(i) + "\"";
    const std::string comma = i > 0 ? "," : "";
    domain.append(comma).append("{\"name\": ").append(name).append(", \"size\": 3}");
    mechanisms.append(comma).append(name).append(R"j(: {"type": "matrix", "outputs": )j").append(outputs);
    mechanisms += R"j(, "rows": [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]})j";
  }
  return read_example("[" + domain + "]",
                      R"j({"type": "compose", "mechanisms": [{"type": "per_coordinate", "mechanisms": {)j" +
                          mechanisms +
                          R"j(}}, {"type": "on", "coordinates": ["q0"], "mechanism": {"type": "unary_encoding",
                              "epsilon": "1"}}]})j",
                      budget);
}

void check_read_back(const Spec& spec, Budget& budget) {
  OutputLabels labels(*spec.model.channel, budget);
  std::vector<std::uint64_t> output(spec.model.channel->factors().size(), 0);
  for (std::size_t k = 0; k < output.size(); ++k) {
    output[k] = k % spec.model.channel->factors()[k].channel->outputs();
    CHECK(labels.find(spec.model.channel->label_of(output)) == output);
  }
}

}  // namespace

TEST_CASE("labels of a survey are read back part by part, commas and brackets in them or not") {
  for (const char* outputs : {R"j(["no", "yes", "maybe"])j", R"j(["a,b", "a", "(a"])j", R"j(["", "),(", ")"])j"}) {
    CAPTURE(outputs);
    Budget budget;
    check_read_back(survey(30, outputs, budget), budget);
  }
}

TEST_CASE("what is no label is none, and what may be two outputs is refused") {
  Budget budget;
  const Spec plain = survey(20, R"j(["no", "yes", "maybe"])j", budget);
  OutputLabels labels(*plain.model.channel, budget);
  const std::string label =
      plain.model.channel->label_of(std::vector<std::uint64_t>(output_words(*plain.model.channel), 0));
  for (const std::string& wrong :
       {std::string(), std::string("("), std::string("()"), label + ")", label.substr(1), "(" + label + ")",
        label.substr(0, label.size() - 1) + ",no)", std::string("((yess") + label.substr(4)}) {
    CAPTURE(wrong);
    CHECK(!labels.find(wrong));
  }
  // One of twenty answers is "x,x", and the label does not show which one.
  const Spec unclear = survey(20, R"j(["x", "x,x", "y"])j", budget);
  OutputLabels several(*unclear.model.channel, budget);
  std::vector<std::uint64_t> output(output_words(*unclear.model.channel), 0);
  output[1] = 1;
  CHECK_THROWS_AS(several.find(unclear.model.channel->label_of(output)), ModelError);
}

TEST_CASE("labels of an adaptive composition that is too large to be listed are read branch by branch") {
  Budget budget;
  const std::vector<ChannelPtr> then{survey(20, R"j(["no", "yes", "maybe"])j", budget).model.channel,
                                     survey(20, R"j(["a,b", "a", "(a"])j", budget).model.channel};
  const Domain domain = survey(20, R"j(["no", "yes", "maybe"])j", budget).model.domain;
  const ChannelPtr asked = read_example(R"j([{"name": "q0", "size": 3}])j",
                                        R"j({"type": "matrix", "outputs": ["y", "y,("], "rows":
                                            [["1/2", "1/2"], ["1/4", "3/4"], ["3/4", "1/4"]]})j",
                                        budget)
                               .model.channel;
  const auto first = std::make_shared<const ProductChannel>(domain, std::vector<Factor>{{asked, {0}}}, false);
  const AdaptiveChannel adaptive(domain, first, then, budget);
  OutputLabels labels(adaptive, budget);
  for (std::uint64_t y = 0; y < 2; ++y) {
    std::vector<std::uint64_t> output(adaptive.words(), 1);
    output[0] = y;
    CHECK(labels.find(adaptive.label_of(output)) == output);
  }
  CHECK_FALSE(labels.find("(y,)"));
  CHECK_FALSE(labels.find("(z,(no))"));
  CHECK_FALSE(labels.find(""));
}
