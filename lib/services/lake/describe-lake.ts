import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Describes the lake of a team: whether it takes data, and where its tables are. */
export async function describeLake({ lakeTables }: Dependencies<"lakeTables">, scope: TeamScope) {
  const settings = await lakeTables.getSettings(scope);
  const pointers = await lakeTables.listPointers(scope);
  const tables = pointers.map(({ name, metadata_location, rows, files, updated_at }) => {
    return { name, metadata_location, rows, files, updated_at };
  });
  return { enabled: settings?.enabled ?? false, tables };
}
