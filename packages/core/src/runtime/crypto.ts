export {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";
