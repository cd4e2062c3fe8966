import * as connectManualProvider from "../../../functions/providers/connect-manual-provider.ts";
import * as deregisterProvider from "../../../functions/providers/deregister-provider.ts";
import * as getConnectedProviders from "../../../functions/providers/get-connected-providers.ts";
import { type Performed, toResult, type WorkloadFactory } from "../workload.ts";
import { createUser } from "./create-user.ts";

const PROVIDERS = ["manual", "apple_health_kit"] as const;
const refusals = { not_found: () => ["absent"] };

/** What a response shows of a connection. */
interface ShownConnection {
  readonly slug: string;
  readonly external_user_id: string;
}

/** Connections of one user to two providers, each with one of two accounts. */
export const createConnectionsWorkload: WorkloadFactory = (service, random) => {
  let user_id = "";
  const done = (name: string, args: readonly string[], result: Performed["result"]): Performed[] => [
    { kind: "connections", object: "user", name, args, result },
  ];
  return {
    async prepare() {
      user_id = await createUser(service);
    },
    async perform() {
      const provider = random.pick(PROVIDERS);
      const provider_id = random.pick(["a", "b"]);
      const kind = random.integerBelow(100);
      if (kind < 45) {
        const answer = await service.call(connectManualProvider, {
          path: { provider },
          body: { user_id, provider_id },
        });
        return done(
          "connect",
          [provider, provider_id],
          toResult(answer, () => ["connected"], {}),
        );
      }
      if (kind < 70) {
        const answer = await service.call(deregisterProvider, { path: { user_id, provider } });
        return done(
          "disconnect",
          [provider],
          toResult(answer, () => ["disconnected"], refusals),
        );
      }
      const answer = await service.call(getConnectedProviders, { path: { user_id } });
      const shown = ({ slug, external_user_id }: ShownConnection) => `${slug}=${external_user_id}`;
      return done(
        "list",
        [],
        toResult(answer, ({ providers }) => providers.map(shown).sort(), {}),
      );
    },
  };
};
