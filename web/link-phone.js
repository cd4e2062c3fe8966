/** Fills the step that brings a user to the app of a team, with the code made for it. */
export function fillPhone({ qr, "phone-code": place, copy, until }, team, { code, qr_code, expires_at }) {
  qr.src = `data:image/svg+xml,${encodeURIComponent(qr_code)}`;
  qr.alt = `QR code for the app of ${team}`;
  place.textContent = code;
  copy.textContent = "Copy";
  until.dateTime = expires_at;
  until.textContent = new Date(expires_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** Has the code copied, or chosen for the reader to copy where the browser lets no page do so. */
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
