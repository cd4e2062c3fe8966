import { expect } from "vitest";
import { teamFeatures } from "../../../../lib/domain/management/team-features.ts";
import type { TestService } from "../../../support/service.ts";

/** Makes the first team keep the payloads of its providers. */
export async function keepPayloads(service: TestService, settings: object = {}): Promise<void> {
  const { org_id, team_id } = service.identity;
  const body = { sandbox: { features: teamFeatures, ...settings } };
  expect((await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body })).status).toBe(200);
}
