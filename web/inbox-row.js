/**
 * Parts of a text, each up to its end or the end of a line where that is in reach. The browser lays out only the parts
 * in sight (content-visibility in inbox-row.css): megabytes as one part would stop the page for seconds.
 */
const TEXT_PARTS = /.{1,10000}$|.{1,10000}\n|.{1,10000}/gs;

/**
 * One event as a list item that opens to its body and headers. Those are fetched when it opens and dropped when it
 * closes. All that was received is shown as text only, never as markup.
 */
export function makeRow(entry) {
  const content = element("div", { className: "content" });
  const details = element("details", {}, [makeSummary(entry), content]);
  details.addEventListener("toggle", () => {
    if (details.open) fill(details, content, entry.id);
    else content.replaceChildren();
  });
  return element("li", {}, [details]);
}

function makeSummary({ event_type, user_id, received_at, verified }) {
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

async function fill(details, content, id) {
  content.replaceChildren(element("p", {}, ["Loading…"]));
  const delivery = await read(id);
  if (!details.open) return;
  if ("problem" in delivery) content.replaceChildren(element("p", {}, [delivery.problem]));
  else content.replaceChildren(...makeBody(delivery.body), ...makeHeaders(delivery.headers));
}

async function read(id) {
  try {
    const response = await fetch(`deliveries/${id}`);
    return response.ok ? await response.json() : { problem: "This event is not in the inbox any more." };
  } catch {
    return { problem: "The local cloud can not be reached. Close and open this event to try again." };
  }
}

function makeBody(body) {
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  const parts = (text.match(TEXT_PARTS) ?? []).map((part) => element("span", { className: "part" }, [part]));
  const box = element("pre", { tabIndex: 0, role: "region", ariaLabel: "Body" }, parts);
  return [element("h2", {}, ["Body"]), box];
}

function makeHeaders(headers) {
  const rows = Object.entries(headers).map(([name, value]) =>
    element("tr", {}, [element("th", { scope: "row" }, [name]), element("td", {}, [value])]),
  );
  return [element("h2", {}, ["Headers"]), element("table", {}, [element("tbody", {}, rows)])];
}

/** An element with properties and children; a string becomes a text node. */
function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
