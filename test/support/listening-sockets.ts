import { globSync, readFileSync, readlinkSync } from "node:fs";

/** A socket on which a process listens. The address is that of Linux's tables: bytes in hexadecimal. */
export interface ListeningSocket {
  readonly pid: number;
  readonly table: "tcp" | "tcp6";
  readonly address: string;
  readonly port: number;
  readonly isLoopback: boolean;
}

/** State of a listening socket (Linux, include/net/tcp_states.h). */
const LISTEN = "0A";

/**
 * Lists the sockets on which a process and its descendants listen (proc(5)). A process that ends meanwhile has none.
 * @throws Error on a system without `/proc`, or if a running process cannot be read.
 */
export function listListeningSockets(pid: number): ListeningSocket[] {
  return listProcessTree(pid).flatMap(listSocketsOf);
}

/** Returns a process and its descendants. */
function listProcessTree(pid: number): number[] {
  const lists = globSync(`/proc/${pid}/task/*/children`).map((file) =>
    unlessEnded(() => readFileSync(file, "utf8"), ""),
  );
  const children = lists.flatMap((list) => list.split(" ")).filter((child) => child !== "");
  return [pid, ...children.flatMap((child) => listProcessTree(Number(child)))];
}

function listSocketsOf(pid: number): ListeningSocket[] {
  const owned = new Set(
    globSync(`/proc/${pid}/fd/*`).map((descriptor) => unlessEnded(() => readlinkSync(descriptor), "")),
  );
  return (["tcp", "tcp6"] as const).flatMap((table) => {
    const rows = unlessEnded(() => readFileSync(`/proc/${pid}/net/${table}`, "utf8"), "")
      .trim()
      .split("\n")
      .slice(1);
    return rows.flatMap((row) => {
      const [, local = "", , state, , , , , , inode = ""] = row.trim().split(/\s+/);
      if (state !== LISTEN || !owned.has(`socket:[${inode}]`)) return [];
      const [address = "", port = ""] = local.split(":");
      return { pid, table, address, port: Number.parseInt(port, 16), isLoopback: isLoopback(address) };
    });
  });
}

/**
 * Whether an address of the tables is 127.0.0.0/8, ::1 or ::ffff:127.0.0.0/104. The tables print each group of four
 * bytes as one number, on a little-endian machine with its last byte first.
 */
export function isLoopback(address: string): boolean {
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => word.match(/../g)?.reverse() ?? []);
  const ip = bytes.join("").toLowerCase();
  if (bytes.length === 4) return ip.startsWith("7f");
  return ip === `${"0".repeat(31)}1` || ip.startsWith(`${"0".repeat(20)}ffff7f`);
}

/** Reads of a process that has ended, or of a descriptor that is closed, return `ended`. @throws any other error. */
function unlessEnded<T>(read: () => T, ended: T): T {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return ended;
    throw error;
  }
}
