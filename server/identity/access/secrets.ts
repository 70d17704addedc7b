import { hash, randomBytes } from 'node:crypto'

/** A secret that nobody can guess: 32 random bytes in letters that are safe in a URL. */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** What is stored of a secret. It has 256 random bits, so a plain hash cannot be turned back. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')
