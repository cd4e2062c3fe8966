import type { Random } from "./random.ts";
import { escapeXml } from "./xml-text.ts";

/** The kind of device behind a record. It determines source name, version and device. */
export type SourceKind = "watch" | "phone" | "app" | "scale";

/**
 * The writer of a record. `attributes` is serialized XML: sourceName, then known values of sourceVersion and device.
 */
export type Source = { kind: SourceKind; attributes: string };

type DeviceMaker = { kind: SourceKind; name: string; versions: string[]; device?: (version: string) => string };

const MAKERS = {
  watch: {
    kind: "watch",
    name: "Test’s Apple\u00a0Watch",
    versions: ["9.6.3", "10.1", "10.6.1"],
    device: (version) =>
      `name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,1, software:${version}`,
  },
  phone: {
    kind: "phone",
    name: "Test’s iPhone",
    versions: ["16.6", "17.1.2", "17.5.1"],
    device: (version) => `name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, software:${version}`,
  },
  scale: {
    kind: "scale",
    name: "Example Scale",
    versions: ["3.2", "3.4"],
    device: () => "name:Example Body Scale, manufacturer:Example Devices, model:Scale, hardware:S1, software:1.07",
  },
  health: { kind: "app", name: "Health", versions: ["16.6", "17.1.2", "17.5.1"] },
  meals: { kind: "app", name: "Example Meals", versions: ["5121", "5188"] },
  cuff: {
    kind: "app",
    name: "Example Cuff",
    versions: ["2.0.1"],
    device: () => "name:Cuff, manufacturer:Example Devices, model:BP-7, hardware:7, software:1.1",
  },
  meter: { kind: "app", name: "Example Meter", versions: ["8.4.0", "8.5.2"] },
} satisfies Record<string, DeviceMaker>;

/** Names of the sources in an export. */
export type SourceName = keyof typeof MAKERS;

/** HealthKit prints an object's address in the device text, so it changes with every session of the recording app. */
const ADDRESSES = Array.from({ length: 8 }, (_, index) => `0x28${(0x1d8eda0 + index * 0x15c60).toString(16)}`);

/** The source at `progress` (0 to 1) of the timeline. Its software version increases with time. */
export function createSource(name: SourceName, progress: number, random: Random): Source {
  const versions = SOURCES[name];
  const ofVersion = versions[Math.min(Math.floor(progress * versions.length), versions.length - 1)]!;
  return ofVersion[Math.floor(random() * ofVersion.length)]!;
}

/** An app that writes only its name; version and device are optional in the format. */
export function createNameOnlySource(name: string): Source {
  return { kind: "app", attributes: `sourceName="${escapeXml(name)}"` };
}

const SOURCES = Object.fromEntries(
  Object.entries<DeviceMaker>(MAKERS).map(([name, maker]) => [
    name,
    maker.versions.map((version) => variants(maker, version)),
  ]),
) as Record<SourceName, Source[][]>;

function variants(maker: DeviceMaker, version: string): Source[] {
  const named = `sourceName="${escapeXml(maker.name)}" sourceVersion="${version}"`;
  const { kind, device } = maker;
  if (device === undefined) return [{ kind, attributes: named }];
  return ADDRESSES.map((address) => {
    const text = escapeXml(`<<HKDevice: ${address}>, ${device(version)}>`);
    return { kind, attributes: `${named} device="${text}"` };
  });
}
