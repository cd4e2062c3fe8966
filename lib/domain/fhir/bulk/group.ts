import * as z from "zod";

/** The id of the only Group: all users of the team. */
export const ALL_USERS = "all";

/** Path parameters of an operation on a Group. */
export const groupOperationParams = z.object({
  id: z.string().max(64).meta({ description: "Id of the Group. `all` is the only one" }),
  operation: z.enum(["$export"]).meta({ description: "The operation" }),
});

/** The Group of all users of a team. It lists no members, because `$export` returns them as Patients. */
export const allUsersGroup = {
  resourceType: "Group" as const,
  id: ALL_USERS,
  active: true,
  type: "person",
  actual: true,
  name: "All users of the team",
};
