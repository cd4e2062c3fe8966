import { makeRow } from "./inbox-row.js";

/** More rows than anyone reads, and few enough for every browser. */
const MOST_ROWS = 500;
/** As many as the inbox itself keeps. */
const MOST_ENTRIES = 20_000;
/** Screen readers are told of arrivals at most this often. */
const ANNOUNCEMENT_MS = 3_000;
const RECONNECT_MS = 2_000;

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
/** The list items on the page, by the key of their event. */
const rows = new Map();

/** All events in short, oldest first. */
let entries = [];
/** The id of the newest event at the moment of pausing; undefined while not paused. */
let pausedAfter;
let isRenderPlanned = false;
let announced = { count: 0, timer: undefined };

function connect() {
  const source = new EventSource("live");
  source.addEventListener("open", () => showConnection("live", "Live"));
  source.addEventListener("error", () => {
    showConnection("lost", "Not connected, trying again…");
    // A browser tries again by itself, except where it took the failure for a final one.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RECONNECT_MS);
  });
  source.addEventListener("recent", ({ data }) => replaceEntries(JSON.parse(data)));
  source.addEventListener("received", ({ data }) => addEntry(JSON.parse(data)));
  source.addEventListener("cleared", () => replaceEntries([]));
}

function showConnection(state, text) {
  page.connection.dataset.state = state;
  page.connection.textContent = text;
}

function replaceEntries(all) {
  entries = all;
  planRender();
}

function addEntry(entry) {
  entries.push(entry);
  if (entries.length > MOST_ENTRIES) entries.shift();
  planRender();
  planAnnouncement();
}

/** However many events arrive at once, the page changes once per frame. */
function planRender() {
  if (isRenderPlanned) return;
  isRenderPlanned = true;
  requestAnimationFrame(render);
}

/** An id alone is not enough: an inbox that was started afresh counts from 1 again. */
const keyOf = ({ id, received_at }) => `${id} ${received_at}`;

function render() {
  isRenderPlanned = false;
  const known = pausedAfter === undefined ? entries : entries.filter(({ id }) => id <= pausedAfter);
  const prefix = page.filter.value.trim();
  const matching = prefix === "" ? known : known.filter(({ event_type }) => event_type?.startsWith(prefix));
  const shown = matching.slice(-MOST_ROWS).reverse();
  renderRows(shown);
  page.count.textContent = countText({
    shown: shown.length,
    matching: matching.length,
    known: known.length,
    waiting: entries.length - known.length,
  });
  page.empty.hidden = entries.length > 0;
  page["no-match"].hidden = known.length === 0 || matching.length > 0;
  page["no-match"].textContent = `No event type starts with “${prefix}”.`;
  page.clear.disabled = entries.length === 0;
}

/** Brings the list to `shown`, newest first. What stays is not touched, so that focus and open rows stay too. */
function renderRows(shown) {
  const wanted = new Set(shown.map(keyOf));
  for (const [key, row] of rows) {
    if (wanted.has(key)) continue;
    row.remove();
    rows.delete(key);
  }
  let next = page.deliveries.firstElementChild;
  for (const entry of shown) {
    const row = rows.get(keyOf(entry)) ?? makeRow(entry);
    rows.set(keyOf(entry), row);
    if (row === next) next = next.nextElementSibling;
    else page.deliveries.insertBefore(row, next);
  }
}

function countText({ shown, matching, known, waiting }) {
  const number = (count) => count.toLocaleString("en");
  const events = (count) => `${number(count)} ${count === 1 ? "event" : "events"}`;
  const parts = [matching === known ? events(known) : `${number(matching)} of ${events(known)}`];
  if (shown < matching) parts.push(`newest ${shown} shown`);
  if (pausedAfter !== undefined) parts.push(`paused, ${number(waiting)} waiting`);
  return parts.join(" · ");
}

/** Tells screen readers how many events came, once for all that come in quick succession. */
function planAnnouncement() {
  announced.count += 1;
  announced.timer ??= setTimeout(() => {
    const { count } = announced;
    page.announcement.textContent = `${count} new ${count === 1 ? "event" : "events"}`;
    announced = { count: 0, timer: undefined };
  }, ANNOUNCEMENT_MS);
}

function togglePause() {
  pausedAfter = pausedAfter === undefined ? (entries.at(-1)?.id ?? 0) : undefined;
  page.pause.textContent = pausedAfter === undefined ? "Pause" : "Resume";
  planRender();
}

/** The page itself is emptied by the `cleared` that follows. */
async function clear() {
  const response = await fetch("../inbox", { method: "DELETE" }).catch(() => undefined);
  if (!response?.ok) showConnection("lost", "The inbox could not be cleared");
  page.filter.focus();
}

function exampleCommand() {
  return [
    `curl ${location.origin}/v2/ingest/$USER_ID \\`,
    `  -H "x-service-api-key: $KEY" \\`,
    `  -H "content-type: application/json" \\`,
    `  -d '{"provider": "apple_health_kit", "source_type": "watch", "resources":`,
    `       {"heartrate": [{"timestamp": "${new Date().toISOString()}", "value": 61}]}}'`,
  ].join("\n");
}

async function copyExample() {
  try {
    await navigator.clipboard.writeText(page.example.textContent);
    page.copy.textContent = "Copied";
    page.announcement.textContent = "Command copied";
  } catch {
    // A browser may refuse; with the text selected, the usual keys copy it.
    getSelection().selectAllChildren(page.example);
  }
}

page.example.textContent = exampleCommand();
page.filter.addEventListener("input", planRender);
page.pause.addEventListener("click", togglePause);
page.clear.addEventListener("click", clear);
page.copy.addEventListener("click", copyExample);
connect();
