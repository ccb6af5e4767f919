// Randomized response for specs/gallery/warner.json, for `oddsbound audit`: one request per line, one output per line.
#include <iostream>
#include <random>
#include <string>

namespace {

// The number after "key":
unsigned long long number_at(const std::string& line, const std::string& key) {
  return std::stoull(line.substr(line.find("\"" + key + "\":") + key.size() + 3));
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {  // {"count":1000,"input":["yes"],"seed":7}
    const std::string truth = line.find("[\"yes\"]") != std::string::npos ? "yes" : "no";
    const std::string lie = truth == "yes" ? "no" : "yes";
    std::mt19937_64 generator(number_at(line, "seed"));
    for (auto left = number_at(line, "count"); left > 0; --left) {
      std::cout << '"' << (generator() % 4 < 3 ? truth : lie) << "\"\n";
    }
    std::cout << std::flush;
  }
}
