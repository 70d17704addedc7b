import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import { hashSecret, makeSecret } from './secrets.ts'

/** An API token as its owner sees it. The secret itself is shown once, at creation. */
export interface Token {
  readonly id: number
  readonly name: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly created_at: string
}

const SHOWN = sql`id, name, expires_at, last_used_at, created_at`

/** The format of every token, so that anything else is rejected without a query. */
export const TOKEN_FORM = /^cvs_[\w-]{43}$/

/** Creates an API token for a user. A duplicate name is a conflict. */
export async function createToken(
  db: Kysely<unknown>,
  userId: number,
  { name, expiresAt = null }: { name: string; expiresAt?: string | null },
): Promise<Token & { token: string }> {
  const token = `cvs_${makeSecret()}`
  const { rows } = await sql<Token>`
    insert into tokens (user_id, name, hash, expires_at)
    values (${userId}, ${name}, ${hashSecret(token)}, ${expiresAt}::timestamptz)
    returning ${SHOWN}`.execute(db)
  if (!rows[0]) throw new TypeError('The token was not stored.')
  return { ...rows[0], token }
}

/** The tokens of a user, in order of creation. */
export async function listTokens(db: Kysely<unknown>, userId: number): Promise<Token[]> {
  const { rows } = await sql<Token>`select ${SHOWN} from tokens where user_id = ${userId} order by id`.execute(db)
  return rows
}

/** Revokes a token with effect from the next request. */
export async function revokeToken(db: Kysely<unknown>, userId: number, id: number): Promise<void> {
  const { rows } = await sql`delete from tokens where id = ${id} and user_id = ${userId} returning id`.execute(db)
  if (rows.length === 0) throw notFound(id)
}
