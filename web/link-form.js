/** Has a form sent once at a time, with its button saying so. @param send takes what was given, by the names of fields. */
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
