/** Submits a form once at a time and shows it on the button. @param send receives the values by field name. */
export function onSubmit(form, button, send) {
  const text = button.textContent;
  let isBusy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    button.textContent = "One moment…";
    await send(Object.fromEntries(new FormData(form)));
    button.textContent = text;
    isBusy = false;
  });
}

/** Shows an error above the fields of a form, and selects the field that is most likely wrong. */
export function showFormError(form, place, { title, text }) {
  place.textContent = `${title}. ${text}`;
  place.hidden = false;
  (form.querySelector("[type=password]") ?? form.querySelector("input")).select();
}
