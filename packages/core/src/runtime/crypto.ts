export {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
  randomFillSync,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";
