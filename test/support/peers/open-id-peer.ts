import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider from "oidc-provider";

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
/** An answer of the peer in place of that of the library. */
export type Override = (request: IncomingMessage, response: ServerResponse) => void;

const CLIENT = { client_id: "console-of-a-team", client_secret: "a-secret-of-the-client" };
const KEY_ID = "key-1";

/** What the provider says about the accounts of tests: their groups, and their names. */
const accounts: Readonly<Record<string, object>> = {
  "reader-1": { name: "Rea Der", groups: ["staff", "console-readers"] },
  "support-1": { name: "Sup Port", groups: ["console-support"] },
  "clinician-1": { name: "Cli Nician", groups: ["console-clinicians"] },
  "admin-1": { name: "Ad Min", groups: ["console-admins", "console-support"] },
  "stranger-1": { name: "Stran Ger", groups: ["staff"] },
  "groupless-1": { name: "Group Less" },
};

/** An OpenID Connect provider of a public library over HTTP, with a page on which a person enters an account. */
export class OpenIdPeer {
  readonly client = CLIENT;
  /** Answers by the start of the path, in place of the library's. */
  readonly overrides = new Map<string, Override>();
  /** Changes the claims of ID tokens before they are signed again with the provider's key. */
  changeClaims: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Replaces ID tokens. */
  forgeToken: ((claims: JWTPayload) => Promise<string>) | undefined;
  /** The bodies of token requests. */
  readonly tokenRequests: URLSearchParams[] = [];
  issuer = "";
  readonly #server: Server;
  readonly #keys: KeyPair;
  #provider: Provider | undefined;

  private constructor(keys: KeyPair) {
    this.#keys = keys;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** @param redirectUri the registered redirect URI of the client. */
  static async start(redirectUri: string, clientAuthentication = "client_secret_basic"): Promise<OpenIdPeer> {
    const peer = new OpenIdPeer(await generateKeyPair("RS256", { extractable: true }));
    await new Promise<void>((resolve) => peer.#server.listen(0, "127.0.0.1", resolve));
    peer.issuer = `http://127.0.0.1:${(peer.#server.address() as AddressInfo).port}`;
    const jwk = { ...(await exportJWK(peer.#keys.privateKey)), kid: KEY_ID, use: "sig", alg: "RS256" };
    peer.#provider = createProvider(peer.issuer, jwk, redirectUri, clientAuthentication);
    return peer;
  }

  /** Settings of the team for this provider. */
  settings(more: object = {}) {
    const roles = [
      { value: "console-admins", role: "admin" },
      { value: "console-support", role: "support" },
      { value: "console-clinicians", role: "clinician" },
      { value: "console-readers", role: "reader" },
    ];
    return { issuer: this.issuer, ...CLIENT, role_claim: "groups", roles, scopes: ["profile", "groups"], ...more };
  }

  /** Signs claims with the key of the provider. */
  sign(claims: JWTPayload): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: KEY_ID }).sign(this.#keys.privateKey);
  }

  /** Removes everything that a test has changed. */
  reset(): void {
    this.overrides.clear();
    this.changeClaims = undefined;
    this.forgeToken = undefined;
  }

  /**
   * Signs an account in, as a browser without earlier cookies does.
   * @returns the address to which the provider sends the browser back.
   */
  async signIn(authorizationUrl: string, account: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let [url, init] = [authorizationUrl, {} as RequestInit];
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const response = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
      for (const one of response.headers.getSetCookie()) {
        const [name = "", ...value] = (one.split(";")[0] ?? "").split("=");
        cookies.set(name, value.join("="));
      }
      const location = response.headers.get("location");
      if (location === null) {
        if (!url.includes("/interaction/")) throw new Error(`the provider answered ${response.status}`);
        init = { method: "POST", body: new URLSearchParams({ account }) };
        continue;
      }
      const next = new URL(location, url);
      if (next.origin !== this.issuer) return next;
      [url, init] = [next.href, {}];
    }
    throw new Error("the provider never sent the browser back");
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "" } = request;
    const provider = this.#provider as Provider;
    const override = [...this.overrides].find(([path]) => url.startsWith(path))?.[1];
    if (override) return override(request, response);
    if (url.startsWith("/interaction/")) return answerInteraction(provider, request, response);
    if (url.startsWith("/token")) this.#watchTokens(request, response);
    await provider.callback()(request, response);
  }

  /** Replaces the ID token in the response of the library, if a test wants it. */
  #watchTokens(request: IncomingMessage, response: ServerResponse): void {
    const body: Buffer[] = [];
    request.on("data", (part) => body.push(part));
    request.on("end", () => this.tokenRequests.push(new URLSearchParams(Buffer.concat(body).toString())));
    const end = response.end.bind(response);
    const replace = async (text: string) => {
      const answer = JSON.parse(text);
      if (answer.id_token) {
        const claims = decodeJwt(answer.id_token);
        if (this.changeClaims) answer.id_token = await this.sign(this.changeClaims(claims));
        if (this.forgeToken) answer.id_token = await this.forgeToken(claims);
      }
      const changed = JSON.stringify(answer);
      response.setHeader("content-length", Buffer.byteLength(changed));
      end(changed);
    };
    response.end = ((chunk: unknown) => {
      void replace(String(chunk));
      return response;
    }) as typeof response.end;
  }
}

function createProvider(issuer: string, jwk: object, redirectUri: string, authentication: string): Provider {
  return new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri], token_endpoint_auth_method: authentication as never }],
    clientAuthMethods: [authentication as never],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ["a key for cookies of tests"] },
    scopes: ["openid", "profile", "groups"],
    claims: { openid: ["sub"], profile: ["name"], groups: ["groups"] },
    // As many providers do, the ID token has the claims of all scopes.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts[sub] }) }),
    // The organisation has agreed for its people.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc;
      const grant = new provider.Grant({ clientId: client?.clientId ?? "", accountId: session?.accountId ?? "" });
      grant.addOIDCScope("openid profile groups");
      await grant.save();
      return grant;
    },
  });
}

/** The page on which a person enters an account. */
async function answerInteraction(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">
      <form method="post"><label>Account <input name="account"></label><button>Continue</button></form></html>`);
    return;
  }
  const parts: Buffer[] = await Array.fromAsync(request);
  const accountId = new URLSearchParams(Buffer.concat(parts).toString()).get("account") ?? "";
  const result = accountId === "nobody" ? { error: "access_denied" } : { login: { accountId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
