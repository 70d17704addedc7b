import { sql } from 'kysely'
import { z } from 'zod'
import { isLocale, isTimeZone } from '../domain/locales.ts'
import { SYSTEM_ADMIN } from '../domain/permissions.ts'
import { itemPrefix } from '../engine/bulk-errors.ts'
import type { Context, Item } from '../engine/context.ts'
import { badRequest, conflict } from '../engine/errors.ts'
import { bool, computed, name, refs, string, text, timestamp } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'
import type { SignedIn } from './access/callers.ts'
import { guarded, refuseWiderSight } from './access/grants.ts'
import { changingCallers } from './changing-callers.ts'
import { readAccountPolicy } from './sign-in/account-policy.ts'
import { brokenRules, hashPassword } from './sign-in/passwords.ts'
import { endSessions } from './sign-in/sessions.ts'

const email = string(0, 320).refine(
  (value) => value === '' || z.email().safeParse(value).success,
  'must be an e-mail address',
)
const locale = string(1, 100).refine(isLocale, 'must be a language tag such as en-GB')
const timezone = string(1, 100).refine(isTimeZone, 'must be a time zone identifier such as Europe/Amsterdam')

export const users = defineResource({
  collection: 'users',
  title: 'User',
  doc: 'A person or program that signs in.',
  key: ['username'],
  fields: {
    username: name(),
    email: text().accepts(email).default(''),
    firstname: text(0, 500).default(''),
    lastname: text(0, 500).default(''),
    locale: text().accepts(locale).default('en'),
    timezone: text().accepts(timezone).default('UTC'),
    is_active: bool().default(true).describe('Inactive users cannot do anything.'),
    is_admin: computed(
      'boolean',
      z.boolean(),
      `exists (
        select from role_users as l join roles as r on r.id = l.source
        where l.target = t.id and r.name = '${SYSTEM_ADMIN}' and r.is_system)`,
    ),
    is_locked: bool().default(false).guardedBy('lock/unlock users').describe('Locked users cannot sign in.'),
    password: text()
      .nullable()
      .writeOnly()
      .describe('Write-only. Without a password, the user cannot sign in with one.'),
    must_change_password: bool()
      .default(false)
      .describe('Whether the user must choose a new password at the next sign-in.'),
    groups: refs('groups', 'group_users', { inverse: true }).linkable().guardedBy('modify user-groups'),
    roles: refs('roles', 'role_users', { inverse: true }).linkable().guardedBy('modify user-roles'),
    permissions: refs('permissions', 'user_permissions').readOnly(),
    two_factor_enabled: computed('boolean', z.boolean(), 't.totp_secret is not null'),
    last_login_at: timestamp().nullable().readOnly(),
    ...stamps,
  },
  example: { username: 'ada', email: 'ada@example.org', firstname: 'Ada', lastname: 'Lovelace' },
  routes: changingCallers,
  operations: {
    ...standard,
    create: async (ctx, resource, item) => {
      const [hashed = item] = await withHashes(ctx, [item])
      return guarded(
        ctx,
        () => [],
        () => standard.create(ctx, resource, hashed),
      )
    },
    upsert: async (ctx, resource, items) => {
      const hashed = await withHashes(ctx, items)
      const usernames = items.map(({ username }) => username)
      return guarded(
        ctx,
        () => idsOf(ctx, usernames),
        async () => {
          await refuseCredentialChange(ctx, items)
          const result = await standard.upsert(ctx, resource, hashed)
          const ids = new Map(result.rows.map(({ id, username }) => [username, Number(id)]))
          await applyConsequences(
            ctx,
            items.map((item) => [ids.get(item.username) ?? 0, item]),
          )
          return result
        },
      )
    },
    update: async (ctx, resource, id, patch) => {
      const [hashed = patch] = await withHashes(ctx, [patch])
      return guarded(
        ctx,
        () => [Number(id)],
        async () => {
          await refuseCredentialChange(ctx, [{ ...patch, id: Number(id) }])
          const row = await standard.update(ctx, resource, id, hashed)
          await applyConsequences(ctx, [[Number(id), patch]])
          return row
        },
      )
    },
    remove: (ctx, resource, ids) => {
      if (ids.includes(ctx.caller.id)) throw conflict('Users cannot delete themselves.')
      return guarded(
        ctx,
        () => ids.map(Number),
        () => standard.remove(ctx, resource, ids),
      )
    },
    link: (ctx, resource, id, field, links) =>
      guarded(
        ctx,
        () => [Number(id)],
        () => standard.link(ctx, resource, id, field, links),
      ),
    unlink: (ctx, resource, id, field, target) =>
      guarded(
        ctx,
        () => [Number(id)],
        () => standard.unlink(ctx, resource, id, field, target),
      ),
  },
})

/** Replaces passwords by their hashes, or rejects all weak passwords in one error. */
async function withHashes<T extends { password?: string | null | undefined }>(ctx: Context, items: T[]): Promise<T[]> {
  if (items.every(({ password }) => typeof password !== 'string')) return items
  const policy = await readAccountPolicy(ctx.db)
  const faults = items.flatMap(({ password }, i) =>
    typeof password === 'string' ? brokenRules(policy, `${itemPrefix(items, i)}password`, password) : [],
  )
  if (faults.length > 0) throw badRequest(faults)
  return Promise.all(
    items.map(async (item) =>
      typeof item.password === 'string' ? { ...item, password: await hashPassword(item.password) } : item,
    ),
  )
}

async function idsOf({ db }: Context, usernames: string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users where username = any(${usernames}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Refuses changes to the credentials of an account that sees more than the caller: its password, its username, and
 * the e-mail address that receives password reset links. Checked before the write, because the write itself may
 * remove groups from the user.
 */
async function refuseCredentialChange(ctx: Context, items: readonly Item[]): Promise<void> {
  const sent = items.map(({ id, username, email, password }) => ({
    id,
    username,
    email: email === null ? '' : email,
    has_password: password !== undefined,
  }))
  const { rows } = await sql<{ id: number }>`
    select t.id
    from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb)
      as i(id integer, username text, email text, has_password boolean)
    join users as t on t.id = i.id or (i.id is null and t.username = i.username)
    where i.has_password or i.email <> t.email or i.username <> t.username`.execute(ctx.db)
  await refuseWiderSight(
    ctx,
    rows.map(({ id }) => id),
  )
}

/**
 * Applies the consequences of a change: a new password or deactivation ends sessions, unlocking clears failed
 * attempts.
 */
async function applyConsequences(ctx: Context, changes: [id: number, item: Item][]): Promise<void> {
  const idsWhere = (applies: (item: Item) => boolean) => changes.filter(([, item]) => applies(item)).map(([id]) => id)
  const ended = idsWhere(({ password, is_active }) => password !== undefined || is_active === false)
  const unlocked = idsWhere(({ is_locked }) => is_locked === false)
  if (ended.length > 0) await endSessions(ctx.db, ended, (ctx.caller as SignedIn).session?.id)
  if (unlocked.length > 0) {
    await sql`
      update users set failed_attempts = 0, suspended_until = null
      where id = any(${unlocked}::integer[])`.execute(ctx.db)
  }
}
