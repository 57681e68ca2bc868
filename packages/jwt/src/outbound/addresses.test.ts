import { expect, test } from "vitest";
import { isLoopback, isPublic } from "./addresses.ts";
import { checkUrl } from "./check-url.ts";

test.each([
  ["8.8.8.8", true],
  ["172.15.255.255", true],
  ["172.16.0.1", false],
  ["172.32.0.1", true],
  ["10.1.2.3", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["0.0.0.0", false],
  ["255.255.255.255", false],
  ["2606:4700:4700::1111", true],
  ["::1", false],
  ["::", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:7f00:1", false],
  ["::ffff:8.8.8.8", false],
  ["::127.0.0.1", false],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
  ["fe80::1", false],
  ["fd00::1", false],
  ["no address", false],
])("C16: isPublic(%s) returns %s", (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});

test.each([
  ["127.0.0.1", true],
  ["127.255.0.1", true],
  ["::1", true],
  ["128.0.0.1", false],
  ["::2", false],
])("C16: isLoopback(%s) returns %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "http://id.example.com/jwks",
  "http://10.0.0.1/jwks",
  "http://[::ffff:127.0.0.1]/jwks",
  "http://localhost.example.com/jwks",
  "file:///etc/passwd",
  "data:application/json,{}",
  "ftp://127.0.0.1/jwks",
  "https://user:password@id.example.com/jwks",
  "https://id.example.com/jwks#keys",
  "id.example.com/jwks",
  "",
])("C16: checkUrl rejects %s", (url) => {
  expect(() => checkUrl(url, "It")).toThrow("It must");
});

test.each([
  "https://id.example.com/jwks",
  "http://127.0.0.1:3000/jwks",
  "http://localhost/jwks",
  "http://[::1]:80/jwks",
  // `URL` normalizes these to 127.0.0.1.
  "http://2130706433/jwks",
  "http://0x7f.1/jwks",
])("checkUrl accepts %s", (url) => {
  expect(checkUrl(url, "It").href).toMatch(/^https?:/);
});
