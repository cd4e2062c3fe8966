/** The content of a consent page. */
export interface ConsentRequest {
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
export function renderConsentPage({ slug, scopes, query }: ConsentRequest): string {
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const boxes = scopes.map(
    (scope) =>
      `<p><label><input type="checkbox" name="granted" value="${escapeHtml(scope)}" checked> ${escapeHtml(scope)}</label></p>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated ${escapeHtml(slug)}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<h1>Simulated ${escapeHtml(slug)}</h1>
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
export function renderErrorPage(slug: string, reason: string): string {
  const title = `Simulated ${escapeHtml(slug)}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1><p>${escapeHtml(reason)}</p></main></body></html>\n`;
}

function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}
