import { type Kysely, sql } from 'kysely'
import { insertMails, type Mail, openContent } from '../../mail/content.ts'
import { canHear } from '../../mail/readers.ts'
import type { Server } from '../../server.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { createPasswordResets, type PasswordReset } from '../access/accounts.ts'

/** A user is mailed at most one requested link within this time. */
const PAUSE_MINUTES = 15

/** The URL for setting a password. The secret follows the #, which keeps it out of the logs of servers on the way. */
export const resetUrl = (baseUrl: string, secret: string): string => `${baseUrl}/password-reset#${secret}`

/** Creates password links for these users and returns the mails that contain them. */
export async function passwordMails(
  db: Kysely<unknown>,
  kind: 'password-reset' | 'invitation',
  baseUrl: string,
  users: readonly { readonly id: number; readonly username: string }[],
): Promise<{ mails: Mail[]; resets: PasswordReset[] }> {
  const names = new Map(users.map(({ id, username }) => [id, username]))
  const { server_name } = await readSetting(db, serverSetting)
  const resets = await createPasswordResets(db, [...names.keys()])
  const mails = resets.map(({ user, secret, expires_at }): Mail => {
    const username = names.get(user) ?? ''
    const until = `${expires_at.slice(0, 16).replace('T', ' ')} UTC`
    const paragraphs = [
      kind === 'invitation'
        ? `You have an account on ${server_name}. Your username is ${username}.`
        : `A password reset was requested for your account ${username} on ${server_name}. If this was not you, ignore this mail.`,
      `Use this link to set your password. It works once, until ${until}:`,
      { url: resetUrl(baseUrl, secret) },
    ]
    const subject = kind === 'invitation' ? `Your account on ${server_name}` : `Reset your password for ${server_name}`
    return { kind, user, content: { letter: { subject, paragraphs } } }
  })
  return { mails, resets }
}

/**
 * Turns the password reset requests of a run into mails. This runs in the background, so that neither the response
 * nor its timing reveals which accounts exist.
 */
export async function mailRequestedLinks({ db: own, vault }: Server, run: string): Promise<void> {
  const db: Kysely<unknown> = own
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: number; content: string }>`
      select id, content from mails
      where task_run = ${run} and kind = 'password-reset-request' and content is not null
      order by id
      for update`.execute(trx)
    if (rows.length === 0) return
    const requests = rows.flatMap(({ content }) => {
      const opened = openContent({ vault }, content)
      return opened && 'asked' in opened ? [opened] : []
    })
    const users = await accountsOf(
      trx,
      requests.map(({ asked }) => asked),
    )
    const { mails } = await passwordMails(trx, 'password-reset', requests[0]?.publicUrl ?? '', users)
    await insertMails({ db: trx, vault }, run, mails)
    await sql`delete from mails where id = any(${rows.map(({ id }) => id)}::integer[])`.execute(trx)
  })
}

/** The accounts with these usernames or addresses that have a password and were not mailed a link recently. */
async function accountsOf(db: Kysely<unknown>, asked: readonly string[]): Promise<{ id: number; username: string }[]> {
  const addresses = asked.map((text) => text.toLowerCase())
  const { rows } = await sql<{ id: number; username: string }>`
    select u.id, u.username from users as u
    where ${canHear('u')} and u.password is not null
      and (u.username = any(${asked}::text[]) or lower(u.email) = any(${addresses}::text[]))
    order by u.id
    for no key update of u`.execute(db)
  // Two runs may do this concurrently: the one that waited for the lock sees the mails of the other here.
  const { rows: recent } = await sql<{ user: number }>`
    select distinct "user" from mails
    where "user" = any(${rows.map(({ id }) => id)}::integer[]) and kind = 'password-reset'
      and created_at > now() - make_interval(mins => ${PAUSE_MINUTES})`.execute(db)
  const spared = new Set(recent.map(({ user }) => user))
  return rows.filter(({ id }) => !spared.has(id))
}
