/** tz-lookup ships without type declarations. */
declare module "tz-lookup" {
  /** The zone of the IANA database at a place, in degrees. @throws RangeError for what is no place. */
  export default function zoneAt(latitude: number, longitude: number): string;
}
