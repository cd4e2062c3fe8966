import { expectResult, type Specification } from "../specification.ts";

interface Users {
  /** The reference of each user, and whether the user is deleted. */
  readonly users: Readonly<Record<string, { readonly reference: string; readonly isDeleted: boolean }>>;
  /** The user to whom each reference belongs. It still belongs to a deleted user until another user takes it. */
  readonly owners: Readonly<Record<string, string>>;
}

const absent = ["absent"];

/** The users of a team, by id and by `client_user_id`. */
export const usersSpecification: Specification<Users> = {
  initial: { users: {}, owners: {} },
  after(state, operation) {
    const { users, owners } = state;
    const [subject = "", second = ""] = operation.args;
    const expect = (result: readonly string[], next?: Users) => expectResult(state, operation, result, next);
    const activeOwner = (reference: string) => {
      const owner = owners[reference];
      return owner !== undefined && users[owner]?.isDeleted === false ? owner : undefined;
    };
    const user = users[subject];
    switch (operation.name) {
      case "create": {
        const taken = activeOwner(subject);
        if (taken !== undefined) return expect(["taken", taken]);
        const made = { ...users, [second]: { reference: subject, isDeleted: false } };
        return expect(["created", second], { users: made, owners: { ...owners, [subject]: second } });
      }
      case "resolve": {
        const owner = activeOwner(subject);
        return expect(owner === undefined ? absent : ["found", owner]);
      }
      case "get":
        return expect(!user || user.isDeleted ? absent : ["found", user.reference]);
      case "delete":
        if (!user) return expect(absent);
        return expect(["deleted"], { ...state, users: { ...users, [subject]: { ...user, isDeleted: true } } });
      case "undo":
        if (!user) return expect(absent);
        if (!user.isDeleted || owners[user.reference] !== subject) return expect(["refused"]);
        return expect(["restored"], { ...state, users: { ...users, [subject]: { ...user, isDeleted: false } } });
      default: {
        // A new reference.
        if (!user || user.isDeleted) return expect(absent);
        const taken = activeOwner(second);
        if (taken !== undefined && taken !== subject) return expect(["taken", taken]);
        const { [user.reference]: _, ...others } = owners;
        const renamed = { ...users, [subject]: { ...user, reference: second } };
        return expect(["renamed"], { users: renamed, owners: { ...others, [second]: subject } });
      }
    }
  },
};
