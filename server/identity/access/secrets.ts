import { hash, randomBytes } from 'node:crypto'

/** Creates an unguessable secret: 32 random bytes, safe to use in URLs. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** Hashes a secret for storage. With 256 random bits, a plain hash cannot be reversed. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')
