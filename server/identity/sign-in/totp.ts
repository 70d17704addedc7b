import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PERIOD = 30
const RECOVERY_CODES = 10

/** A code, understood: a time step that must be newer than the last one used, or the hash of a recovery code. */
export type Factor = { readonly step: number } | { readonly recoveryCode: string }

/** A new secret for an authenticator app, in the letters that people type. */
export const makeTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The address that authenticator apps read from a QR code. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: PERIOD }).toString()

/** The time step that a code is right for, one step early or late included; undefined when it is wrong. */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD })
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta
}

/** Reads a code of an authenticator app or a recovery code; undefined when it is neither. */
export function readFactor(secret: string, recoveryCodes: readonly string[], code: string): Factor | undefined {
  const text = code.replaceAll(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(text)) {
    const step = stepOf(secret, text)
    return step === undefined ? undefined : { step }
  }
  const recoveryCode = hashRecoveryCode(text)
  return recoveryCodes.includes(recoveryCode) ? { recoveryCode } : undefined
}

/** New recovery codes, each good for one sign-in: to show once, and as they are stored. */
export function makeRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const plain = Array.from({ length: RECOVERY_CODES }, () => new Secret({ buffer: random(10) }).base32.toLowerCase())
  const codes = plain.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
  return { codes, hashes: plain.map(hashRecoveryCode) }
}

/** 80 random bits: a plain hash cannot be turned back. */
const hashRecoveryCode = (code: string): string => createHash('sha256').update(code).digest('hex')

const random = (size: number): ArrayBuffer => Uint8Array.from(randomBytes(size)).buffer
