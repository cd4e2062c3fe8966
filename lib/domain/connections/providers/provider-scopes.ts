const google = (area: string, names: readonly string[]) => [
  "openid",
  "email",
  ...names.map((name) => `https://www.googleapis.com/auth/${area}.${name}`),
];

/** OAuth scopes of the providers where a team may select scopes. */
export const providerScopes = {
  fitbit: [
    "heartrate",
    "oxygen_saturation",
    "cardio_fitness",
    "respiratory_rate",
    "activity",
    "location",
    "nutrition",
    "profile",
    "settings",
    "sleep",
    "social",
    "weight",
    "temperature",
  ],
  google_fit: google("fitness", [
    "activity.read",
    "body.read",
    "sleep.read",
    "blood_glucose.read",
    "blood_pressure.read",
    "heart_rate.read",
    "nutrition.read",
    "location.read",
  ]),
  google_health: google("googlehealth", [
    "activity_and_fitness.readonly",
    "sleep.readonly",
    "health_metrics_and_measurements.readonly",
    "nutrition.readonly",
    "ecg.readonly",
    "irn.readonly",
    "location.readonly",
    "profile.readonly",
    "settings.readonly",
  ]),
  oura: ["email", "personal", "daily", "heartrate", "workout", "tag", "session"],
  strava: ["activity:read_all", "activity:write", "profile:write", "profile:read_all"],
  withings: ["user.activity", "user.metrics", "user.sleepevents"],
  wahoo: ["email", "user_read", "workouts_read", "offline_data"],
  whoop_v2: [
    "read:recovery",
    "read:cycles",
    "read:workout",
    "read:sleep",
    "read:profile",
    "read:body_measurement",
    "offline",
  ],
  my_fitness_pal_v2: ["diary", "measurements", "private-exercises", "subscriptions"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Provider with selectable scopes. */
export type ScopedProvider = keyof typeof providerScopes;

export const scopedProviders = Object.keys(providerScopes) as ScopedProvider[];
