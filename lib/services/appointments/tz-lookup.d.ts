/** tz-lookup ships without type declarations. */
declare module "tz-lookup" {
  /** The IANA time zone at a position in degrees. @throws RangeError for an invalid position. */
  export default function zoneAt(latitude: number, longitude: number): string;
}
