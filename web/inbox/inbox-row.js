/**
 * Splits a text into parts, at line ends where possible. The browser lays out only visible parts (content-visibility in
 * inbox-row.css). Megabytes in one part would block the page for seconds.
 */
const TEXT_PARTS = /.{1,10000}$|.{1,10000}\n|.{1,10000}/gs;

/**
 * Creates the list item of an event. It opens to the event's body and headers, which are fetched when it opens and
 * removed when it closes. Received data is shown as text only, never as markup.
 */
export function createDeliveryRow(entry) {
  const content = element("div", { className: "content" });
  const details = element("details", {}, [createSummary(entry), content]);
  details.addEventListener("toggle", () => {
    if (details.open) fillContent(details, content, entry.id);
    else content.replaceChildren();
  });
  return element("li", {}, [details]);
}

function createSummary({ event_type, user_id, received_at, verified }) {
  const mark = element("span", { className: "mark", ariaHidden: "true" }, [verified ? "✓" : "✕"]);
  return element("summary", {}, [
    element("strong", { className: "type" }, [event_type ?? "(no event type)"]),
    element("span", { className: "user" }, [user_id ? `user ${user_id}` : "no user"]),
    element("span", { className: verified ? "verified" : "unverified" }, [
      mark,
      verified ? "Verified" : "Not verified",
    ]),
    element("time", { dateTime: received_at }, [received_at.replace("T", " ").replace(/\.\d+Z$/, "")]),
  ]);
}

async function fillContent(details, content, id) {
  content.replaceChildren(element("p", {}, ["Loading…"]));
  const delivery = await fetchDelivery(id);
  if (!details.open) return;
  if ("problem" in delivery) content.replaceChildren(element("p", {}, [delivery.problem]));
  else content.replaceChildren(...createBody(delivery.body), ...createHeaders(delivery.headers));
}

async function fetchDelivery(id) {
  try {
    const response = await fetch(`deliveries/${id}`);
    return response.ok ? await response.json() : { problem: "The inbox does not contain this event any more." };
  } catch {
    return { problem: "The local cloud cannot be reached. Close and reopen this event to try again." };
  }
}

function createBody(body) {
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  const parts = (text.match(TEXT_PARTS) ?? []).map((part) => element("span", { className: "part" }, [part]));
  const box = element("pre", { tabIndex: 0, role: "region", ariaLabel: "Body" }, parts);
  return [element("h2", {}, ["Body"]), box];
}

function createHeaders(headers) {
  const rows = Object.entries(headers).map(([name, value]) =>
    element("tr", {}, [element("th", { scope: "row" }, [name]), element("td", {}, [value])]),
  );
  return [element("h2", {}, ["Headers"]), element("table", {}, [element("tbody", {}, rows)])];
}

/** Creates an element with properties and children. A string becomes a text node. */
function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
