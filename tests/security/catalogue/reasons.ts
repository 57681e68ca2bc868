/** Cases, or parts of them, that have nothing to attack here, with the reason. */
export const REASONS: Readonly<Record<string, string>> = {
  H18: "There is no login: passwords are the authorization server's or the host's. A key has 256 bits, a token a signature.",
};
