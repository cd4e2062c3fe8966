import type { EndpointContract } from "../contract/endpoint.ts";
import type { DocumentedRoute } from "./routes.ts";
import { securitySchemes, toSecurity } from "./security.ts";

/** A sample of a request, as `x-codeSamples` lists them. */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/**
 * The sample of an operation in TypeScript, as `x-codeSamples`. Renderers make samples of other languages themselves.
 * Variables of the sample have the names of the parameters; `origin` is the address of the deployment.
 */
export function toCodeSample(route: DocumentedRoute): CodeSample {
  const { contract } = route;
  const lines = [
    ...requestLines(route),
    "if (!response.ok) throw new Error(await response.text());",
    ...(contract.status === 204 ? [] : [`const result = await response.${readerOf(route)}();`]),
  ];
  return { lang: "TypeScript", label: "TypeScript", source: lines.join("\n") };
}

/** The call of `fetch`, on one line if it needs no options. */
function requestLines({ contract, path }: DocumentedRoute): string[] {
  const required = Object.entries(contract.query.shape).filter(([, field]) => !field.safeParse(undefined).success);
  const query = required.map(([name]) => `${name}=\${${name}}`).join("&");
  const address = `\`\${origin}${path.replaceAll("{", "${")}${query === "" ? "" : `?${query}`}\``;
  const headers = { ...credentialHeader(contract), ...bodyHeader(contract) };
  const options = [
    ...(contract.method === "GET" ? [] : [`  method: "${contract.method}",`]),
    ...(Object.keys(headers).length > 0 ? ["  headers: {", ...headerLines(headers), "  },"] : []),
    ...bodyOption(contract),
  ];
  if (options.length === 0) return [`const response = await fetch(${address});`];
  return [`const response = await fetch(${address}, {`, ...options, "});"];
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `    ${/^\w+$/.test(name) ? name : `"${name}"`}: ${value},`);

/** The header of the first credential that the operation accepts. */
function credentialHeader(contract: EndpointContract): Record<string, string> {
  const [name] = Object.keys(toSecurity(contract)[0] ?? {});
  const scheme = name === undefined ? undefined : securitySchemes[name];
  if (!scheme) return {};
  return scheme.type === "apiKey" ? { [String(scheme.name)]: "key" } : { authorization: `\`Bearer \${token}\`` };
}

/** The media type of the body. `fetch` sets that of a form, because only it knows the boundary. */
function bodyHeader({ body, mediaTypes }: EndpointContract): Record<string, string> {
  return body ? { "content-type": `"${mediaTypes?.[0] ?? "application/json"}"` } : {};
}

function bodyOption({ body, form, mediaTypes }: EndpointContract): string[] {
  if (form) return ["  body: form,"];
  if (!body) return [];
  return [mediaTypes ? "  body: text," : "  body: JSON.stringify(body),"];
}

/** The method that reads the response: JSON, text or a file. */
function readerOf({ response }: DocumentedRoute): "json" | "text" | "blob" {
  const { mediaType } = response.meta() ?? {};
  if (typeof mediaType !== "string") return "json";
  return mediaType.startsWith("text/") ? "text" : "blob";
}
