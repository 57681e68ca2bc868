import { BlockList, isIP } from "node:net";

/** The addresses of this machine. */
const LOOPBACK = ranges(["127.0.0.0/8"], ["::1/128"]);

/**
 * The addresses outside the public internet (IANA registries of special-purpose addresses). They include all IPv6 addresses that
 * represent an IPv4 one, because no server needs to be configured that way.
 */
const SPECIAL = ranges(
  [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
  ],
  [
    "::/96",
    "::ffff:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
  ],
);

export function isLoopback(address: string): boolean {
  return isIn(LOOPBACK, address);
}

export function isPublic(address: string): boolean {
  return isIP(address) !== 0 && !isIn(SPECIAL, address);
}

/** One list per family, because Node compares IPv4 addresses in a mixed list as mapped IPv6 ones, too. */
interface Ranges {
  readonly ipv4: BlockList;
  readonly ipv6: BlockList;
}

function isIn(list: Ranges, address: string): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return list[family].check(address, family);
}

function ranges(ipv4: readonly string[], ipv6: readonly string[]): Ranges {
  const listOf = (family: "ipv4" | "ipv6", subnets: readonly string[]): BlockList => {
    const list = new BlockList();
    for (const subnet of subnets) {
      const [network = "", bits] = subnet.split("/");
      list.addSubnet(network, Number(bits), family);
    }
    return list;
  };
  return { ipv4: listOf("ipv4", ipv4), ipv6: listOf("ipv6", ipv6) };
}
