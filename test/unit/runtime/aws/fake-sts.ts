import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";

/** One response of STS. */
export interface StsResponse {
  readonly status: number;
  readonly body: string;
}

/** A response with credentials. */
export const issued = (name: string): StsResponse => ({
  status: 200,
  body: `<AssumeRoleResponse><AssumeRoleResult><Credentials>
    <AccessKeyId>${name}</AccessKeyId><SecretAccessKey>a+b/c=</SecretAccessKey><SessionToken>token</SessionToken>
    </Credentials></AssumeRoleResult></AssumeRoleResponse>`,
});

/** An error response. */
export const refused = (status: number, code: string): StsResponse => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`,
});

/** A server in place of STS, which the environment of the process names. */
export class FakeSts {
  readonly requests: URLSearchParams[] = [];
  readonly signatures: (string | undefined)[] = [];
  /** Returns the response to the n-th request, from 1. */
  respond: (nth: number) => StsResponse = (nth) => issued(`ASIA${nth}`);
  readonly #server: Server;

  static async start(): Promise<FakeSts> {
    const sts = new FakeSts();
    sts.#server.listen(0, "127.0.0.1");
    await once(sts.#server, "listening");
    return sts;
  }

  private constructor() {
    this.#server = createServer(async (request, response) => {
      this.requests.push(new URLSearchParams(await text(request)));
      this.signatures.push(request.headers.authorization);
      const { status, body } = this.respond(this.requests.length);
      response.writeHead(status, { "content-type": "text/xml" }).end(body);
    });
  }

  /** The environment variables of a function that reaches this server. */
  get environment(): Record<string, string> {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return {
      AWS_REGION: "eu-west-1",
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: "AKID",
      AWS_SECRET_ACCESS_KEY: "secret",
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
