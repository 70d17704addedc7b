import { sql } from 'kysely'
import { z } from 'zod'
import type { Context, Item } from '../../engine/context.ts'
import { standard } from '../../engine/standard.ts'
import { SignInFault } from '../openid/fault.ts'
import type { IdentityProvider } from '../openid/providers.ts'
import type { ProvenIdentity } from '../openid/sign-in.ts'
import { type Account, IS_OPEN } from '../sign-in/proof.ts'
import { userIdentities } from '../user-identities.ts'
import { users } from '../users.ts'
import { valuesOf } from './claims.ts'

/** An account, and the identity it was found by. */
export interface Identified extends Account {
  readonly identity: number
}

/** Finds the account of an identity by issuer and subject only, or creates one if the provider may do so. */
export async function accountOf(ctx: Context, provider: IdentityProvider, proven: ProvenIdentity): Promise<Identified> {
  const found = await find(ctx, proven)
  if (found && !found.is_open) throw new SignInFault('account_closed', 'The account is locked or inactive.')
  if (found) return found
  if (!provider.creates_users) throw new SignInFault('not_linked', 'No account is linked to this identity.')
  const id = await make(ctx, provider, proven)
  return { id, must_change_password: false, has_two_factor: false, identity: await link(ctx, id, proven) }
}

/** Links an identity to a user. Throws a 409 if it is already linked. */
export async function link(ctx: Context, user: number, { issuer, subject }: ProvenIdentity): Promise<number> {
  if (subject.length > 255) throw new SignInFault('invalid_answer', 'The subject is too long.')
  const { id } = await standard.create(ctx, userIdentities, { user, issuer, subject })
  return Number(id)
}

/** Finds the user that an identity is linked to. */
export async function ownerOf({ db }: Context, { issuer, subject }: ProvenIdentity): Promise<number | undefined> {
  const { rows } = await sql<{ user: number }>`
    select "user" from user_identities where issuer = ${issuer} and subject = ${subject}`.execute(db)
  return rows[0]?.user
}

async function find({ db }: Context, { issuer, subject }: ProvenIdentity) {
  const { rows } = await sql<Identified & { is_open: boolean }>`
    select u.id, u.must_change_password, u.totp_secret is not null as has_two_factor, ${IS_OPEN} as is_open,
      i.id as identity
    from user_identities as i join users as u on u.id = i."user"
    where i.issuer = ${issuer} and i.subject = ${subject}
    for no key update of u`.execute(db)
  return rows[0]
}

async function make(ctx: Context, provider: IdentityProvider, { claims, subject }: ProvenIdentity): Promise<number> {
  const { rows } = await sql<{ groups: number[]; roles: number[] }>`
    select array(select target from identity_provider_groups where source = ${provider.id}) as groups,
      array(select target from identity_provider_roles where source = ${provider.id}) as roles`.execute(ctx.db)
  const links = (ids: number[] = []) => ids.map((id) => ({ id }))
  const item: Item = {
    username: textIn(claims, provider.username_claim) || subject,
    email: z.email().max(320).safeParse(textIn(claims, 'email')).data ?? '',
    firstname: textIn(claims, 'given_name'),
    lastname: textIn(claims, 'family_name'),
    groups: links(rows[0]?.groups),
    roles: links(rows[0]?.roles),
  }
  const { id } = await standard.create(ctx, users, item)
  return Number(id)
}

/** Reads a claim as a name that can be stored. */
const textIn = (claims: Item, path: string): string =>
  (valuesOf(claims, path)[0] ?? '').replaceAll('\u0000', '').toWellFormed().trim().slice(0, 500)
