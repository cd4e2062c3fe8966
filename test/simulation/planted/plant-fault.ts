import type { TestService } from "../../support/service.ts";
import type { CallInput } from "./call.ts";
import type { PlantedFault } from "./planted-faults.ts";

/** An answer other than a success, which passes a defect unchanged. */
class Failed extends Error {
  readonly answer: { readonly status: number; readonly headers: object; readonly body: Buffer };

  constructor(answer: Failed["answer"]) {
    super("the call failed");
    this.answer = answer;
  }
}

/** Lets every call of the functions of a service pass through a defect, for the life of the service. */
export function plantFault({ cloud: { host } }: TestService, { intervene }: PlantedFault): void {
  const admit = host.admitRequest;
  host.admitRequest = (request, send) =>
    admit(request, async (admitted) => {
      const operation = String(admitted.headers["x-amz-target"]).split(".").at(-1) ?? "";
      const headers = { "content-type": "application/x-amz-json-1.0" };
      const sendInput = async (input: CallInput) => {
        const answer = await send({ ...admitted, raw: Buffer.from(JSON.stringify(input)) });
        if (answer.status !== 200) throw new Failed(answer);
        return JSON.parse(answer.body.toString() || "{}");
      };
      try {
        const answer = await intervene({ operation, input: JSON.parse(admitted.raw.toString()) }, sendInput);
        return { status: 200, headers, body: Buffer.from(JSON.stringify(answer)) };
      } catch (error) {
        if (error instanceof Failed) return { ...error.answer, headers };
        throw error;
      }
    });
}
