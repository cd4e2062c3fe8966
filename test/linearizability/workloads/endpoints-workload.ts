import * as createWebhook from "../../../functions/management-webhooks/create-webhook.ts";
import * as deleteWebhook from "../../../functions/management-webhooks/delete-webhook.ts";
import * as getWebhook from "../../../functions/management-webhooks/get-webhook.ts";
import * as getWebhookSecret from "../../../functions/management-webhooks/get-webhook-secret.ts";
import * as listWebhooks from "../../../functions/management-webhooks/list-webhooks.ts";
import * as rotateWebhookSecret from "../../../functions/management-webhooks/rotate-webhook-secret.ts";
import * as updateWebhook from "../../../functions/management-webhooks/update-webhook.ts";
import type { Route, RouteAnswer } from "../service-fixture.ts";
import { firstUuid, type Performed, toResult, type WorkloadFactory } from "../workload.ts";

const refusals = { not_found: () => ["absent"], conflict: () => ["conflict"] };
const found = ({ url, description }: RouteAnswer["body"]) => ["found", url, description];

/** Webhook endpoints of one team: created, read, moved to another URL, described, deleted, with new secrets. */
export const createEndpointsWorkload: WorkloadFactory = (service, random) => {
  const known: string[] = [];
  const done = (name: string, args: readonly string[], result: Performed["result"]): Performed[] => [
    { kind: "endpoints", object: "endpoints", name, args, result },
  ];
  const drawUrl = () => `http://127.0.0.1:9/${random.integerBelow(3)}`;
  const drawSecret = () => `whsec_${Buffer.alloc(24, random.integerBelow(256)).toString("base64")}`;
  const pathOf = (webhook_id?: string) => {
    const { org_id, team_id } = service.org;
    return { org_id, team_id, env: "sandbox", ...(webhook_id ? { webhook_id } : {}) };
  };
  const create = async () => {
    const [url, secret] = [drawUrl(), drawSecret()];
    const context = service.newCall();
    const answer = await service.call(createWebhook, { path: pathOf(), body: { url, secret } }, context);
    const result = toResult(answer, ({ id }) => (id === firstUuid(context) ? ["created"] : [id]), {});
    if (result) known.push(firstUuid(context));
    return done("create", [firstUuid(context), url, secret], result);
  };
  const on = async (route: Route, id: string, body?: object) =>
    service.call(route, { path: pathOf(id), ...(body ? { body } : {}) });
  const act = async (id: string, kind: number) => {
    if (kind < 35) return done("get", [id], toResult(await on(getWebhook, id), found, refusals));
    if (kind < 50) {
      const url = drawUrl();
      return done("move", [id, url], toResult(await on(updateWebhook, id, { url }), found, refusals));
    }
    if (kind < 65) {
      const description = random.pick(["one", "two", "three"]);
      const answer = await on(updateWebhook, id, { description });
      return done("describe", [id, description], toResult(answer, found, refusals));
    }
    if (kind < 75) {
      const key = drawSecret();
      const answer = await on(rotateWebhookSecret, id, { key });
      return done(
        "rotate",
        [id, key],
        toResult(answer, () => ["rotated"], refusals),
      );
    }
    if (kind < 85)
      return done(
        "secret",
        [id],
        toResult(await on(getWebhookSecret, id), ({ key }) => ["found", key], refusals),
      );
    return done(
      "delete",
      [id],
      toResult(await on(deleteWebhook, id), () => ["deleted"], refusals),
    );
  };
  return {
    prepare: async () => {},
    async perform() {
      const kind = random.integerBelow(100);
      if (known.length === 0 || kind < 12) return create();
      if (kind >= 20) return act(random.pick(known), kind);
      const answer = await service.call(listWebhooks, { path: pathOf() });
      return done(
        "list",
        [],
        toResult(answer, ({ data }) => data.map(({ id }: { id: string }) => id).sort(), {}),
      );
    },
  };
};
