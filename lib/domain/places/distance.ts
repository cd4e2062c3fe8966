/** Geographic coordinates, degrees. */
export interface Coordinates {
  readonly lat: number;
  readonly lng: number;
}

/** Mean radius of the Earth, statute miles. */
const EARTH_RADIUS_MILES = 3_958.7613;
/** Length of one degree of latitude, miles. */
export const MILES_PER_DEGREE = (EARTH_RADIUS_MILES * Math.PI) / 180;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance, statute miles. Uses the haversine formula, which stays accurate for short distances. */
export function milesBetween(a: Coordinates, b: Coordinates): number {
  const dLat = radians(b.lat - a.lat) / 2;
  const dLng = radians(b.lng - a.lng) / 2;
  const h = Math.sin(dLat) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng) ** 2;
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(h)));
}
