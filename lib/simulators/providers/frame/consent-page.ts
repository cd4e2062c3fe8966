/** The content of a consent page. */
export interface ConsentQuestion {
  readonly slug: string;
  readonly scopes: readonly string[];
  /** Parameters of the authorization request, which the form repeats. */
  readonly query: URLSearchParams;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Renders the consent page. Its form repeats the authorization request with the decision in `auto`. */
export function consentPage({ slug, scopes, query }: ConsentQuestion): string {
  const hidden = [...query].map(([name, value]) => `<input type="hidden" name="${text(name)}" value="${text(value)}">`);
  const boxes = scopes.map(
    (scope) =>
      `<p><label><input type="checkbox" name="granted" value="${text(scope)}" checked> ${text(scope)}</label></p>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated ${text(slug)}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<h1>Simulated ${text(slug)}</h1>
<form method="get">
${hidden.join("\n")}
<p><label>Account <input name="account" value="ada" pattern="[a-z0-9\\-]{1,40}" required></label></p>
<fieldset><legend>An application requests access to</legend>
${boxes.join("\n") || "<p>Everything</p>"}
</fieldset>
<p><button name="auto" value="chosen">Allow</button> <button name="auto" value="deny">Deny</button></p>
</form>
</main>
</body>
</html>
`;
}

/** Renders the error page for requests without a valid redirect URI. */
export function refusalPage(slug: string, reason: string): string {
  const title = `Simulated ${text(slug)}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1><p>${text(reason)}</p></main></body></html>\n`;
}

function text(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}
