import { onSubmit } from "./link-form.js";
import { fillList } from "./link-list.js";
import { leaveTo, makeField, makeLogo } from "./link-parts.js";
import { fillPhone, onCopy } from "./link-phone.js";
import { ask, Failure, hasToken } from "./link-service.js";
import { isTold, lasting, wordsFor } from "./link-words.js";

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
const steps = [...document.querySelectorAll("section")];

/** The data of the link token after it is loaded: team, redirect URL, providers to show. */
let about;
let shown = [];
let chosen;
/** The first step, where going back ends. */
let home;
/** Number of navigations. Responses to requests from before a navigation are ignored. */
let turn = 0;

function show(name) {
  for (const step of steps) step.hidden = step.id !== name;
  page.back.hidden = name === home || !["login", "code", "phone"].includes(name);
  page.close.hidden = !about || ["success", "closed", "leaving", "returning"].includes(name);
  const heading = page[name].querySelector("h1");
  document.title = heading.textContent.trim().replaceAll(/\s+/g, " ");
  heading.focus();
  scrollTo(0, 0);
}

/** Shows a step and adds it to the browser's history. */
function goTo(name) {
  if (home === undefined) home = name;
  else history.pushState({ step: name }, "");
  show(name);
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
  const isOver = lasting.includes(type) || (type === "not_possible" && shown.length === 1);
  page.again.hidden = !hasToken() || isOver;
  show("problem");
}

/** Runs a step. `tell` shows an error. Both have an effect only until the user navigates elsewhere. */
async function run(work, tell = showProblem) {
  const begun = turn;
  const isAwaited = () => turn === begun;
  try {
    await work(isAwaited);
  } catch (error) {
    if (isAwaited()) tell(error instanceof Failure ? error.type : "unreachable");
  }
}

/** Redirects the user to the team with an error, as the service does after OAuth. */
function leaveWith(type) {
  const url = new URL(about.redirect_url);
  url.searchParams.set("state", "error");
  url.searchParams.set("error_type", type);
  url.searchParams.set("error", wordsFor(type, names()).title);
  show("returning");
  leaveTo(url.href, about.team_name);
}

async function begin(isAwaited) {
  home = undefined;
  history.replaceState(null, "", location.pathname);
  show("waiting");
  about = await ask("GET", "token");
  const all = await ask("GET", "providers");
  if (!isAwaited()) return;
  shown = all
    .filter(({ slug }) => about.shown_providers.includes(slug))
    .sort((one, other) => one.name.localeCompare(other.name));
  fillNames();
  if (shown.length === 0) throw new Failure("nothing_to_connect");
  if (shown.length === 1) return choose(shown[0], isAwaited);
  fillList(page, shown, (provider) => run((isStillAwaited) => choose(provider, isStillAwaited)));
  goTo("list");
}

async function choose(provider, isAwaited) {
  chosen = provider;
  sessionStorage.setItem("provider", provider.name);
  fillNames();
  for (const place of document.querySelectorAll(".logo")) place.replaceChildren(makeLogo(provider));
  if (provider.auth_type === "oauth") return goToProvider(isAwaited);
  if (provider.auth_type === "sdk") return showPhone(isAwaited);
  page.fields.replaceChildren(...Object.entries(provider.form_components).map((part) => makeField(...part)));
  page.secret.hidden = !("password" in provider.form_components);
  page["login-problem"].hidden = true;
  goTo("login");
}

async function goToProvider(isAwaited) {
  show("leaving");
  const { oauth_url } = await ask("GET", `provider/oauth/${chosen.slug}`);
  if (!isAwaited()) return;
  // A page that redirects by itself must not be in the history.
  if (shown.length > 1) location.assign(oauth_url);
  else location.replace(oauth_url);
}

async function showPhone(isAwaited) {
  show("waiting");
  const made = await ask("POST", `provider/sdk/${chosen.slug}`);
  if (!isAwaited()) return;
  fillPhone(page, about.team_name, made);
  goTo("phone");
}

function succeed(redirectUrl) {
  history.replaceState(null, "", `${location.pathname}?state=success`);
  page.over.hidden = Boolean(redirectUrl);
  home = "success";
  fillNames();
  show("success");
  if (redirectUrl) leaveTo(redirectUrl, about.team_name);
}

/** Continues with the result of a login. A success counts even after the user has navigated elsewhere. */
function proceed({ state, redirect_url, error_type, provider_mfa }, isAwaited) {
  if (state === "success") return succeed(redirect_url);
  if (!isAwaited()) return;
  if (state === "error") throw new Failure(error_type);
  const means = { email: "by email to", sms: "by text message to" }[provider_mfa.method] ?? "to";
  page["sent-to"].textContent = `${means} ${provider_mfa.hint}`;
  page["code-problem"].hidden = true;
  page.mfa.value = "";
  goTo("code");
}

/** Shows an error above the fields of a form, and selects the field that is most likely wrong. */
const tellIn = (form, problem) => (type) => {
  if (about.on_error === "redirect" && about.redirect_url && isTold(type)) return leaveWith(type);
  if (lasting.includes(type)) return showProblem(type);
  const { title, text } = wordsFor(type, names());
  problem.textContent = `${title}. ${text}`;
  problem.hidden = false;
  (form.querySelector("[type=password]") ?? form.querySelector("input")).select();
};

onSubmit(page["login-form"], page.connect, (given) =>
  run(
    async (isAwaited) => proceed(await ask("POST", `provider/${chosen.auth_type}/${chosen.slug}`, given), isAwaited),
    tellIn(page["login-form"], page["login-problem"]),
  ),
);
onSubmit(page["code-form"], page.confirm, ({ mfa_code }) => {
  const given = { mfa_code: mfa_code.trim() };
  return run(
    async (isAwaited) => proceed(await ask("POST", `provider/password/${chosen.slug}/complete_mfa`, given), isAwaited),
    tellIn(page["code-form"], page["code-problem"]),
  );
});

page.back.addEventListener("click", () => history.back());
addEventListener("popstate", ({ state }) => {
  if (home === undefined || home === "success") return;
  turn += 1;
  show((chosen && state?.step) || home);
});
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
page.close.addEventListener("click", () => {
  turn += 1;
  if (about.on_close === "redirect" && about.redirect_url) return leaveWith("user_cancelled");
  show("closed");
  window.close();
});
for (const button of [page.again, page.reopen]) button.addEventListener("click", () => run(begin));
onCopy(page);

/** Starts linking, or shows the result of OAuth at a provider, which is in the URL. */
async function enter(isAwaited) {
  const query = new URL(location.href).searchParams;
  fillNames();
  if (query.get("state") === "success") return succeed();
  if (query.get("state") !== "error") return begin(isAwaited);
  if (hasToken()) about = await ask("GET", "token");
  fillNames();
  throw new Failure(query.get("error_type"));
}
run(enter);
