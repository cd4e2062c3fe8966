import { loadFiles, showPages } from "./review-pages.js";
import { createMetadataFields, createResultRow, listReasons } from "./review-parts.js";

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
/** Functions that read each result, in order. */
const rows = [];

let version;
let readMetadata;
/** Marks the line of a result on its page, once the pages are there. */
let show = () => undefined;

/** Moves the secret from the URL fragment, which browsers do not send, to the session storage. */
function readSecret() {
  if (location.hash.length > 1) sessionStorage.setItem("review", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  return sessionStorage.getItem("review") ?? "";
}
const secret = readSecret();

/** Sends a request. @throws Error with a message for the user. */
async function request(method, path, body) {
  const headers = { "x-review-link": secret, ...(body ? { "content-type": "application/json" } : {}) };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(path, init).catch(() => undefined);
  if (!response) throw new Error("The service cannot be reached. Try again.");
  if (response.ok) return response;
  if (response.status === 401 || response.status === 404) close();
  const { detail } = await response.json();
  throw new Error(typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "));
}

function close() {
  page.closed.hidden = false;
  page.review.hidden = true;
}

function showStatus(state, text) {
  page.standing.dataset.state = state;
  page.standing.textContent = text;
}

/** Runs an action of the user, and shows the error. */
async function run(work) {
  try {
    return await work();
  } catch (error) {
    showStatus("bad", error.message);
    return undefined;
  }
}

const find = (query) =>
  run(async () => {
    if (query === "") throw new Error("Type part of the test's name.");
    const { data } = await (await request("GET", `loinc?query=${encodeURIComponent(query)}`)).json();
    if (data.length === 0) throw new Error("No code matches this name.");
    showStatus("good", `${data.length} code${data.length === 1 ? "" : "s"} found`);
    return data;
  });

function addRow(about) {
  const { item, first, read } = createResultRow({ ...about, find, show: (result) => show(result) });
  rows.push(read);
  page.rows.append(item);
  return first;
}

async function open() {
  const report = await (await request("GET", "report")).json();
  version = report.version;
  const isOpen = report.status === "pending_review";
  page.accepted.hidden = isOpen;
  page.review.hidden = !isOpen;
  showStatus("", "");
  if (!isOpen) return;
  const { parts, read } = createMetadataFields(report.data.metadata);
  readMetadata = read;
  page.metadata.replaceChildren(...parts);
  const reasons = report.data.results.map((result, place) => listReasons(result, report.doubts[place]));
  for (const [from, result] of report.data.results.entries()) addRow({ result, doubts: reasons[from], from });
  show = showPages(page.pages, report, await loadFiles(report.files, request));
  const doubtful = reasons.filter((ofRow) => ofRow.length > 0).length;
  showStatus("", `${report.data.results.length} results, ${doubtful} to check`);
}

async function accept() {
  const results = rows.map((read) => read()).filter((row) => row !== undefined);
  await request("POST", "accept", { version, metadata: readMetadata(), results });
  page.review.hidden = true;
  page.accepted.hidden = false;
  showStatus("good", "Accepted");
}

page.add.addEventListener("click", () => addRow({ result: { test_name: "", value: "" } }).focus());
page.form.addEventListener("submit", (event) => {
  event.preventDefault();
  page.accept.disabled = true;
  run(accept).finally(() => (page.accept.disabled = false));
});
run(open);
