import { z } from 'zod'
import { makePrivateKey, type OwnKey, readPrivateKey } from '../domain/openpgp.ts'
import { defineAction } from '../engine/action.ts'
import { badRequest, conflict } from '../engine/errors.ts'
import { PASS_THROUGH } from '../engine/field.ts'
import type { Route } from '../engine/route.ts'
import { defineSetting, shown, shownSchema, store } from './setting.ts'
import { mailAddress, secretText } from './values.ts'

const LONGEST = 100_000
const TOO_LONG = 'must be an armored OpenPGP private key of at most 100,000 characters'

/** What is known of the key; it is found out when the key is set. */
const details = z.object({
  keyid: z.string().nullable().default(null),
  fingerprint: z.string().nullable().default(null),
  user_ids: z.array(z.string()).default([]),
  expires_at: z.string().nullable().default(null),
  public_key: z.string().nullable().default(null).describe('The part that others may have.'),
})

/** The OpenPGP key with which the installation signs. */
export const privateKey = defineSetting({
  name: 'private-key',
  doc: 'the OpenPGP key with which the installation signs',
  schema: z.object({
    key: z.string({ error: TOO_LONG }).max(LONGEST, { error: TOO_LONG }).nullable().default(null),
    passphrase: secretText().describe('Unlocks the key that comes with it; it is not stored.'),
  }),
  secrets: ['key'],
  writeOnly: ['passphrase'],
  readOnly: details,
  settle: async (_, { key, passphrase }, current) => {
    if (!key) return { key: null }
    // As it is: what is known of it was found out before.
    if (key === PASS_THROUGH) return current.key ? { ...details.parse(current), key } : { key: null }
    const read = await readPrivateKey(key, passphrase)
    if ('fault' in read) throw badRequest(`data.${read.field}: ${read.fault}`)
    return { ...read }
  },
})

const generate = defineAction({
  name: 'generate_configuration_private_key',
  doc: 'Configuration: make the OpenPGP key with which the installation signs, where there is none',
  tag: 'configurations',
  method: 'POST',
  changesCallers: true,
  path: '/configurations/private-key/generate',
  permission: 'modify configurations',
  body: z.object({
    name: z
      .string()
      .trim()
      .regex(/^[^<>()\p{Cc}]{1,200}$/u, { error: 'must have 1 to 200 characters, without brackets and line breaks' }),
    email: mailAddress(),
    lifetime_days: z.int().min(1).max(36_500).nullable().default(null).describe('Null is for ever.'),
  }),
  example: { name: 'Threat intelligence team', email: 'team@example.org', lifetime_days: 730 },
  result: shownSchema(privateKey),
  status: 201,
  refusals: [409],
  run: async (ctx, { name, email, lifetime_days }) => {
    const made: OwnKey = await makePrivateKey(name, email, lifetime_days)
    const stored = await store(ctx, privateKey, (current) => {
      if (current.key) throw conflict('There is a private key already: set it to null first.')
      return { key: made.key }
    })
    return shown(privateKey, stored)
  },
})

/** Beside reading and setting it: making a key. */
export const privateKeyRoutes: readonly Route[] = [generate]
