const stateNames = {
  pending: "Pending",
  parked: "On hold",
  delivered: "Delivered",
  exhausted: "Failed",
  cancelled: "Cancelled",
};
const reasonNames = {
  manual: "the endpoint was disabled",
  gone: "the endpoint responded with 410",
  failing: "the endpoint failed for several days",
  endpoint_deleted: "the endpoint was deleted",
  user_deleted: "the user was deleted",
  nothing_to_send: "the data no longer exists, or a newer event contradicts it",
  filtered: "the filter excludes its type",
};
const disabledNames = {
  manual: "Disabled",
  gone: "Disabled: it responded with 410",
  failing: "Disabled: it failed for several days",
};
const errorNames = {
  refused: "Not sent: the URL is not allowed",
  unreachable: "Not reachable",
  timeout: "No complete response within 15 s",
  broken: "Connection closed",
};

/** Creates an element with properties and children. A string becomes a text node, so received data is never markup. */
export function element(name, properties = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const badge = (kind, text) => element("span", { className: `badge ${kind}` }, [text]);
const time = (iso) => element("time", { dateTime: iso }, [iso.replace("T", " ").replace(/\..*$/, "")]);
const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

/** Creates an entry of the list of endpoints. */
export function createEndpointItem(endpoint, isChosen, choose) {
  const { host, pathname } = new URL(endpoint.url);
  const button = element("button", { type: "button", className: "endpoint" }, [
    element("strong", {}, [host]),
    element("span", { className: "quiet" }, [endpoint.description || pathname]),
    endpoint.disabled ? badge("bad", "Disabled") : badge("good", "Active"),
  ]);
  button.setAttribute("aria-current", String(isChosen));
  button.addEventListener("click", choose);
  return element("li", {}, [button]);
}

/** Creates the settings of an endpoint as parts of a description list. */
export function createSettings({ disabled, disabled_reason, filter_types, rate_limit, created_at }) {
  const rows = {
    State: disabled ? badge("bad", disabledNames[disabled_reason] ?? "Disabled") : badge("good", "Active"),
    Events: filter_types.length === 0 ? "All" : filter_types.join(", "),
    Limit: rate_limit === null ? "None" : `${rate_limit} per second`,
    Created: time(created_at),
  };
  return Object.entries(rows).flatMap(([name, value]) => [element("dt", {}, [name]), element("dd", {}, [value])]);
}

/** Creates the summary of a message. */
export function createMessageSummary({
  event_id,
  event_type,
  state,
  reason,
  created_at,
  attempt_count,
  next_attempt_at,
}) {
  const kind = { delivered: "good", exhausted: "bad", cancelled: "bad" }[state] ?? "waiting";
  const facts = [count(attempt_count, "attempt")];
  if (reason) facts.push(reasonNames[reason] ?? reason);
  if (next_attempt_at && attempt_count > 0) facts.push(`next attempt at ${next_attempt_at.slice(11, 19)}`);
  return [
    element("strong", { className: "type" }, [event_type]),
    badge(kind, stateNames[state] ?? state),
    time(created_at),
    element("span", { className: "id" }, [event_id]),
    element("span", { className: "quiet" }, [facts.join(" · ")]),
  ];
}

/** Creates the list of a message's attempts, newest first. */
export function createAttempts(attempts) {
  if (attempts.length === 0) return [element("p", { className: "quiet" }, ["No attempts yet."])];
  return attempts.toReversed().map(({ at, status, duration_ms, response, error, probe }) => {
    const isTaken = status >= 200 && status < 300;
    const what = error ? errorNames[error] : `HTTP ${status}`;
    const facts = `${duration_ms} ms${probe ? " · probe of a suspended endpoint" : ""}`;
    const answer = element("pre", { tabIndex: 0, role: "region", ariaLabel: "Response" }, [response]);
    return element("article", {}, [
      element("p", { className: "row" }, [
        badge(isTaken ? "good" : "bad", what),
        time(at),
        element("span", { className: "quiet" }, [facts]),
      ]),
      ...(response === "" ? [] : [answer]),
    ]);
  });
}
