const labels = {
  username: "E-mail or user name",
  password: "Password",
  email: "E-mail",
  region: "Region of your account",
};

/** An element with properties and children; a string becomes a text node, so nothing received is ever markup. */
export function element(name, properties = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The logo of a provider, always from this page's own host. */
export const makeLogo = ({ logo }) => element("img", { src: new URL(logo).pathname, alt: "", width: 40, height: 40 });

/** A field of a form as a provider describes it, with its label. */
export function makeField(name, { type, options }) {
  const id = `field-${name}`;
  const common = { id, name, required: true };
  const input = type === "select" ? makeRegions(common, options) : makeInput(common, type);
  return element("div", { className: "field" }, [element("label", { htmlFor: id }, [labels[name] ?? name]), input]);
}

/** Passwords here are those of another site, so no browser is asked to keep them for this one. */
const makeInput = (common, type) =>
  element("input", {
    ...common,
    type,
    autocomplete: type === "email" ? "email" : "off",
    autocapitalize: "none",
    spellcheck: false,
    maxLength: type === "email" ? 254 : type === "password" ? 1000 : 320,
  });

/** The regions by name, that of the reader's browser chosen where it is among them. */
function makeRegions(common, codes) {
  const names = new Intl.DisplayNames(["en"], { type: "region" });
  const named = codes.map((code) => ({ value: code, text: names.of(code.toUpperCase()) ?? code }));
  const options = named.toSorted((one, other) => one.text.localeCompare(other.text));
  const select = element("select", common, [
    element("option", { value: "", text: "Choose…" }),
    ...options.map((option) => element("option", option)),
  ]);
  const own = new Intl.Locale(navigator.language).region?.toLowerCase();
  select.value = codes.includes(own) ? own : "";
  return select;
}

/** Sends the user on, by a link where the browser does not go by itself (as to apps). */
export function leaveTo(url, team) {
  for (const place of document.querySelectorAll(".onward")) {
    place.replaceChildren(element("a", { href: url }, [`Continue to ${team}`]));
  }
  location.replace(url);
}
