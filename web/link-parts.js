import { request } from "./link-service.js";

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

/** Adds an error to the address of a team's page, as the service does. */
export function withError(address, type, { title }) {
  const url = new URL(address);
  for (const [name, value] of Object.entries({ state: "error", error_type: type, error: title })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}

const toParagraphs = (texts) => texts.map((text) => element("p", {}, [text]));

/** Fills the words of a notice into the steps that show it. Its first paragraph is the title. */
export function fillNotice({ "consent-title": heading, "consent-words": consent, "login-words": login }, { text }) {
  const [title, ...paragraphs] = text.split("\n\n");
  heading.textContent = title;
  for (const place of [consent, login]) place.replaceChildren(...toParagraphs(paragraphs));
}

const fact = (name, value) => [element("dt", {}, [name]), element("dd", {}, [value])];

/** Fills the panel with what the user agreed to, and shows it. Without a consent, the panel stays hidden. */
export async function showReceipt({ receipt, facts, "receipt-words": words, print }) {
  const consent = await request("GET", "consent").catch(() => undefined);
  if (!consent) return;
  const { record, given_at, provider, consent_id } = consent;
  const [{ purpose }] = record.pii_processing.purposes;
  const [{ party_name }] = record.party_identification;
  facts.replaceChildren(
    ...fact("Receives the data", party_name),
    ...fact("Source", provider),
    ...(record.scopes.granted.length > 0 ? fact("Permissions", record.scopes.granted.join(", ")) : []),
    ...(purpose ? fact("Purpose", purpose) : []),
    ...fact("Given on", new Date(given_at).toLocaleString()),
    ...fact("Receipt", consent_id),
  );
  words.replaceChildren(...toParagraphs(record.notice?.text.split("\n\n").slice(1) ?? []));
  receipt.hidden = false;
  print.onclick = () => window.print();
}
