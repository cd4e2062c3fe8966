const SVG = "http://www.w3.org/2000/svg";

function createSvgElement(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** Draws a page from its words. @returns the page, and a function that marks the line of a result. */
export function drawPage({ width, height, words }, label) {
  const svg = createSvgElement("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "page",
    role: "img",
    "aria-label": label,
  });
  const mark = createSvgElement("rect", { class: "here", width: 0, height: 0 });
  svg.append(mark);
  for (const { text, left, top, width: wide, height: high } of words) {
    const fitting = { textLength: wide, lengthAdjust: "spacingAndGlyphs" };
    svg.append(
      createSvgElement("text", { x: left, y: top + high * 0.8, "font-size": high, ...(wide > 0 ? fitting : {}) }, text),
    );
  }
  const show = ({ test_name, value }) => {
    const line = findLine(words, test_name, value);
    mark.setAttribute("height", line ? line.height * 1.4 : 0);
    if (!line) return false;
    for (const [key, at] of [
      ["x", 0],
      ["y", line.top - line.height * 0.2],
      ["width", width],
    ])
      mark.setAttribute(key, at);
    scrollIntoPages(mark);
    return true;
  };
  return { page: svg, show };
}

/** Scrolls only the pages, so that the field in which the user types stays visible. */
function scrollIntoPages(mark) {
  const box = mark.closest("#pages");
  const [seen, all] = [mark.getBoundingClientRect(), box.getBoundingClientRect()];
  if (seen.top < all.top || seen.bottom > all.bottom) box.scrollBy(0, seen.top - all.top - all.height / 3);
}

/** A word of the line that contains both the name and the value. */
function findLine(words, name, value) {
  const [first = ""] = name.split(/\s+/);
  const values = words.filter(({ text }) => text.includes(value.split(/\s+/)[0]));
  const isNear = (one, other) => Math.abs(one.top - other.top) < one.height;
  return words.find((word) => word.text === first && values.some((other) => other !== word && isNear(word, other)));
}
