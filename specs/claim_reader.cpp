// Claims: the notion says which fields a claim has, field_reader how each kind of field is written.
#include "specs/spec_parts.h"
#include "specs/suggest.h"
#include "verifier/notions/table.h"

namespace oddsbound::specs {

namespace {

const Notion& read_notion(JsonView claim) {
  std::vector<std::string> known;
  for (const Notion& notion : notion_table()) known.push_back(notion.name);
  if (!claim.is_object()) claim.fail("found " + claim.kind_name() + ", expected an object: a claim");
  for (const JsonView::Member& member : claim.members()) {
    if (member.key.text() != "notion") continue;
    const std::string name = read_string(member.value, "the name of a notion");
    if (const Notion* notion = find_notion(name)) return *notion;
    std::string hint = suggestion(name, known);
    if (hint.empty()) hint = "known: " + listing(known);
    member.value.fail("unknown notion '" + printable(name) + "'", hint);
  }
  claim.fail("a claim needs the key 'notion'");
}

Claim read_claim(JsonView value, const Model& model, ReadingContext& context) {
  Claim claim;
  claim.notion = &read_notion(value);
  std::vector<std::string> known{"notion", "name", "expect", "tight"};
  for (const Field& field : claim.notion->fields) known.push_back(field.name);
  const Fields fields(value, known, "a claim about " + claim.notion->name);
  if (const auto name = fields.find("name")) claim.name = read_string(*name, "the name of a claim");
  if (const auto expect = fields.find("expect")) {
    const std::string text = read_string(*expect, "'holds' or 'refuted'");
    if (text != "holds" && text != "refuted") {
      expect->fail("found '" + printable(text) + "', expected 'holds' or 'refuted'");
    }
    claim.expect_holds = text == "holds";
  }
  if (const auto tight = fields.find("tight")) {
    claim.tight = read_boolean(*tight, "whether the level is the least");
    if (claim.tight && !claim.notion->never_tight.empty()) {
      tight->fail("a claim about " + claim.notion->name + " cannot be tight", claim.notion->never_tight);
    }
  }
  claim.arguments = at_place(value, [&] { return read_fields(fields, claim.notion->fields, model.domain, context); });
  if (claim.notion->complaint) {
    if (const auto found = claim.notion->complaint(model.domain, claim.arguments)) {
      fields.require(found->first).fail(printable(found->second));
    }
  }
  if (claim.notion->needs_prior && !model.prior && !claim.arguments.has(kForAll)) {
    fields.require("notion").fail("a claim about " + claim.notion->name + " needs a prior, and the spec has none",
                                  "add a prior, for example {\"type\": \"uniform\"}");
  }
  claim.place = value.place();
  for (const auto& [name, member] : fields.members()) claim.source.emplace(name, canonical_json(member.value));
  return claim;
}

}  // namespace

std::vector<Claim> read_claims(JsonView value, const Model& model, ReadingContext& context) {
  std::vector<Claim> claims;
  for (const JsonView item : read_array(value, "claims")) claims.push_back(read_claim(item, model, context));
  return claims;
}

}  // namespace oddsbound::specs
