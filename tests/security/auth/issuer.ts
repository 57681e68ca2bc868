import { exportJWK, generateKeyPair, type JWK, type CryptoKey } from "jose";
import { KeyObject, sign as signBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Headers and claims of a token. `undefined` removes a default one. */
export interface Written {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The complete payload, as it is signed. */
  readonly payload?: string;
}

export interface KeyPair {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK & { readonly kty: string };
}

export async function createKey(kid: string, alg = "ES256"): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } as KeyPair["jwk"] };
}

export const seconds = (): number => Math.floor(Date.now() / 1_000);

/** Signs any claims, as a misconfigured or hostile issuer would. */
export async function sign(
  { kid, alg, privateKey }: Pick<KeyPair, "kid" | "alg" | "privateKey">,
  issuer: string,
  { header = {}, claims = {}, payload }: Written = {},
): Promise<string> {
  const good = { iss: issuer, aud: "https://api.example.com", sub: "ann", iat: seconds(), exp: seconds() + 300 };
  const parts = [
    JSON.stringify({ alg, kid, typ: "at+jwt", ...header }),
    payload ?? JSON.stringify({ ...good, ...claims }),
  ];
  const text = parts.map((part) => Buffer.from(part).toString("base64url")).join(".");
  const key = { key: KeyObject.from(privateKey), dsaEncoding: "ieee-p1363" } as const;
  return `${text}.${signBytes(`sha${alg.slice(-3)}`, Buffer.from(text), key).toString("base64url")}`;
}

/** A token with hand-written parts. */
export function assemble(header: unknown, claims: unknown, signature = ""): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode(header)}.${encode(claims)}.${signature}`;
}

/** Starts a server on loopback that records its requests. You can replace `answer`. */
export async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const state = { answer, asked: [] as string[] };
  const server = createServer((request, response) => {
    state.asked.push(request.url ?? "");
    state.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(state, { url, close });
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(typeof value === "string" ? value : JSON.stringify(value));
}
