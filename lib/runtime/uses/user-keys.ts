import { userKeyRing } from "../user-keys.ts";

export const make = userKeyRing;
