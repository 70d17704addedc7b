import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PERIOD = 30
const RECOVERY_CODES = 10

/** A parsed code: a time step, which must be newer than the last one used, or the hash of a recovery code. */
export type Factor = { readonly step: number } | { readonly recoveryCode: string }

/** Creates a secret for an authenticator app, in base32 so that users can type it. */
export const makeTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The URI that authenticator apps read from a QR code. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: PERIOD }).toString()

/** The time step that a code matches, allowing one step early or late; undefined if the code is wrong. */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD })
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta
}

/** Parses a code of the authenticator app or a recovery code; undefined if it is neither. */
export function readFactor(secret: string, recoveryCodes: readonly string[], code: string): Factor | undefined {
  const text = code.replaceAll(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(text)) {
    const step = stepOf(secret, text)
    return step === undefined ? undefined : { step }
  }
  const recoveryCode = hashRecoveryCode(text)
  return recoveryCodes.includes(recoveryCode) ? { recoveryCode } : undefined
}

/** Creates single-use recovery codes: in plain text to show once, and as hashes to store. */
export function makeRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const plain = Array.from({ length: RECOVERY_CODES }, () => new Secret({ buffer: random(10) }).base32.toLowerCase())
  const codes = plain.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
  return { codes, hashes: plain.map(hashRecoveryCode) }
}

/** With 80 random bits, a plain hash cannot be reversed. */
const hashRecoveryCode = (code: string): string => createHash('sha256').update(code).digest('hex')

const random = (size: number): ArrayBuffer => Uint8Array.from(randomBytes(size)).buffer
