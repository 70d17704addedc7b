import { sql } from 'kysely'
import { observableOf } from '../../../domain/observables/read.ts'
import type { Context } from '../../../engine/context.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { rankOf } from '../../../identity/access/visibility.ts'
import { isVisibleOne, lowestRank } from '../../../intelligence/observables/sight.ts'
import { rankOfColour } from '../../enrichers/requests/candidates.ts'
import type { DetonationType } from '../adapter.ts'

/** Where a sample comes from, and the rank of the colour that its requester gave it. */
export interface Origin {
  readonly via: 'data' | 'url' | 'file' | 'attachment' | 'observable'
  readonly filename: string
  readonly file: number | null
  readonly attachment: string | null
  readonly observable: number | null
  /** The entity that it came from. */
  readonly origin: string | null
  /** The rank of the colour that the requester gave it. */
  readonly given: number
}

/** What is detonated: a file with its hashes, or an address. */
export interface Subject {
  readonly kind: DetonationType
  readonly size: number | null
  readonly md5: string | null
  readonly sha1: string | null
  readonly sha256: string | null
  readonly url: string | null
}

/** A sample as a caller sees it. */
export interface SeenSample extends Origin, Subject {
  /** The rank of the least restrictive colour at which the caller sees it, or that they gave it if it is higher. */
  readonly rank: number
}

export const NOWHERE = { filename: '', file: null, attachment: null, observable: null, origin: null, given: 0 }
export const NO_FILE = { size: null, md5: null, sha1: null, sha256: null }

interface Wanted {
  readonly files?: readonly number[]
  readonly attachments?: readonly string[]
  readonly observables?: readonly number[]
}

/** The samples among these that the caller sees. Of observables, those that are addresses. */
export async function readSamples(ctx: Context, wanted: Wanted): Promise<SeenSample[]> {
  const found = await Promise.all([
    wanted.files?.length ? readFiles(ctx, wanted.files) : [],
    wanted.attachments?.length ? readAttachments(ctx, wanted.attachments) : [],
    wanted.observables?.length ? readAddresses(ctx, wanted.observables) : [],
  ])
  return found.flat()
}

type FileRow = Pick<SeenSample, 'filename' | 'size' | 'md5' | 'sha1' | 'sha256' | 'rank'>

async function readFiles(ctx: Context, ids: readonly number[]): Promise<SeenSample[]> {
  const { rows } = await sql<FileRow & { file: number }>`
    select t.id as file, t.name as filename, b.size::float8 as size, b.md5, b.sha1, b.key as sha256, ${rankOfColour(sql`t.tlp_color`)} as rank
    from files as t join stored_blobs as b on b.key = t.sha256
    where t.id = any(${ids}::integer[]) and ${visible(ctx, resourceOf(ctx, 'files'))}
    order by t.id`.execute(ctx.db)
  return rows.map((row) => ({ ...NOWHERE, ...row, via: 'file', kind: 'file', url: null }))
}

async function readAttachments(ctx: Context, ids: readonly string[]): Promise<SeenSample[]> {
  const { rows } = await sql<FileRow & { attachment: string; origin: string | null }>`
    select t.id as attachment, t.filename, b.size, encode(b.md5, 'hex') as md5, encode(b.sha1, 'hex') as sha1,
      encode(b.sha256, 'hex') as sha256, seen.id as origin, coalesce(${rankOf(sql`seen.vis`)}, 0) as rank
    from attachments as t
    join blobs as b on b.sha256 = t.sha256
    left join lateral (
      select e.id, e.vis
      from entity_attachments as l join entities as e on e.id = l.source
      where l.target = t.id and not e.is_unified and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}
      order by ${rankOf(sql`e.vis`)}, e.id
      limit 1
    ) as seen on true
    where t.id = any(${ids}::uuid[]) and ${visible(ctx, resourceOf(ctx, 'attachments'))}
    order by t.id`.execute(ctx.db)
  return rows.map((row) => ({ ...NOWHERE, ...row, via: 'attachment', kind: 'file', url: null }))
}

async function readAddresses(ctx: Context, ids: readonly number[]): Promise<SeenSample[]> {
  const { rows } = await sql<{ observable: number; url: string; rank: number }>`
    select t.id as observable, t.value as url, ${lowestRank(ctx, 't')} as rank
    from observables as t
    where t.id = any(${ids}::integer[]) and t.type = 'uri' and ${isVisibleOne(ctx, 't')}
    order by t.id`.execute(ctx.db)
  return rows.map((row) => ({ ...NOWHERE, ...NO_FILE, ...row, via: 'observable', kind: 'url' }))
}

/** The canonical spelling of an address, or what is wrong with it. */
export function addressOf(text: string): { readonly url: string } | { readonly fault: string } {
  const read = observableOf('uri', text)
  if ('fault' in read) return { fault: read.fault }
  return /^https?:/i.test(read.value) ? { url: read.value } : { fault: 'must begin with http:// or https://' }
}

/** An address that the caller sent, with the colour at which they see it as an observable if that is higher than what they gave it. */
export async function sentAddress(ctx: Context, url: string, given: number): Promise<SeenSample> {
  const { rows } = await sql<{ rank: number | null }>`
    select ${lowestRank(ctx, 't')} as rank
    from observables as t
    where observable_key(t.value) = observable_key(${url}) and t.value = ${url} and t.type = 'uri' and ${isVisibleOne(ctx, 't')}`.execute(
    ctx.db,
  )
  return { ...NOWHERE, ...NO_FILE, via: 'url', kind: 'url', url, given, rank: Math.max(given, rows[0]?.rank ?? 0) }
}

/** Content that the caller sent. */
export const sentContent = (
  filename: string,
  { size, md5, sha1, sha256 }: Readonly<Record<'md5' | 'sha1' | 'sha256', string>> & { readonly size: number },
  given: number,
): SeenSample => ({
  ...NOWHERE,
  via: 'data',
  filename,
  kind: 'file',
  size,
  md5,
  sha1,
  sha256,
  url: null,
  given,
  rank: given,
})

const HASHES: Readonly<Record<string, 'md5' | 'sha1' | 'sha256'>> = {
  'hash-md5': 'md5',
  'hash-sha1': 'sha1',
  'hash-sha256': 'sha256',
}

/** The sample that an observable names: an address, or the hash of content that the caller sees. */
export async function sampleOfObservable(
  ctx: Context,
  id: number,
): Promise<SeenSample | { readonly fault: string } | undefined> {
  const { rows } = await sql<{ type: string; value: string; rank: number }>`
    select t.type, t.value, ${lowestRank(ctx, 't')} as rank
    from observables as t
    where t.id = ${id} and ${isVisibleOne(ctx, 't')}`.execute(ctx.db)
  const [found] = rows
  if (!found) return undefined
  const hash = HASHES[found.type]
  if (hash === undefined) {
    if (found.type !== 'uri')
      return { fault: `is a ${found.type}; only a uri or the hash of a stored file can be detonated` }
    const address = addressOf(found.value)
    if ('fault' in address) return address
    return (await readAddresses(ctx, [id]))[0]
  }
  const [content] = await contentWithHash(ctx, hash, found.value)
  if (!content) return { fault: 'is the hash of a file whose content is not stored here' }
  return { ...content, via: 'observable', observable: id, rank: Math.max(content.rank, found.rank) }
}

async function contentWithHash(ctx: Context, hash: 'md5' | 'sha1' | 'sha256', value: string): Promise<SeenSample[]> {
  const { rows } = await sql<{ files: number[] | null; attachments: string[] | null }>`
    select
      (select array_agg(f.id order by f.id) from files as f join stored_blobs as b on b.key = f.sha256
        where b.${sql.ref(hash === 'sha256' ? 'key' : hash)} = ${value}) as files,
      (select array_agg(a.id order by a.id) from attachments as a join blobs as b on b.sha256 = a.sha256
        where b.${sql.ref(hash)} = decode(${value}, 'hex')) as attachments`.execute(ctx.db)
  const found = await readSamples(ctx, { files: rows[0]?.files ?? [], attachments: rows[0]?.attachments ?? [] })
  return found.toSorted((a, b) => a.rank - b.rank)
}

/** A sample that was asked for, as the caller sees it now; undefined if they no longer see it. */
export async function seenNow(ctx: Context, asked: Origin & Subject): Promise<SeenSample | undefined> {
  const { via, file, attachment, observable, given, url } = asked
  if (via === 'data') return { ...asked, rank: given }
  if (via === 'url') return sentAddress(ctx, url ?? '', given)
  const isGone = via === 'file' ? file === null : via === 'attachment' ? attachment === null : observable === null
  if (isGone) return undefined
  const parts = await readSamples(ctx, {
    files: file === null ? [] : [file],
    attachments: attachment === null ? [] : [attachment],
  })
  const named = observable === null ? undefined : await rankOfObservable(ctx, observable)
  const expected = [file, attachment].filter((id) => id !== null).length
  if (parts.length < expected || (observable !== null && named === undefined)) return undefined
  return { ...asked, rank: Math.max(given, named ?? 0, ...parts.map(({ rank }) => rank)) }
}

async function rankOfObservable(ctx: Context, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ rank: number }>`
    select ${lowestRank(ctx, 't')} as rank
    from observables as t
    where t.id = ${id} and ${isVisibleOne(ctx, 't')}`.execute(ctx.db)
  return rows[0]?.rank
}
