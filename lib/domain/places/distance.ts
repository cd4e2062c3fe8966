/** A place on the earth, in degrees. */
export interface Coordinates {
  readonly lat: number;
  readonly lng: number;
}

/** Mean radius of the earth in statute miles. */
const EARTH_RADIUS_MILES = 3_958.7613;
/** A degree of latitude in miles, everywhere. */
export const MILES_PER_DEGREE = (EARTH_RADIUS_MILES * Math.PI) / 180;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance in statute miles (haversine, which is exact for near places too). */
export function milesBetween(a: Coordinates, b: Coordinates): number {
  const dLat = radians(b.lat - a.lat) / 2;
  const dLng = radians(b.lng - a.lng) / 2;
  const h = Math.sin(dLat) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng) ** 2;
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(h)));
}
