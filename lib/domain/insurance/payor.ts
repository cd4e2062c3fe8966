import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { WordIndex } from "../lab-tests/word-index.ts";
import { type Address, address, wireAddress } from "../users/demographics/address.ts";

/** Clearing houses whose payor ids a team may store. */
const clearingHouses = ["change_healthcare", "availity", "stedi", "waystar", "claim_md", "apero", "pverify"] as const;
const clearingHouse = z.enum(clearingHouses);
const payorId = z.string().trim().min(1).max(100);
const sources = ["platform", "team"];

/** Stored payor. Payors bundled with the service have no clearing house id. */
export const payorRecord = z.object({
  payor_code: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  org_address: wireAddress,
  source: z.string(),
  provider: z.string().nullable(),
  provider_payor_id: z.string().nullable(),
});
export type Payor = z.output<typeof payorRecord>;

const payorFields = {
  name: z.string(),
  aliases: z.array(z.string()),
  org_address: wireAddress,
  source: openEnum(sources),
};
export const wirePayor = z.object({ payor_code: z.string(), ...payorFields }).meta({ id: "Payor" });
/** Payor with `code` in place of `payor_code`, the older spelling. */
export const wirePayorWithCode = z.object({ code: z.string(), ...payorFields }).meta({ id: "PayorWithCode" });

/** Request to create a payor for the team. */
export const payorDraft = z.object({
  name: z.string().trim().min(1).max(200),
  address,
  provider: clearingHouse
    .nullish()
    .transform((value) => value ?? null)
    .describe("Clearing house"),
  provider_payor_id: payorId
    .nullish()
    .transform((value) => value ?? null)
    .describe("Id of the payor at the clearing house"),
});

/** Search for payors; an absent field does not filter. */
export interface PayorSearch {
  readonly name?: string | null | undefined;
  readonly provider?: string | null | undefined;
  readonly providerPayorId?: string | null | undefined;
}
export const payorSearch = {
  insurance_name: z.string().trim().max(200).nullish(),
  provider: clearingHouse.nullish().describe("Clearing house"),
  id: payorId.nullish().describe("Id of the payor at the clearing house"),
};

/** Maximum number of results of a search. */
const MAX_SEARCH_RESULTS = 100;

/**
 * Searches payors, best match first. A query matches prefixes of words of the name or an alias, in any order and with
 * one typo in each word. If no payor matches all words, only the first word counts, because plans append words of their
 * own.
 */
export function searchPayors(payors: readonly Payor[], { name, provider, providerPayorId }: PayorSearch): Payor[] {
  const eligible = payors.filter(
    (payor) =>
      (!provider || payor.provider === provider) && (!providerPayorId || payor.provider_payor_id === providerPayorId),
  );
  return searchByName(eligible, name ?? "").slice(0, MAX_SEARCH_RESULTS);
}

function searchByName(payors: readonly Payor[], name: string): Payor[] {
  const typed = name.trim();
  if (typed === "") return payors.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const index = new WordIndex(payors.map((payor) => [payor.payor_code, payor.name, ...payor.aliases].join(" ")));
  const found = index.search(typed);
  const [first = ""] = typed.split(/\s+/);
  return (found.length > 0 ? found : index.search(first)).flatMap(({ place }) => payors[place] ?? []);
}

/** Payor bundled with the service, in the format of the data file. */
export interface BundledPayor extends Pick<Address, "city" | "state" | "zip"> {
  readonly payor_code: string;
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Converts a bundled payor. Its address holds only the city, state and zip code of the head office. */
export function toPayor({ payor_code, name, aliases, city, state, zip }: BundledPayor): Payor {
  const org_address: Address = {
    first_line: "Head office",
    second_line: null,
    city,
    state,
    zip_code: zip,
    zip,
    country: "US",
    access_notes: null,
  };
  const from = { source: "platform", provider: null, provider_payor_id: null };
  return { payor_code, name, aliases: [...aliases], org_address, ...from };
}

export const toWirePayor = ({ payor_code, name, aliases, org_address, source }: Payor): z.output<typeof wirePayor> => ({
  payor_code,
  name,
  aliases,
  org_address,
  source,
});
export const toWirePayorWithCode = (payor: Payor): z.output<typeof wirePayorWithCode> => {
  const { payor_code: code, ...rest } = toWirePayor(payor);
  return { code, ...rest };
};
