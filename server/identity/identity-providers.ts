import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { isBaseAddress } from '../domain/web-address.ts'
import { defineAction } from '../engine/action.ts'
import { notFound } from '../engine/errors.ts'
import { bool, name, refs, secret, string, strings, text } from '../engine/field.ts'
import { parseId } from '../engine/reference.ts'
import { type Context, defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { secretString } from '../settings/values.ts'
import { heldByWriter } from './held-by-writer.ts'
import { examineProvider } from './openid/examine.ts'
import { loadProvider, redirectUri } from './openid/providers.ts'

const issuer = string(1, 2000)
  .refine(isBaseAddress, 'must be an http or https address without a password, a query or a fragment')
  .refine((url) => !url.includes('/.well-known/'), 'must be the issuer itself, not the address of its configuration')
const scope = string(1, 200).regex(/^[!#-[\]-~]+$/, 'must be a scope: letters, digits and signs without spaces')
const scopes = z
  .array(scope)
  .max(50)
  .refine((all) => all.includes('openid'), "must have 'openid' among them")

export const identityProviders = defineResource({
  collection: 'identity_providers',
  title: 'Identity provider',
  doc: 'An OpenID provider through which people sign in.',
  key: ['name'],
  permission: 'configurations',
  fields: {
    name: name().describe('What the sign-in page calls it.'),
    issuer: text().accepts(issuer).required().describe('Exactly as the provider calls itself.'),
    client_id: text(1, 500).required(),
    client_secret: secret()
      .accepts(
        secretString()
          .transform((sent) => (sent === '' ? null : sent))
          .nullable(),
      )
      .boundTo('issuer')
      .describe('Must be given again when the issuer moves to another server.'),
    scopes: strings().accepts(scopes).default(['openid', 'profile', 'email']),
    is_enabled: bool().default(false).describe('Whether people can sign in through it.'),
    username_claim: text(1, 500).default('preferred_username').describe('What new users are called by.'),
    second_factor_values: strings()
      .accepts(z.array(string(1, 500)).max(50))
      .default(['mfa'])
      .describe('Values of `amr` or `acr` in its tokens that stand for a second factor.'),
    creates_users: bool().default(false).describe('Whether people whom nobody knows yet get an account.'),
    default_groups: refs('groups', 'identity_provider_groups').guardedBy('modify user-groups'),
    default_roles: refs('roles', 'identity_provider_roles').guardedBy('modify user-roles'),
    removes_memberships: bool()
      .default(true)
      .describe('Whether what a mapping gave is taken back at the next sign-in without the claim.'),
    ...stamps,
  },
  example: { name: 'Staff login', issuer: 'https://login.example.org', client_id: 'corvus', client_secret: 'a secret' },
  operations: heldByWriter((ids) => ({
    roles: gifts('identity_provider_roles', 'identity_provider_mapping_roles', ids),
    groups: gifts('identity_provider_groups', 'identity_provider_mapping_groups', ids),
  })),
  routes: [
    defineAction({
      name: 'test_identity_providers',
      doc: 'Ask an identity provider whether people could sign in through it, enabled or not',
      tag: 'identity_providers',
      method: 'POST',
      path: '/identity-providers/:id/test',
      permission: 'modify configurations',
      // The provider may take its time.
      isDetached: true,
      result: z.object({
        is_working: z.boolean(),
        problems: z.array(z.string()),
        has_sign_out: z.boolean(),
        redirect_uri: z.url().describe('What the provider must know as an address to send people back to.'),
      }),
      refusals: [404],
      run: (ctx, _, { params }) => test(ctx, params.id ?? ''),
    }),
  ],
})

/** What new users get from these providers, and what the mappings of these give. */
const gifts = (own: string, mapped: string, ids: readonly number[]): RawBuilder<unknown> => sql`
  select target from ${sql.table(own)} where source = any(${ids}::integer[])
  union
  select l.target
  from ${sql.table(mapped)} as l join identity_provider_mappings as m on m.id = l.source
  where m.identity_provider = any(${ids}::integer[])`

async function test(ctx: Context, given: string) {
  const id = parseId('integer', given)
  const provider = id === undefined ? undefined : await loadProvider(ctx, Number(id))
  if (!provider) throw notFound(given)
  const redirect_uri = redirectUri(ctx)
  return { ...(await examineProvider(ctx, provider, redirect_uri)), redirect_uri }
}
