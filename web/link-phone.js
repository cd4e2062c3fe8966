/** Fills the step that connects the team's app, with the user's sign-in code. */
export function fillPhone({ qr, "phone-code": place, copy, until }, team, { code, qr_code, expires_at }) {
  qr.src = `data:image/svg+xml,${encodeURIComponent(qr_code)}`;
  qr.alt = `QR code for the app of ${team}`;
  place.textContent = code;
  copy.textContent = "Copy";
  until.dateTime = expires_at;
  until.textContent = new Date(expires_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** Copies the code on click. Selects it when the browser denies clipboard access. */
export function onCopy({ copy, "phone-code": place }) {
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(place.textContent);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(place);
    }
  });
}
