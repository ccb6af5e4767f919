// Pages: text is escaped when it becomes HTML, and parts are closed in their order.
#include "reports/html/frame.h"

#include <doctest/doctest.h>

using namespace oddsbound;
using namespace oddsbound::reports;

TEST_CASE("text becomes markup only by escaping") {
  const std::string hostile = "<b>\"x\"</b>";
  const std::string escaped = "&lt;b&gt;&quot;x&quot;&lt;/b&gt;";
  CHECK(Html(hostile).markup() == escaped);
  CHECK((hostile + Html::faint(hostile)).markup() == escaped + "<span class=\"faint\">" + escaped + "</span>");
  CHECK(Html::badge(Tone::kOpen, hostile).markup() == "<span class=\"badge doubt\">" + escaped + "</span>");
  CHECK(Html::link(hostile, hostile).markup() == "<a href=\"" + escaped + "\">" + escaped + "</a>");
  CHECK(Html::faint("").markup().empty());
}

TEST_CASE("a page closes every part before the next one") {
  Page page("Title", {true}, "Heading");
  page.contents({"name"}, {{"a"}});
  page.section("first", "First");
  page.paragraph("text");
  page.section("second", "Second");
  const std::string html = page.finish("How to read it.");
  const auto at = [&](const std::string& part) {
    CAPTURE(part);
    REQUIRE(html.find(part) != std::string::npos);
    return html.find(part);
  };
  CHECK(at("<h1>Heading</h1></header><nav") < at("</nav><main><section id=\"first\"><h2>First</h2><p>text</p>"));
  CHECK(at("</section><section id=\"second\">") < at("</section></main><footer><section id=\"limits\">"));
  CHECK(html.ends_with("</section></footer></body></html>\n"));
}

TEST_CASE("a page without sections is whole as well") {
  const std::string html = Page("Title", {true}, "Heading").finish("How to read it.");
  CHECK(html.find("<h1>Heading</h1></header><main></main><footer>") != std::string::npos);
}
