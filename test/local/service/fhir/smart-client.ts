import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import type { Answer, TestService } from "../../../support/service.ts";

type Algorithm = "RS384" | "ES384" | "RS256" | "PS384";

/** A key pair of a client. */
export interface ClientKey {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly privateKey: CryptoKey;
  readonly jwk: object;
}

export async function createKey(algorithm: Algorithm, kid = `key of ${algorithm}`): Promise<ClientKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { kid, algorithm, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm } };
}

/** A backend service that gets its tokens with signed assertions. */
export class SmartClient {
  readonly service: TestService;
  readonly key: ClientKey;
  readonly clientId: string;
  #assertions = 0;

  constructor(service: TestService, key: ClientKey, clientId: string) {
    this.service = service;
    this.key = key;
    this.clientId = clientId;
  }

  /** Signs an assertion that is valid for four minutes of the virtual clock, with changes. */
  async assertion(
    changes: Readonly<Record<string, unknown>> = {},
    header: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const nowS = Math.floor(this.service.cloud.clock.now() / 1000);
    const claims = {
      ...{ iss: this.clientId, sub: this.clientId, aud: `${this.service.baseUrl}/fhir/auth/token` },
      ...{ exp: nowS + 240, jti: `assertion ${this.#assertions++}` },
    };
    const { algorithm, kid } = this.key;
    return new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg: algorithm, kid, typ: "JWT", ...header } as { alg: string })
      .sign(this.key.privateKey);
  }

  /** Requests a token. */
  async request(assertion: string, fields: Record<string, string> = {}): Promise<Answer> {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      scope: "system/*.rs",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
      ...fields,
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return this.service.call("POST", "/fhir/auth/token", { key: null, headers, body: String(form) });
  }

  /** Gets a token with these scopes. @returns the header that carries it. */
  async authorize(scope: string): Promise<{ authorization: string }> {
    const { status, body } = await this.request(await this.assertion(), { scope });
    if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`);
    return { authorization: `Bearer ${body.access_token}` };
  }
}

/** Serves keys on the loopback interface. */
export async function serveKeys(answer: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`, server };
}
