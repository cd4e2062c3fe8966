import type { Sample } from "../../lib/domain/timeseries/chunk/sample.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIRST_DAY = Date.UTC(2025, 2, 3);

/** Numbers in [0, 1) from a seed (mulberry32), the same on every machine. */
export function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normalFrom(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function sampleAt(start: number, value: number | string, further: Partial<Sample> = {}): Sample {
  return { start: Math.round(start), value, offsetS: 3_600, type: null, ...further };
}

/** Heart rate every 5 s with a clock jitter of 350 ms, and pauses while the watch is off. */
export function heartRateStream(days: number, seed = 1): Sample[] {
  const random = createSeededRandom(seed);
  const normal = normalFrom(random);
  const samples: Sample[] = [];
  let drift = 0;
  for (let tick = 0; tick < (days * DAY_MS) / 5_000; tick++) {
    const hour = (tick / 720) % 24;
    if (hour > 18 && hour < 21.4) continue;
    drift = 0.985 * drift + 1.3 * normal();
    const level = 68 + 14 * Math.sin(((hour - 9) / 24) * 2 * Math.PI) + (hour > 7 && hour < 8 ? 55 : 0);
    samples.push(sampleAt(FIRST_DAY + tick * 5_000 + 2_000 + 350 * normal(), Math.round(level + drift)));
  }
  return samples.sort((a, b) => a.start - b.start);
}

/** Glucose every 5 minutes, a smooth curve in whole mg/dL or, divided, in mmol/L at full precision. */
export function glucoseStream(days: number, divisor = 1, seed = 2): Sample[] {
  const random = createSeededRandom(seed);
  const normal = normalFrom(random);
  const samples: Sample[] = [];
  let level = 110;
  let slope = 0;
  for (let tick = 0; tick < days * 288; tick++) {
    slope = 0.8 * slope + 1.1 * normal() + (115 - level) * 0.01;
    level = Math.max(50, level + slope);
    if (random() < 0.98) samples.push(sampleAt(FIRST_DAY + tick * 5 * MINUTE_MS + 17_000, Math.round(level) / divisor));
  }
  return samples;
}

/** Minute intervals of activity: a count (decimals 0: steps) or an energy (decimals 3: kilocalories). */
function activityStream(days: number, decimals: number, seed = 3): Sample[] {
  const random = createSeededRandom(seed);
  const samples: Sample[] = [];
  for (let minute = 0; minute < days * 1_440; minute++) {
    const hour = (minute / 60) % 24;
    if (hour < 6.5 || random() < 0.04) continue;
    const start = FIRST_DAY + minute * MINUTE_MS;
    const burst = random() < 0.15 ? 90 : 12;
    const amount = 1 + Math.floor(burst * random() * random());
    const value = decimals === 0 ? amount : Math.round(amount * 42.5 + random() * 900) / 10 ** decimals;
    samples.push(sampleAt(start, value, { end: start + MINUTE_MS }));
  }
  return samples;
}

/** Heart rate variability at irregular instants, doubles of full precision. */
function heartRateVariabilityStream(days: number, seed = 4): Sample[] {
  const random = createSeededRandom(seed);
  const normal = normalFrom(random);
  return instants(days * 32, days, random).map((start) => sampleAt(start, 45 * Math.exp(0.35 * normal())));
}

/** Blood oxygen in per cent, at irregular instants. */
function bloodOxygenStream(days: number, seed = 5): Sample[] {
  const random = createSeededRandom(seed);
  return instants(days * 64, days, random).map((start) => sampleAt(start, 99 - Math.floor(5 * random() * random())));
}

/** Sleep stages: contiguous intervals through the night, in half minutes. */
function sleepStageStream(days: number, seed = 6): Sample[] {
  const random = createSeededRandom(seed);
  const samples: Sample[] = [];
  for (let day = 0; day < days; day++) {
    let start = FIRST_DAY + day * DAY_MS + Math.floor(random() * 120) * 30 * SECOND_MS;
    for (let stage = 0; stage < 37; stage++) {
      const end = start + (1 + Math.floor(50 * random() * random())) * 30 * SECOND_MS;
      samples.push(sampleAt(start, 1 + Math.floor(4 * random()), { end }));
      start = end;
    }
  }
  return samples;
}

/** One person's streams. The weight of a stream in a one-day mix is its samples divided by its days. */
export function dailyStreamMix(): { name: string; days: number; samples: Sample[] }[] {
  return [
    { name: "heart rate 5 s", days: 1, samples: heartRateStream(1) },
    { name: "glucose mg/dL", days: 30, samples: glucoseStream(30) },
    { name: "steps per minute", days: 7, samples: activityStream(7, 0) },
    { name: "kcal per minute", days: 7, samples: activityStream(7, 3) },
    { name: "hrv, full doubles", days: 30, samples: heartRateVariabilityStream(30) },
    { name: "blood oxygen", days: 30, samples: bloodOxygenStream(30) },
    { name: "sleep stages", days: 30, samples: sleepStageStream(30) },
  ];
}

function instants(count: number, days: number, random: () => number): number[] {
  const starts = Array.from({ length: count }, () => FIRST_DAY + Math.floor(random() * days * DAY_MS));
  return [...new Set(starts)].sort((a, b) => a - b);
}
