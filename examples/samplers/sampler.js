// Randomized response for specs/gallery/warner.json, for `oddsbound audit`: a request a line, an answer a line.
const { randomInt } = require("node:crypto");
const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const request = JSON.parse(line); // {"input": ["yes"], "count": 1000, "seed": 7}
  const [truth] = request.input;
  const lie = truth === "yes" ? "no" : "yes";
  const counts = { [truth]: 0, [lie]: 0 };
  for (let i = 0; i < request.count; i++) counts[randomInt(4) < 3 ? truth : lie]++;
  console.log(JSON.stringify({ counts }));
});
