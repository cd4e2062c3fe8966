import { createLogo, element } from "./link-parts.js";

/** Minimum number of providers for a search field. */
const MIN_SEARCHABLE = 8;

/** Fills the list of providers. A long list has a search field. */
export function fillList({ finder, sought, entries, found }, providers, choose) {
  finder.hidden = providers.length < MIN_SEARCHABLE;
  entries.replaceChildren(...providers.map((provider) => createEntry(provider, choose)));
  const filter = () => {
    const part = sought.value.trim().toLowerCase();
    const matches = providers.map(({ name, description }) => `${name} ${description}`.toLowerCase().includes(part));
    for (const [index, isMatch] of matches.entries()) entries.children[index].hidden = !isMatch;
    const count = matches.filter(Boolean).length;
    entries.hidden = count === 0;
    const summary = count === 0 ? "No source matches." : `${count} of ${providers.length} sources`;
    found.textContent = part === "" ? "" : summary;
  };
  sought.oninput = filter;
  filter();
}

function createEntry(provider, choose) {
  const button = element("button", { type: "button", className: "entry" }, [
    createLogo(provider),
    element("span", { className: "names" }, [
      element("strong", {}, [provider.name]),
      element("span", { className: "quiet" }, [provider.description]),
    ]),
  ]);
  button.addEventListener("click", () => choose(provider));
  return element("li", {}, [button]);
}
