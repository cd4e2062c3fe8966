/** Shows who is signed in. */
async function showSession(place: HTMLElement): Promise<void> {
  const response = await fetch("/console/session", { headers: { "x-console-request": "1" } });
  const { name, role, team_name } = (response.ok ? await response.json() : {}) as Record<string, string>;
  place.textContent = response.ok ? `${name} is signed in to ${team_name} as ${role}.` : "Nobody is signed in.";
}

/** Exchanges the ticket of the address for a session, and removes it from the address first. */
async function exchangeTicket(): Promise<void> {
  const ticket = new URLSearchParams(location.search).get("ticket");
  if (ticket === null) return;
  history.replaceState(null, "", location.pathname);
  const headers = { "content-type": "application/json", "x-console-request": "1" };
  await fetch("/console/session", { method: "POST", headers, body: JSON.stringify({ ticket }) });
}

const place = document.querySelector<HTMLElement>("#console");
await exchangeTicket();
if (place) await showSession(place);
