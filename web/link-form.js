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
