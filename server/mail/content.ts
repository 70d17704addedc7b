import { type Kysely, sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import type { Letter } from './letter.ts'
import type { Kind } from './mails.ts'

/** A notification. */
export interface News {
  readonly text: string
  /** The page that shows it. */
  readonly url: string | null
}

/** The content of a row of mails: a letter, a notification that is combined with others, or a password request. */
export type Content =
  | { readonly letter: Letter }
  | { readonly news: readonly News[]; readonly total: number }
  | { readonly asked: string; readonly publicUrl: string }

/** A mail to send. */
export interface Mail {
  readonly kind: Kind
  readonly user: number | null
  readonly content: Content
}

/** Stores mails until a run sends them. */
export async function insertMails(
  { db, vault }: { readonly db: Kysely<unknown> } & Pick<Context, 'vault'>,
  run: string,
  mails: readonly Mail[],
): Promise<void> {
  const rows = mails.map(({ kind, user, content }) => ({ kind, user, content: vault.seal(JSON.stringify(content)) }))
  await sql`
    insert into mails (kind, "user", task_run, content)
    select kind, "user", ${run}::uuid, content
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(kind text, "user" integer, content text)`.execute(db)
}

/** Undefined if it was encrypted with a secret key that the server no longer has. */
export function openContent({ vault }: Pick<Context, 'vault'>, sealed: string): Content | undefined {
  try {
    return JSON.parse(vault.open(sealed))
  } catch {
    return undefined
  }
}

/** A letter lists this many notifications, and gives the number of further ones. */
export const MAX_NOTIFICATIONS = 100

/** Combines the notifications for a user into one letter. */
export function newsLetter(parts: readonly Extract<Content, { news: unknown }>[]): Letter {
  const listed = parts.flatMap(({ news }) => news).slice(0, MAX_NOTIFICATIONS)
  const total = parts.reduce((sum, part) => sum + part.total, 0)
  const subject = total === 1 && listed[0] ? listed[0].text : `${total} notifications`
  const paragraphs = listed.flatMap(({ text, url }) => (url === null ? [text] : [text, { url }]))
  const rest = total > listed.length ? [`And ${total - listed.length} more.`] : []
  return { subject, paragraphs: [...paragraphs, ...rest, CHOICE] }
}

const CHOICE = 'You can change what you are notified about in your profile.'
