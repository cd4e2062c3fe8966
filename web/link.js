import { onSubmit, showFormError } from "./link-form.js";
import { fillList } from "./link-list.js";
import { createField, createLogo, fillNotice, redirectTo, showReceipt, withError } from "./link-parts.js";
import { fillPhone, onCopy } from "./link-phone.js";
import { beginOAuth, confirmCode, Failure, hasToken, loadNotice, logIn, request, setNotice } from "./link-service.js";
import { describeError, describeRecipient, finalErrors, isReportedToTeam } from "./link-words.js";

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
const steps = [...document.querySelectorAll("section")];

/** The data of the link token after it is loaded: team, redirect URL, providers to show. */
let linkToken;
let shown = [];
let selectedProvider;
/** The first step, where going back ends. */
let firstStep;
/** Number of navigations. Responses to requests from before a navigation are ignored. */
let navigationCount = 0;

function show(name) {
  for (const step of steps) step.hidden = step.id !== name;
  page.back.hidden = name === firstStep || !["consent", "login", "code", "phone"].includes(name);
  page.close.hidden = !linkToken || ["success", "closed", "leaving", "returning"].includes(name);
  const heading = page[name].querySelector("h1");
  document.title = heading.textContent.trim().replaceAll(/\s+/g, " ");
  heading.focus();
  scrollTo(0, 0);
}

/** Shows a step and adds it to the browser's history. */
function goTo(name) {
  if (firstStep === undefined) firstStep = name;
  else history.pushState({ step: name }, "");
  show(name);
}

const names = () => ({
  team: linkToken?.team_name ?? "the application",
  provider: selectedProvider?.name ?? sessionStorage.getItem("provider") ?? "the provider",
});

function fillNames() {
  for (const [name, text] of Object.entries(names())) {
    for (const place of document.querySelectorAll(`.${name}`)) place.textContent = text;
  }
}

function showProblem(type) {
  const { title, text } = describeError(type, names());
  page["problem-title"].textContent = title;
  page["problem-text"].textContent = text;
  const isOver = finalErrors.includes(type) || (type === "not_possible" && shown.length === 1);
  page.again.hidden = !hasToken() || isOver;
  show("problem");
}

/** Runs a step. `showError` shows an error. Both have an effect only until the user navigates elsewhere. */
async function run(work, showError = showProblem) {
  const begun = navigationCount;
  const isAwaited = () => navigationCount === begun;
  try {
    await work(isAwaited);
  } catch (error) {
    if (isAwaited()) showError(error instanceof Failure ? error.type : "unreachable");
  }
}

/** Redirects the user to the team with an error, as the service does after OAuth. */
function redirectWithError(type) {
  show("returning");
  redirectTo(withError(linkToken.redirect_url, type, describeError(type, names())), linkToken.team_name);
}

async function startLinking(isAwaited) {
  firstStep = undefined;
  history.replaceState(null, "", location.pathname);
  show("waiting");
  linkToken = await request("GET", "token");
  const all = await request("GET", "providers");
  if (!isAwaited()) return;
  shown = all
    .filter(({ slug }) => linkToken.shown_providers.includes(slug))
    .sort((one, other) => one.name.localeCompare(other.name));
  fillNames();
  if (shown.length === 0) throw new Failure("nothing_to_connect");
  if (shown.length === 1) return selectProvider(shown[0], isAwaited);
  fillList(page, shown, (provider) => run((isStillAwaited) => selectProvider(provider, isStillAwaited)));
  goTo("list");
}

async function selectProvider(provider, isAwaited) {
  selectedProvider = provider;
  setNotice(undefined);
  sessionStorage.setItem("provider", provider.name);
  fillNames();
  for (const place of document.querySelectorAll(".logo")) place.replaceChildren(createLogo(provider));
  if (provider.auth_type === "sdk") return showPhone(isAwaited);
  // A link to one provider goes there at once, without words.
  if (provider.auth_type === "oauth" && shown.length === 1) return goToProvider(isAwaited);
  show("waiting");
  const notice = await loadNotice(provider);
  if (!isAwaited()) return;
  setNotice(notice);
  fillNotice(page, notice);
  if (provider.auth_type === "oauth") return goTo("consent");
  page.fields.replaceChildren(...Object.entries(provider.form_components).map((part) => createField(...part)));
  page.secret.hidden = !("password" in provider.form_components);
  page["login-problem"].hidden = true;
  goTo("login");
}

async function goToProvider(isAwaited) {
  show("leaving");
  const oauth_url = await beginOAuth(selectedProvider);
  if (!isAwaited()) return;
  // A page that redirects by itself must not be in the history.
  if (shown.length > 1) location.assign(oauth_url);
  else location.replace(oauth_url);
}

async function showPhone(isAwaited) {
  show("waiting");
  const made = await request("POST", `provider/sdk/${selectedProvider.slug}`);
  if (!isAwaited()) return;
  fillPhone(page, linkToken.team_name, made);
  goTo("phone");
}

function succeed(redirectUrl) {
  history.replaceState(null, "", `${location.pathname}?state=success`);
  page.over.hidden = Boolean(redirectUrl);
  firstStep = "success";
  fillNames();
  show("success");
  if (hasToken()) showReceipt(page);
  if (redirectUrl) redirectTo(redirectUrl, linkToken.team_name);
}

/** Continues with the result of a login. A success counts even after the user has navigated elsewhere. */
function proceed({ state, redirect_url, error_type, provider_mfa }, isAwaited) {
  if (state === "success") return succeed(redirect_url);
  if (!isAwaited()) return;
  if (state === "error") throw new Failure(error_type);
  page["sent-to"].textContent = describeRecipient(provider_mfa);
  page["code-problem"].hidden = true;
  page.mfa.value = "";
  goTo("code");
}

/** Shows an error of a form: above its fields, in the problem step, or at the team. */
const showFormProblem = (form, problem) => (type) => {
  if (linkToken.on_error === "redirect" && linkToken.redirect_url && isReportedToTeam(type))
    return redirectWithError(type);
  if (finalErrors.includes(type)) return showProblem(type);
  showFormError(form, problem, describeError(type, names()));
};

onSubmit(page["login-form"], page.connect, (given) =>
  run(
    async (isAwaited) => proceed(await logIn(selectedProvider, given), isAwaited),
    showFormProblem(page["login-form"], page["login-problem"]),
  ),
);
onSubmit(page["code-form"], page.confirm, ({ mfa_code }) =>
  run(
    async (isAwaited) => proceed(await confirmCode(selectedProvider, mfa_code), isAwaited),
    showFormProblem(page["code-form"], page["code-problem"]),
  ),
);

page.agree.addEventListener("click", () => run(goToProvider));
page.back.addEventListener("click", () => history.back());
addEventListener("popstate", ({ state }) => {
  if (firstStep === undefined || firstStep === "success") return;
  navigationCount += 1;
  show((selectedProvider && state?.step) || firstStep);
});
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
page.close.addEventListener("click", () => {
  navigationCount += 1;
  if (linkToken.on_close === "redirect" && linkToken.redirect_url) return redirectWithError("user_cancelled");
  show("closed");
  window.close();
});
for (const button of [page.again, page.reopen]) button.addEventListener("click", () => run(startLinking));
onCopy(page);

/** Starts linking, or shows the result of OAuth at a provider, which is in the URL. */
async function resumeOrStart(isAwaited) {
  const query = new URL(location.href).searchParams;
  fillNames();
  if (query.get("state") === "success") return succeed();
  if (query.get("state") !== "error") return startLinking(isAwaited);
  if (hasToken()) linkToken = await request("GET", "token");
  fillNames();
  throw new Failure(query.get("error_type"));
}
run(resumeOrStart);
