import { element } from "./review-parts.js";

const SVG = "http://www.w3.org/2000/svg";

function createSvgElement(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** Draws a page from its words. @returns the page, and a function that marks the line of a result. */
function drawPage({ width, height, words }, label) {
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

/** Loads the files of a report from their parts. @returns their object URLs. */
export const loadFiles = (files, request) => Promise.all(files.map((file, place) => loadFile(file, place, request)));

async function loadFile({ media_type, parts }, place, request) {
  const loaded = [];
  for (let part = 0; part < parts; part++) loaded.push(await (await request("GET", `file/${place}/${part}`)).blob());
  return URL.createObjectURL(new Blob(loaded, { type: media_type }));
}

/**
 * Shows the pages of a report. A text PDF is drawn from its words; images and scanned PDFs are shown as they are.
 * @returns a function that marks the line of a result on the first page that contains it.
 */
export function showPages(box, { files, pages }, urls) {
  const label = (place) => `Page ${place + 1} of the report`;
  if (files[0].media_type !== "application/pdf") {
    box.replaceChildren(...urls.map((src, place) => element("img", { src, alt: label(place), className: "page" })));
    return () => undefined;
  }
  const isText = pages.every(({ origin }) => origin === "text");
  const drawn = isText ? pages.map((one, place) => drawPage(one, `${label(place)}, drawn from its words`)) : [];
  const original = element("iframe", { src: urls[0], title: "The original report", className: "page" });
  const link = element("a", { href: urls[0], download: "report.pdf" }, ["Download original"]);
  box.replaceChildren(element("p", {}, [link]), ...(isText ? drawn.map(({ page }) => page) : [original]));
  const blank = { test_name: "\u0000", value: "" };
  return (result) => {
    let isShown = false;
    for (const { show } of drawn) isShown = show(isShown ? blank : result) || isShown;
  };
}
