import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Provider } from './provider.ts'

/** An identity provider with its settings. */
export interface IdentityProvider extends Provider {
  readonly id: number
  readonly name: string
  readonly scopes: readonly string[]
  readonly is_enabled: boolean
  readonly username_claim: string
  readonly second_factor_values: readonly string[]
  readonly creates_users: boolean
  readonly removes_memberships: boolean
}

/** The redirect URI for providers. */
export const redirectUri = ({ baseUrl }: Pick<Context, 'baseUrl'>): string => `${baseUrl}/api/v2/session/oidc/callback`

/** Loads a provider by id, enabled or not. */
export async function loadProvider({ db }: Pick<Context, 'db'>, id: number): Promise<IdentityProvider | undefined> {
  const { rows } = await sql<IdentityProvider>`
    select id, name, issuer, client_id, client_secret, scopes, is_enabled, username_claim, second_factor_values,
      creates_users, removes_memberships
    from identity_providers
    where id = ${id}`.execute(db)
  return rows[0]
}

/** The enabled providers, as listed on the sign-in page. */
export async function listEnabled({ db }: Pick<Context, 'db'>): Promise<Pick<IdentityProvider, 'id' | 'name'>[]> {
  const { rows } = await sql<Pick<IdentityProvider, 'id' | 'name'>>`
    select id, name from identity_providers where is_enabled order by name`.execute(db)
  return rows
}
