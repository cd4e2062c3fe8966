import { createDeliveryRow } from "./inbox-row.js";

/** Maximum number of rows on the page. */
const MAX_ROWS = 500;
/** Maximum number of entries, equal to that of the inbox itself. */
const MAX_ENTRIES = 20_000;
/** Minimum interval between announcements for screen readers. */
const ANNOUNCEMENT_MS = 3_000;
const RECONNECT_MS = 2_000;

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
/** The list items on the page, by event key. */
const rows = new Map();

/** Summaries of all events, oldest first. */
let entries = [];
/** Id of the newest event when the page was paused; undefined while it is not paused. */
let pausedAfter;
let isRenderScheduled = false;
let announced = { count: 0, timer: undefined };

function connect() {
  const source = new EventSource("live");
  source.addEventListener("open", () => showConnection("live", "Live"));
  source.addEventListener("error", () => {
    showConnection("lost", "Disconnected, reconnecting…");
    // The browser reconnects by itself, unless it considers the failure permanent.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RECONNECT_MS);
  });
  source.addEventListener("recent", ({ data }) => replaceEntries(JSON.parse(data)));
  source.addEventListener("received", ({ data }) => addEntry(JSON.parse(data)));
  source.addEventListener("cleared", ({ data }) => removeEntries(JSON.parse(data).event_type));
}

function showConnection(state, text) {
  page.connection.dataset.state = state;
  page.connection.textContent = text;
}

function replaceEntries(all) {
  entries = all;
  scheduleRender();
}

/** Removes the entries of an event type or of a prefix that ends in a dot; all without one. */
function removeEntries(type) {
  const isCleared = (known) => type === undefined || (type.endsWith(".") ? known?.startsWith(type) : known === type);
  replaceEntries(entries.filter(({ event_type }) => !isCleared(event_type)));
}

function addEntry(entry) {
  entries.push(entry);
  if (entries.length > MAX_ENTRIES) entries.shift();
  scheduleRender();
  scheduleAnnouncement();
}

/** Renders at most once per frame. */
function scheduleRender() {
  if (isRenderScheduled) return;
  isRenderScheduled = true;
  requestAnimationFrame(render);
}

/** Key of an event. The id is not unique, because a new inbox starts at 1 again. */
const keyOf = ({ id, received_at }) => `${id} ${received_at}`;

function render() {
  isRenderScheduled = false;
  const known = pausedAfter === undefined ? entries : entries.filter(({ id }) => id <= pausedAfter);
  const prefix = page.filter.value.trim();
  const matching = prefix === "" ? known : known.filter(({ event_type }) => event_type?.startsWith(prefix));
  const shown = matching.slice(-MAX_ROWS).reverse();
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

/** Updates the list to `shown`, newest first. Unchanged rows stay in place, so that focus and open rows stay too. */
function renderRows(shown) {
  const wanted = new Set(shown.map(keyOf));
  for (const [key, row] of rows) {
    if (wanted.has(key)) continue;
    row.remove();
    rows.delete(key);
  }
  let next = page.deliveries.firstElementChild;
  for (const entry of shown) {
    const row = rows.get(keyOf(entry)) ?? createDeliveryRow(entry);
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

/** Announces the number of new events to screen readers, once for several events in quick succession. */
function scheduleAnnouncement() {
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
  scheduleRender();
}

/** Clears the inbox. The event `cleared` then clears the page. */
async function clear() {
  const response = await fetch("../inbox", { method: "DELETE" }).catch(() => undefined);
  if (!response?.ok) showConnection("lost", "Clearing the inbox failed");
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
    // The browser may deny clipboard access. With the text selected, the user can copy it.
    getSelection().selectAllChildren(page.example);
  }
}

page.example.textContent = exampleCommand();
page.filter.addEventListener("input", scheduleRender);
page.pause.addEventListener("click", togglePause);
page.clear.addEventListener("click", clear);
page.copy.addEventListener("click", copyExample);
connect();
