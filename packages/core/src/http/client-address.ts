import { BlockList, isIP } from "../runtime/addresses.ts";
import { DefinitionError } from "../errors/definition-error.ts";
import type { HttpRequest } from "../message/message.ts";
import type { Log } from "../util/log.ts";

/**
 * Returns the address of a client, by which anonymous callers are distinguished. Returns undefined for calls within the
 * process.
 */
export type AddressOf = (request: Pick<HttpRequest, "address" | "headers">) => string | undefined;

/**
 * Creates a function that returns the address of the client. That is the address of the socket, unless it belongs to a
 * trusted proxy: then it is the last address in `X-Forwarded-For` that isn't a trusted proxy. Earlier entries are
 * ignored, because clients can forge them.
 */
export function createAddressOf(trustedProxies: readonly string[]): AddressOf {
  const trusted = new BlockList();
  for (const proxy of trustedProxies) trust(trusted, proxy);
  return ({ address, headers }) => {
    let found = address === undefined ? undefined : parseAddress(address);
    if (found === undefined) return undefined;
    const header = trustedProxies.length === 0 ? undefined : headers["x-forwarded-for"];
    const hops = header === undefined ? [] : String(header).split(",");
    while (trusted.check(found, isIP(found) === 6 ? "ipv6" : "ipv4")) {
      const before = parseAddress(hops.pop() ?? "");
      if (before === undefined) break;
      found = before;
    }
    return networkOf(found);
  };
}

/**
 * Returns the bare address, without brackets, port and zone, or undefined for invalid text. An IPv4-mapped IPv6 address
 * becomes the IPv4 address (RFC 4291 §2.5.5.2).
 */
export function parseAddress(text: string): string | undefined {
  const trimmed = text.trim().replace(/^\[([^\]]*)\](:\d+)?$/, "$1");
  const bare = (/^[\d.]+:\d+$/.test(trimmed) ? trimmed.slice(0, trimmed.indexOf(":")) : trimmed).replace(/%.*$/, "");
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : undefined;
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return bare.toLowerCase();
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/**
 * Returns an IPv4 address unchanged. For IPv6, returns the first 56 bits, which usually belong to one household (RFC
 * 6177).
 */
function networkOf(address: string): string {
  if (isIP(address) === 4) return address;
  const groups = groupsOf(address).slice(0, 4);
  return `${groups.map((group, at) => (at === 3 ? group & 0xff00 : group).toString(16)).join(":")}::/56`;
}

/** Returns the eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) => {
    const hex = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);
    return `${hex(a, b)}:${hex(c, d)}`;
  });
  const [head = "", tail] = plain.split("::", 2).map((half) => half);
  const parse = (half: string | undefined): number[] =>
    half === undefined || half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(head), parse(tail)];
  return tail === undefined
    ? first
    : [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function trust(list: BlockList, proxy: string): void {
  const [address = "", bits] = proxy.split("/", 2);
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  try {
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : Number.NaN, family);
  } catch {
    const problem = `'${proxy}' is not a valid IP address or network.`;
    const fix = "Use addresses or networks such as 10.0.0.7, 10.0.0.0/8 or fd00::/8.";
    throw new DefinitionError([{ at: "trustedProxies", problem, fix }]);
  }
}

/**
 * Creates a function that logs a warning once if the rate limit rejects an address and a proxy seems to be missing in
 * `trustedProxies`. All clients behind such a proxy share one address.
 */
export function warnOfProxy(
  trustedProxies: readonly string[] | undefined,
  log: Log,
): (request: Pick<HttpRequest, "headers">) => void {
  let isSaid = trustedProxies !== undefined;
  return ({ headers }) => {
    if (isSaid || headers["x-forwarded-for"] === undefined) return;
    isSaid = true;
    log.warn(
      "The rate limit rejected a request with `X-Forwarded-For`. If your proxy sent it, add the proxy to `trustedProxies`. Until then, all its clients share one limit.",
    );
  };
}
