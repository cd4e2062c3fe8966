/** Starts the renderer of the API reference (docs/reference-renderer.js) on the document of this deployment. */

/** Languages of the renderer without samples. The document itself has samples in TypeScript. */
const hiddenLanguages =
  "c clojure csharp dart fsharp http java js julia kotlin node objc ocaml php powershell r ruby rust swift".split(" ");

/** Clients without samples: curl, Requests and the standard library of Go remain. */
const hiddenClients = {
  ...Object.fromEntries(hiddenLanguages.map((language) => [language, true])),
  shell: ["httpie", "wget"],
  python: ["python3", "aiohttp", "httpx_sync", "httpx_async"],
};

globalThis.Scalar.createApiReference("#reference", {
  url: "openapi.json",
  // Nothing goes to another origin, and credentials stay in memory. The browser keeps the chosen language and theme.
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  favicon: "data:,",
  authentication: { preferredSecurityScheme: "team_key" },
  documentDownloadType: "direct",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  hiddenClients,
  orderSchemaPropertiesBy: "preserve",
  showOperationId: true,
  // Without an own description, a number has none.
  localization: { translations: { schema: { typeInteger: "" } } },
});

/** Attributes that the renderer leaves out or sets wrongly. Its placeholder of credentials looks like a key. */
const repairs = [
  ['[placeholder^="QUxMIFlPVVI"]', "placeholder", "Your key or token"],
  ["[role=combobox]:not([aria-expanded])", "aria-expanded", "false"],
  [".cm-content[role=textbox]:not([aria-label])", "aria-label", "Body"],
  ["button[role=none]", "role", "button"],
  ['button[aria-label="Copy code"][aria-controls]', "aria-controls", ""],
];

function repairAttributes() {
  for (const [selector, name, value] of repairs)
    for (const element of document.querySelectorAll(selector)) element.setAttribute(name, value);
}
new MutationObserver(repairAttributes).observe(document.body, { childList: true, subtree: true });
