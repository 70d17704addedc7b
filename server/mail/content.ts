import { type Kysely, sql } from 'kysely'
import type { Context } from '../engine/resource.ts'
import type { Letter } from './letter.ts'
import type { Kind } from './mails.ts'

/** Something that happened and that somebody wants to know. */
export interface News {
  readonly text: string
  /** Where it is to be seen. */
  readonly url: string | null
}

/** What a row of mails says: a letter, news that become one letter with others, or who asked for a new password. */
export type Content =
  | { readonly letter: Letter }
  | { readonly news: readonly News[]; readonly total: number }
  | { readonly asked: string; readonly publicUrl: string }

/** A mail on its way: to whom, about what, and what it says. */
export interface Mail {
  readonly kind: Kind
  readonly user: number | null
  readonly content: Content
}

/** Stores mails for the run that will send them. */
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

/** Undefined when it was sealed with a secret key that the server no longer has. */
export function openContent({ vault }: Pick<Context, 'vault'>, sealed: string): Content | undefined {
  try {
    return JSON.parse(vault.open(sealed))
  } catch {
    return undefined
  }
}

/** So many pieces of news are told; of more, how many there are. */
export const MOST_NEWS = 100

/** All the news for somebody as one letter. */
export function newsLetter(parts: readonly Extract<Content, { news: unknown }>[]): Letter {
  const told = parts.flatMap(({ news }) => news).slice(0, MOST_NEWS)
  const total = parts.reduce((sum, part) => sum + part.total, 0)
  const subject = total === 1 && told[0] ? told[0].text : `${total} pieces of news`
  const paragraphs = told.flatMap(({ text, url }) => (url === null ? [text] : [text, { url }]))
  const rest = total > told.length ? [`And ${total - told.length} more.`] : []
  return { subject, paragraphs: [...paragraphs, ...rest, CHOICE] }
}

const CHOICE = 'You choose what you hear of in your notification settings.'
