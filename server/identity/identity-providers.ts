import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { isBaseAddress } from '../domain/web-address.ts'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import { notFound } from '../engine/errors.ts'
import { bool, name, refs, secret, string, strings, text } from '../engine/field.ts'
import { parseId } from '../engine/reference.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { secretString } from '../settings/values.ts'
import { grantChecked } from './grant-checked.ts'
import { examineProvider } from './openid/examine.ts'
import { loadProvider, redirectUri } from './openid/providers.ts'

const issuer = string(1, 2000)
  .refine(isBaseAddress, 'must be an http or https URL without a password, query or fragment')
  .refine((url) => !url.includes('/.well-known/'), 'must be the issuer itself, not the URL of its discovery document')
const scope = string(1, 200).regex(/^[!#-[\]-~]+$/, 'must be a scope: letters, digits and symbols without spaces')
const scopes = z
  .array(scope)
  .max(50)
  .refine((all) => all.includes('openid'), "must include 'openid'")

export const identityProviders = defineResource({
  collection: 'identity_providers',
  title: 'Identity provider',
  doc: 'An OpenID Connect provider that users can sign in with.',
  key: ['name'],
  permission: 'configurations',
  fields: {
    name: name().describe('The name shown on the sign-in page.'),
    issuer: text().accepts(issuer).required().describe("The issuer URL, exactly as in the provider's metadata."),
    client_id: text(1, 500).required(),
    client_secret: secret()
      .accepts(
        secretString()
          .transform((sent) => (sent === '' ? null : sent))
          .nullable(),
      )
      .boundTo('issuer')
      .describe('Must be sent again when the issuer moves to another host.'),
    scopes: strings().accepts(scopes).default(['openid', 'profile', 'email']),
    is_enabled: bool().default(false).describe('Whether users can sign in with this provider.'),
    username_claim: text(1, 500)
      .default('preferred_username')
      .describe('The claim that provides the username of new users.'),
    second_factor_values: strings()
      .accepts(z.array(string(1, 500)).max(50))
      .default(['mfa'])
      .describe('Values of the `amr` or `acr` claim that count as a second factor.'),
    creates_users: bool()
      .default(false)
      .describe('Whether an account is created at the first sign-in of an unknown user.'),
    default_groups: refs('groups', 'identity_provider_groups').guardedBy('modify user-groups'),
    default_roles: refs('roles', 'identity_provider_roles').guardedBy('modify user-roles'),
    removes_memberships: bool()
      .default(true)
      .describe('Whether a group or role granted by a mapping is revoked at the next sign-in without the claim.'),
    ...stamps,
  },
  example: { name: 'Staff login', issuer: 'https://login.example.org', client_id: 'corvus', client_secret: 'a secret' },
  operations: grantChecked((ids) => ({
    roles: grantedIds('identity_provider_roles', 'identity_provider_mapping_roles', ids),
    groups: grantedIds('identity_provider_groups', 'identity_provider_mapping_groups', ids),
  })),
  routes: (standard) => [
    defineAction({
      name: 'test_identity_providers',
      doc: 'Test whether users could sign in with an identity provider, even if it is disabled',
      tag: 'identity_providers',
      method: 'POST',
      path: '/identity-providers/:id/test',
      permission: 'modify configurations',
      // The provider may respond slowly.
      isDetached: true,
      result: z.object({
        is_working: z.boolean(),
        problems: z.array(z.string()),
        has_sign_out: z.boolean(),
        redirect_uri: z.url().describe('The redirect URI to register with the provider.'),
      }),
      refusals: [404],
      run: (ctx, _, { params }) => test(ctx, params.id ?? ''),
    }),
    ...standard,
  ],
})

/** The groups or roles that these providers grant to new users, and those that these mappings grant. */
const grantedIds = (own: string, mapped: string, ids: readonly number[]): RawBuilder<unknown> => sql`
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
