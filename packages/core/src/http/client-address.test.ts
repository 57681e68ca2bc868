import { expect, test } from "vitest";
import { createAddressOf, parseAddress } from "./client-address.ts";

const request = (address: string | undefined, forwarded?: string) => ({
  address,
  headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
});

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:127.0.0.1", "127.0.0.1"],
  ["::FFFF:7f00:1", "127.0.0.1"],
  ["0:0:0:0:0:ffff:c0a8:0101", "192.168.1.1"],
  ["10.0.0.1:8080", "10.0.0.1"],
  [" [2001:DB8::1]:443 ", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["", undefined],
  ["unknown", undefined],
  ["1.2.3", undefined],
  ["1.2.3.4.5:80", undefined],
  ["_hidden", undefined],
])("%s is %s", (text, address) => {
  expect(parseAddress(text)).toBe(address);
});

test.each([
  ["::1", "0:0:0:0::/56"],
  ["2001:db8:0:12ff::1", "2001:db8:0:1200::/56"],
  ["2001:db8:0:1201:ffff:ffff:ffff:ffff", "2001:db8:0:1200::/56"],
  ["2001:db8:0:1300::1", "2001:db8:0:1300::/56"],
  ["2001:DB8::1:0:0:1", "2001:db8:0:0::/56"],
  ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/56"],
  ["::ffff:192.0.2.33", "192.0.2.33"],
])("I02: %s counts as %s", (address, network) => {
  expect(createAddressOf([])(request(address))).toBe(network);
});

test.each<[proxies: readonly string[], socket: string, forwarded: string, client: string]>([
  [[], "10.0.0.1", "203.0.113.1", "10.0.0.1"],
  [["10.0.0.0/8"], "10.0.0.1", "203.0.113.1", "203.0.113.1"],
  [["10.0.0.0/8"], "::ffff:10.0.0.1", "203.0.113.1", "203.0.113.1"],
  // Clients can forge every entry before the first untrusted address from the end.
  [["10.0.0.0/8"], "10.0.0.1", "198.51.100.7, 203.0.113.1, 10.0.0.2", "203.0.113.1"],
  [["10.0.0.0/8"], "192.0.2.1", "203.0.113.1", "192.0.2.1"],
  [["10.0.0.0/8"], "10.0.0.1", "203.0.113.1, nonsense", "10.0.0.1"],
  [["10.0.0.0/8"], "10.0.0.1", "", "10.0.0.1"],
  [["10.0.0.0/8"], "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  [["fd00::/8"], "fd00::1", "[2001:db8:1:2:3::4]:5678", "2001:db8:1:0::/56"],
  [["::1", "127.0.0.1"], "::1", "203.0.113.1:9000", "203.0.113.1"],
])("I01: of proxies %j, %s with '%s' is %s", (proxies, socket, forwarded, client) => {
  expect(createAddressOf(proxies)(request(socket, forwarded))).toBe(client);
});

test("returns no address for a call that came over no network", () => {
  expect(createAddressOf(["10.0.0.1"])(request(undefined, "203.0.113.1"))).toBeUndefined();
});

test.each(["proxy.example.com", "10.0.0.0/33", "10.0.0.0/", ""])("rejects '%s' at start", (proxy) => {
  expect(() => createAddressOf([proxy])).toThrow("is not a valid IP address or network");
});
