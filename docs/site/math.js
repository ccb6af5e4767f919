// Typesets the formulas of a page. Arithmatex leaves each one as \(...\) or \[...\] in an element of its own.
for (const element of document.querySelectorAll('.arithmatex')) {
  const text = element.textContent.trim();
  katex.render(text.slice(2, -2), element, { displayMode: text.startsWith('\\['), throwOnError: false });
}
