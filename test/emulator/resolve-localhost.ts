import dns from "node:dns";

const systemLookup = dns.lookup as (...all: unknown[]) => void;

/**
 * Makes every name below `localhost` resolve to this machine, as RFC 6761 (section 6.3) demands and as curl and browsers
 * do. Not every system's resolver does. The emulator's API addresses are such names.
 */
const lookup = (host: string, ...rest: unknown[]) =>
  systemLookup(host.endsWith(".localhost") ? "127.0.0.1" : host, ...rest);

dns.lookup = Object.assign(lookup, systemLookup) as typeof dns.lookup;
