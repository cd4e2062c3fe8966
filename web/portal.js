import { createAttempts, createEndpointItem, createMessageSummary, createSettings, element } from "./portal-parts.js";

/** Delay of the second refresh after a message is sent. The receiver has usually responded by then. */
const REFRESH_DELAY_MS = 1_500;

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
/** The messages on the page by event id: list item and update function. */
const rows = new Map();

let endpoints = [];
let selectedEndpoint;
let cursor;

/** Moves the secret from the URL fragment, which browsers do not send, to the session storage. */
function readSecret() {
  if (location.hash.length > 1) sessionStorage.setItem("secret", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  return sessionStorage.getItem("secret") ?? "";
}
const secret = readSecret();

/** Sends a request. @throws Error with a message for the user. */
async function request(method, path, body) {
  const headers = { "x-portal-session": secret, ...(body ? { "content-type": "application/json" } : {}) };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(path, init).catch(() => undefined);
  if (!response) throw new Error("The service cannot be reached. Try again.");
  if (response.status === 401) close();
  const answer = await response.json();
  if (response.ok) return answer;
  const { detail } = answer;
  throw new Error(typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "));
}

function close() {
  page.closed.hidden = false;
  page.portal.hidden = true;
}

/** Runs an action of the user, and shows the message `what` or the error. */
async function run(what, work) {
  try {
    await work();
    if (what) showStatus("good", what);
  } catch (error) {
    showStatus("bad", error.message);
  }
}

function showStatus(state, text) {
  page.standing.dataset.state = state;
  page.standing.textContent = text;
}

async function showEndpoints() {
  const { data } = await request("GET", "webhook");
  endpoints = data.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  page.nothing.hidden = endpoints.length > 0;
  page.portal.hidden = endpoints.length === 0;
  if (endpoints.length > 0) await selectEndpoint(endpoints[0].id);
}

async function selectEndpoint(id) {
  selectedEndpoint = endpoints.find((endpoint) => endpoint.id === id);
  const entries = endpoints.map((endpoint) =>
    createEndpointItem(endpoint, endpoint === selectedEndpoint, () =>
      run("Up to date", () => selectEndpoint(endpoint.id)),
    ),
  );
  const hadFocus = page.endpoints.contains(document.activeElement);
  page.endpoints.replaceChildren(...entries);
  if (hadFocus) page.endpoints.querySelector("[aria-current=true]").focus();
  page.url.textContent = selectedEndpoint.url;
  page.settings.replaceChildren(...createSettings(selectedEndpoint));
  page.types.replaceChildren(...selectedEndpoint.filter_types.map((value) => element("option", { value })));
  page.send.disabled = selectedEndpoint.disabled;
  page.messages.replaceChildren();
  rows.clear();
  await showMessages();
}

/** Shows the newest messages, or appends the page after a cursor. */
async function showMessages(after) {
  const asked = selectedEndpoint;
  const query = new URLSearchParams({ limit: "25" });
  if (page.status.value) query.set("status", page.status.value);
  if (after) query.set("next_cursor", after);
  const { data, next_cursor } = await request("GET", `webhook/${asked.id}/message?${query}`);
  if (asked !== selectedEndpoint) return;
  cursor = next_cursor;
  page.older.hidden = !cursor;
  const before = after ? [...page.messages.children] : [];
  page.messages.replaceChildren(...before, ...data.map(updateRow));
  page.none.hidden = page.messages.children.length > 0;
  page.none.textContent = cursor ? "No matching messages among the newest." : "No matching messages.";
}

/** Updates and returns the list item of a message. An open item stays open. */
function updateRow(message) {
  const row = rows.get(message.event_id) ?? createMessageRow(message.event_id);
  rows.set(message.event_id, row);
  row.update(message);
  return row.item;
}

function createMessageRow(eventId) {
  let message;
  const line = element("summary", { className: "row" });
  const attempts = element("div", { className: "attempts" });
  const again = element("button", { type: "button" }, ["Send again"]);
  const details = element("details", {}, [line, element("div", { className: "content" }, [again, attempts])]);
  const owner = () => (message.user_id ? `?user_id=${message.user_id}` : "");
  const path = (what) => `webhook/${selectedEndpoint.id}/message/${eventId}/${what}${owner()}`;
  const fill = async () => attempts.replaceChildren(...createAttempts((await request("GET", path("attempt"))).data));
  details.addEventListener("toggle", () => details.open && run("", fill));
  again.addEventListener("click", () => run("Sent again", () => sendAndRefresh("POST", path("resend"))));
  const update = (newest) => {
    const isChanged = JSON.stringify(newest) !== JSON.stringify(message);
    message = newest;
    again.disabled = selectedEndpoint.disabled;
    if (!isChanged) return;
    line.replaceChildren(...createMessageSummary(message));
    if (details.open) run("", fill);
  };
  return { item: element("li", {}, [details]), update };
}

/** Sends a request and refreshes the messages. */
async function sendAndRefresh(...call) {
  await request(...call);
  await showMessages();
  setTimeout(() => run("", showMessages), REFRESH_DELAY_MS);
}

page.test.addEventListener("submit", (event) => {
  event.preventDefault();
  const body = { event_type: page.type.value.trim() };
  run("Test event sent", () => sendAndRefresh("POST", `webhook/${selectedEndpoint.id}/test`, body));
});
page.status.addEventListener("change", () => run("Up to date", () => showMessages()));
page.refresh.addEventListener("click", () => run("Up to date", () => showMessages()));
page.older.addEventListener("click", () => run("Up to date", () => showMessages(cursor)));
run("Up to date", showEndpoints);
