import { endpoints } from "../../../../../functions/index.ts";
import type { Answer, TestService } from "../../../../support/service.ts";

/**
 * Calls every tool of agents about a user, and again with values that each one refuses.
 * @returns the refusals.
 */
export async function callEveryTool(service: TestService, userId: string, refused: string): Promise<Answer[]> {
  const call = (name: string, given: object) => {
    const params = { name, arguments: given };
    return service.call("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });
  };
  const { body } = await service.call("GET", `/v3/orders?user_id=${userId}`);
  const order_id = body.orders[0]?.id;
  const { client_user_id } = (await service.call("GET", `/v2/user/${userId}`)).body;
  const range = { start_date: "2026-05-01", end_date: "2026-05-02" };
  const known = { user_id: userId, order_id, client_user_id, resource: "note", ...range, ...stepsOfDay };
  const refusals: Answer[] = [];
  for (const { agentTool, params, query, body: bodySchema } of endpoints) {
    if (!agentTool) continue;
    const bodyShape = (bodySchema as { shape?: object } | undefined)?.shape ?? {};
    const fields = Object.keys({ ...params.shape, ...query.shape, ...bodyShape });
    const pick = (values: object) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => fields.includes(name)));
    const read = await call(agentTool.name, pick(known));
    if (!read.body.result) throw new Error(`${agentTool.name}: ${JSON.stringify(read.body)}`);
    // The order has no result yet.
    if (read.body.result.isError) refusals.push(read);
    const wrong = Object.fromEntries(fields.map((name) => [name, refused]));
    if (fields.some((name) => name in known)) refusals.push(await call(agentTool.name, wrong));
  }
  refusals.push(await call(refused, {}), await service.call("POST", "/mcp", { body: `{"${refused}` }));
  return refusals;
}

const stepsOfDay = {
  timeframe: { type: "relative", anchor: "2026-05-01", past: { value: 1, unit: "day" } },
  queries: [{ select: [{ func: "sum", arg: { timeseries: "steps", field: "value" } }] }],
};
