import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { parseTimestamp } from '../server/domain/timestamp.ts'
import { createToken, listTokens, revokeToken } from '../server/identity/access/tokens.ts'
import { hashPassword } from '../server/identity/sign-in/passwords.ts'
import { users } from '../server/identity/users.ts'
import { asAdministrator, type Installation, withInstallation } from './installation.ts'
import { Refusal } from './refusal.ts'

interface NewUser {
  readonly email?: string
  readonly role: readonly string[]
  readonly group: readonly string[]
  readonly passwordStdin?: boolean
}

/** Creates a user. Without a given password, the user gets one that they must change. */
export function createUser(username: string, options: NewUser): Promise<Record<string, unknown>> {
  return withInstallation(async (installation) => {
    const given = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
    const password = given ?? oneTimePassword()
    const roles = await idsOf(installation, 'roles', options.role)
    const groups = await idsOf(installation, 'groups', options.group)
    const id = await asAdministrator(installation, async (ctx) => {
      const made = await users.operations.create?.(ctx, users, {
        username,
        email: options.email ?? '',
        password,
        roles: roles.map((role) => ({ id: role })),
        groups: groups.map((group) => ({ id: group })),
      })
      const { id } = made as { id: number }
      if (given === undefined) await sql`update users set must_change_password = true where id = ${id}`.execute(ctx.db)
      return id
    })
    return { id, username, ...(given === undefined && { one_time_password: password }) }
  })
}

/** Gives a user a new one-time password, unlocks them, and ends their sessions. */
export function resetPassword(username: string): Promise<Record<string, unknown>> {
  return withInstallation(async (installation) => {
    const password = oneTimePassword()
    const hash = await hashPassword(password)
    await change(
      installation,
      username,
      sql`
      password = ${hash}, must_change_password = true, is_locked = false, failed_attempts = 0, suspended_until = null`,
    )
    return { username, one_time_password: password }
  })
}

/** Unlocks a user after too many wrong passwords. */
export function unlock(username: string): Promise<void> {
  return withInstallation((installation) =>
    change(installation, username, sql`is_locked = false, failed_attempts = 0, suspended_until = null`),
  )
}

/** Creates an API token for a user. */
export function makeToken(username: string, name: string, expires: string | undefined): Promise<string> {
  return withInstallation(async (installation) => {
    const expiresAt = expires === undefined ? null : parseTimestamp(expires)
    if (expiresAt === undefined) throw new Refusal(`'${expires}' is not a time such as 2027-01-31.`)
    const { token } = await createToken(installation.db, await userId(installation, username), { name, expiresAt })
    return token
  })
}

/** The tokens of a user. */
export function tokensOf(username: string): Promise<Record<string, unknown>[]> {
  return withInstallation(async (installation) => {
    const tokens = await listTokens(installation.db, await userId(installation, username))
    return tokens.map((token) => ({ ...token }))
  })
}

/** Revokes a token of a user by id or name. */
export function revoke(username: string, which: string): Promise<void> {
  return withInstallation(async (installation) => {
    const user = await userId(installation, username)
    const tokens = await listTokens(installation.db, user)
    const token = tokens.find(({ id, name }) => String(id) === which || name === which)
    if (!token) throw new Refusal(`${username} has no token '${which}'.`)
    await revokeToken(installation.db, user, token.id)
  })
}

const oneTimePassword = (): string => `${randomBytes(12).toString('base64url')}-Aa1`

async function change({ db }: Installation, username: string, assignments: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql`
    with changed as (
      update users set ${assignments}, last_updated_at = now() where username = ${username} returning id
    ), ended as (
      delete from sessions using changed where sessions.user_id = changed.id
    ), forgotten as (
      delete from password_resets using changed where password_resets.user_id = changed.id
    ), logged as (
      insert into changes (resource, kind, ids) select 'users', 'update', array[id::text] from changed
    )
    select id from changed`.execute(db)
  if (rows.length === 0) throw new Refusal(`There is no user '${username}'.`)
}

async function userId({ db }: Installation, username: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from users where username = ${username}`.execute(db)
  if (!rows[0]) throw new Refusal(`There is no user '${username}'.`)
  return rows[0].id
}

async function idsOf({ db }: Installation, table: 'roles' | 'groups', names: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from ${sql.table(table)} where name = any(${names}::text[])`.execute(db)
  const missing = names.find((name) => !rows.some((row) => row.name === name))
  if (missing !== undefined) throw new Refusal(`There is no '${missing}' in ${table}.`)
  return rows.map(({ id }) => id)
}
