import { z } from 'zod'
import { type KeyDetails, readPublicKey } from '../domain/openpgp.ts'
import { badRequest } from '../engine/errors.ts'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'

const MAX_KEY_LENGTH = 100_000
const MAX_KEYS = 100

const details = z.object({
  keyid: z.string(),
  fingerprint: z.string(),
  user_ids: z.array(z.string()),
  expires_at: z.string().nullable(),
})

/** The OpenPGP public keys of third parties, for verifying signatures. */
export const publicKeys = defineSetting({
  name: 'public-keys',
  doc: 'the OpenPGP public keys of third parties',
  schema: z.object({
    keys: z.array(string(1, MAX_KEY_LENGTH)).max(MAX_KEYS).default([]).describe('Armored public keys.'),
  }),
  readOnly: z.object({ details: z.array(details).default([]).describe('Details of each key, in the same order.') }),
  toStored: async (_, { keys }) => {
    const read = await Promise.all(keys.map(readPublicKey))
    const found = read.map((key) => (typeof key === 'object' ? key : undefined))
    const faults = read.flatMap((key, i) => {
      const fault = key === 'private' ? 'must not be a private key' : key ? twinOf(found, i) : NO_KEY
      return fault ? [`data.keys[${i}]: ${fault}`] : []
    })
    if (faults.length > 0) throw badRequest(faults)
    const known = found.flatMap((key) => key ?? [])
    return { keys: known.map(({ armored }) => armored), details: known.map((key) => details.parse(key)) }
  },
})

const NO_KEY = 'must be one armored OpenPGP public key'

function twinOf(keys: readonly (KeyDetails | undefined)[], i: number): string | undefined {
  const first = keys.findIndex((key) => key?.fingerprint === keys[i]?.fingerprint)
  return first < i ? `is the same key as keys[${first}]` : undefined
}
