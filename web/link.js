import { fillList } from "./link-list.js";
import { makeField, makeLogo } from "./link-parts.js";
import { ask, Failure, forgetToken, hasToken } from "./link-service.js";
import { isTold, lasting, wordsFor } from "./link-words.js";

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
const steps = [...document.querySelectorAll("section")];

/** What the token is about, once it was read: the team, where to go afterwards, which providers to show. */
let about;
let shown = [];
let chosen;

function show(name) {
  for (const step of steps) step.hidden = step.id !== name;
  page.back.hidden = shown.length < 2 || !["login", "code", "phone"].includes(name);
  page.close.hidden = !about || ["success", "closed", "leaving"].includes(name);
  const heading = page[name].querySelector("h1");
  document.title = heading.textContent.trim();
  heading.focus();
}

const names = () => ({
  team: about?.team_name ?? "the application",
  provider: chosen?.name ?? sessionStorage.getItem("provider") ?? "the provider",
});

function fillNames() {
  for (const [name, text] of Object.entries(names())) {
    for (const place of document.querySelectorAll(`.${name}`)) place.textContent = text;
  }
}

function showProblem(type) {
  const { title, text } = wordsFor(type, names());
  page["problem-title"].textContent = title;
  page["problem-text"].textContent = text;
  page.again.hidden = !hasToken() || lasting.includes(type);
  show("problem");
}

/** Runs a step of the way; whatever goes wrong is told by `tell`. */
async function run(work, tell = showProblem) {
  try {
    await work();
  } catch (error) {
    tell(error instanceof Failure ? error.type : "unreachable");
  }
}

/** Sends the user on with an outcome, as the service itself does after OAuth. */
function leaveWith(type) {
  const url = new URL(about.redirect_url);
  url.searchParams.set("state", "error");
  url.searchParams.set("error_type", type);
  url.searchParams.set("error", wordsFor(type, names()).title);
  location.replace(url);
}

async function begin() {
  about = await ask("GET", "token");
  const all = await ask("GET", "providers");
  shown = all
    .filter(({ slug }) => about.shown_providers.includes(slug))
    .sort((one, other) => one.name.localeCompare(other.name));
  fillNames();
  if (shown.length === 0) throw new Failure("nothing_to_connect");
  if (shown.length === 1) await choose(shown[0]);
  else showList();
}

function showList() {
  fillList(page, shown, (provider) => run(() => choose(provider)));
  show("list");
}

async function choose(provider) {
  chosen = provider;
  sessionStorage.setItem("provider", provider.name);
  fillNames();
  for (const place of document.querySelectorAll(".logo")) place.replaceChildren(makeLogo(provider));
  if (provider.auth_type === "oauth") return goToProvider();
  // The browser's own way back leads to the list, too.
  if (shown.length > 1) history.pushState("step", "");
  if (provider.auth_type === "sdk") return showPhone();
  page.fields.replaceChildren(...Object.entries(provider.form_components).map((part) => makeField(...part)));
  page.secret.hidden = !("password" in provider.form_components);
  page["login-problem"].hidden = true;
  show("login");
}

async function goToProvider() {
  show("leaving");
  const { oauth_url } = await ask("GET", `provider/oauth/${chosen.slug}`);
  // A page that goes on by itself must not lie in the way back.
  if (shown.length > 1) location.assign(oauth_url);
  else location.replace(oauth_url);
}

async function showPhone() {
  const { code, qr_code, expires_at } = await ask("POST", `provider/sdk/${chosen.slug}`);
  page.qr.src = `data:image/svg+xml,${encodeURIComponent(qr_code)}`;
  page.qr.alt = `QR code for the app of ${about.team_name}`;
  page["phone-code"].textContent = code;
  page.copy.textContent = "Copy";
  page.until.dateTime = expires_at;
  page.until.textContent = new Date(expires_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  show("phone");
}

function succeed(redirectUrl) {
  forgetToken();
  history.replaceState(null, "", `${location.pathname}?state=success`);
  page.over.hidden = Boolean(redirectUrl);
  page.onward.hidden = !redirectUrl;
  fillNames();
  show("success");
  if (redirectUrl) location.replace(redirectUrl);
}

/** Goes on with what a login came to. */
function proceed({ state, redirect_url, error_type, provider_mfa }) {
  if (state === "success") return succeed(redirect_url);
  if (state === "error") {
    if (about.on_error === "redirect" && redirect_url) return location.replace(redirect_url);
    throw new Failure(error_type);
  }
  const means = { email: "by e-mail to", sms: "by text message to" }[provider_mfa.method] ?? "to";
  page["sent-to"].textContent = `${means} ${provider_mfa.hint}`;
  page["code-problem"].hidden = true;
  page.mfa.value = "";
  show("code");
}

/** Has a form sent once at a time; what goes wrong is told above its fields, with what most likely is to be mended chosen. */
function onSubmit(form, button, problem, send) {
  let isBusy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    const text = button.textContent;
    button.textContent = "One moment…";
    await run(send, (type) => {
      if (about.on_error === "redirect" && about.redirect_url && isTold(type)) return leaveWith(type);
      if (lasting.includes(type)) return showProblem(type);
      const said = wordsFor(type, names());
      problem.textContent = `${said.title}. ${said.text}`;
      problem.hidden = false;
      (form.querySelector("[type=password]") ?? form.querySelector("input")).select();
    });
    button.textContent = text;
    isBusy = false;
  });
}

onSubmit(page["login-form"], page.connect, page["login-problem"], async () => {
  const given = Object.fromEntries(new FormData(page["login-form"]));
  proceed(await ask("POST", `provider/${chosen.auth_type}/${chosen.slug}`, given));
});
onSubmit(page["code-form"], page.confirm, page["code-problem"], async () => {
  const given = { mfa_code: page.mfa.value.trim() };
  proceed(await ask("POST", `provider/password/${chosen.slug}/complete_mfa`, given));
});

page.back.addEventListener("click", () => history.back());
addEventListener("popstate", () => shown.length > 1 && showList());
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
page.close.addEventListener("click", () => {
  if (about.on_close === "redirect" && about.redirect_url) return leaveWith("user_cancelled");
  show("closed");
  window.close();
});
for (const button of [page.again, page.reopen]) button.addEventListener("click", () => run(begin));
page.copy.addEventListener("click", async () => {
  await navigator.clipboard.writeText(page["phone-code"].textContent);
  page.copy.textContent = "Copied";
});

/** Begins, or tells what came of the way by a provider, whose outcome is in the address. */
async function enter() {
  const query = new URL(location.href).searchParams;
  fillNames();
  if (query.get("state") === "success") return succeed();
  if (query.get("state") !== "error") return begin();
  if (hasToken()) about = await ask("GET", "token");
  fillNames();
  throw new Failure(query.get("error_type"));
}
run(enter);
