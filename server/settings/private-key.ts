import { z } from 'zod'
import { makePrivateKey, type OwnKey, readPrivateKey } from '../domain/openpgp.ts'
import { defineAction } from '../engine/action.ts'
import { badRequest, conflict } from '../engine/errors.ts'
import { PASS_THROUGH } from '../engine/field-class.ts'
import type { Route } from '../engine/route.ts'
import { defineSetting, shown, shownSchema, store } from './setting.ts'
import { mailAddress, secretText } from './values.ts'

const MAX_KEY_LENGTH = 100_000
const TOO_LONG = 'must be an armored OpenPGP private key of at most 100,000 characters'

/** Details of the key, determined when it is set. */
const details = z.object({
  keyid: z.string().nullable().default(null),
  fingerprint: z.string().nullable().default(null),
  user_ids: z.array(z.string()).default([]),
  expires_at: z.string().nullable().default(null),
  public_key: z.string().nullable().default(null).describe('The public key.'),
})

/** The OpenPGP key that the installation signs with. */
export const privateKey = defineSetting({
  name: 'private-key',
  doc: 'the OpenPGP key that the installation signs with',
  schema: z.object({
    key: z.string({ error: TOO_LONG }).max(MAX_KEY_LENGTH, { error: TOO_LONG }).nullable().default(null),
    passphrase: secretText().describe('Unlocks the key in the same request; not stored.'),
  }),
  secrets: ['key'],
  writeOnly: ['passphrase'],
  readOnly: details,
  toStored: async (_, { key, passphrase }, current) => {
    if (!key) return { key: null }
    // Kept as is: its details were determined earlier.
    if (key === PASS_THROUGH) return current.key ? { ...details.parse(current), key } : { key: null }
    const read = await readPrivateKey(key, passphrase)
    if ('fault' in read) throw badRequest(`data.${read.field}: ${read.fault}`)
    return { ...read }
  },
})

const generate = defineAction({
  name: 'generate_configuration_private_key',
  doc: 'Configuration: generate the OpenPGP key that the installation signs with, if there is none',
  tag: 'configurations',
  method: 'POST',
  changesCallers: true,
  path: '/configurations/private-key/generate',
  permission: 'modify configurations',
  body: z.object({
    name: z
      .string()
      .trim()
      .regex(/^[^<>()\p{Cc}]{1,200}$/u, {
        error: 'must have 1 to 200 characters, without angle brackets and line breaks',
      }),
    email: mailAddress(),
    lifetime_days: z.int().min(1).max(36_500).nullable().default(null).describe('Null means the key never expires.'),
  }),
  example: { name: 'Threat intelligence team', email: 'team@example.org', lifetime_days: 730 },
  result: shownSchema(privateKey),
  status: 201,
  refusals: [409],
  run: async (ctx, { name, email, lifetime_days }) => {
    const made: OwnKey = await makePrivateKey(name, email, lifetime_days)
    const stored = await store(ctx, privateKey, (current) => {
      if (current.key) throw conflict('A private key is already set. Set it to null first.')
      return { key: made.key }
    })
    return shown(privateKey, stored)
  },
})

/** Generating a key. */
export const privateKeyRoutes: readonly Route[] = [generate]
