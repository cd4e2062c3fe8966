const labels = {
  username: "Email or username",
  password: "Password",
  email: "Email",
  region: "Region of your account",
};

/** Creates an element with properties and children. A string becomes a text node, so received data is never markup. */
export function element(name, properties = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Creates the logo of a provider, always from the host of this page. */
export const createLogo = ({ logo }) => element("img", { src: new URL(logo).pathname, alt: "", width: 40, height: 40 });

/** Creates a labelled field of a provider's form. */
export function createField(name, { type, options }) {
  const id = `field-${name}`;
  const common = { id, name, required: true };
  const input = type === "select" ? createRegionSelect(common, options) : createInput(common, type);
  return element("div", { className: "field" }, [element("label", { htmlFor: id }, [labels[name] ?? name]), input]);
}

/** Creates an input. Passwords belong to another site, so the browser must not store them for this site. */
const createInput = (common, type) =>
  element("input", {
    ...common,
    type,
    autocomplete: type === "email" ? "email" : "off",
    autocapitalize: "none",
    spellcheck: false,
    maxLength: type === "email" ? 254 : type === "password" ? 1000 : 320,
  });

/** Creates a selection of regions by name. The region of the browser's language is preselected. */
function createRegionSelect(common, codes) {
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

/** Redirects the user. Also shows a link, because browsers may not open apps by themselves. */
export function redirectTo(url, team) {
  for (const place of document.querySelectorAll(".onward")) {
    place.replaceChildren(element("a", { href: url }, [`Continue to ${team}`]));
  }
  location.replace(url);
}
