import { sql } from 'kysely'
import { readBlob } from '../../../intelligence/attachments/blobs.ts'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import type { Server } from '../../../server.ts'
import type { StoredParameters } from '../../parameters.ts'
import type { Sample } from '../adapter.ts'
import type { Subject } from '../detonations/samples.ts'
import type { State } from '../detonations/states.ts'

/** What is known of a detonation and its detonator. */
export interface Work extends StoredParameters, Subject {
  readonly id: string
  readonly detonator: number
  readonly key: string
  readonly state: State
  readonly options: Readonly<Record<string, unknown>>
  readonly rank: number | null
  readonly name: string
  readonly vendor_id: string | null
  readonly vendor_url: string | null
  readonly was_known: boolean
  /** Whether it is submitted even if the vendor knows it. */
  readonly is_forced: boolean
  readonly submitted_at: string | null
  readonly polls: number
  readonly is_overdue: boolean
  readonly adapter: string
  readonly task_name: string
  readonly source: string
  readonly source_number: number
  readonly tlp_color: string | null
  readonly selected_extract_types: readonly string[]
  readonly cache_validity: number
}

/** Reads it as it is now; undefined if it was deleted with its detonator. */
export async function readWork({ db }: Pick<Server, 'db'>, id: string): Promise<Work | undefined> {
  const { rows } = await sql<Work>`
    select t.id, t.detonator, t.key, t.kind, t.size::float8 as size, t.md5, t.sha1, t.sha256, t.url, t.state, t.options, t.rank, t.name,
      t.vendor_id, t.vendor_url, t.was_known, t.is_forced, t.submitted_at, t.polls, coalesce(t.deadline_at < now(), false) as is_overdue,
      e.adapter, e.task_name, e.parameters, e.parameter_secrets, e.source, s.number as source_number, e.tlp_color,
      e.selected_extract_types, e.cache_validity
    from detonations as t
    join detonators as e on e.id = t.detonator
    join sources as s on s.id = e.source
    where t.id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** Where the content of a file is stored: with files, or with attachments. */
export async function contentOf(
  server: Pick<Server, 'db' | 'blobs'>,
  { sha256, size }: Pick<Subject, 'sha256' | 'size'>,
): Promise<(() => AsyncIterable<Buffer>) | undefined> {
  if (sha256 === null) return undefined
  const { rows } = await sql<{ is_blob: boolean; is_attached: boolean }>`
    select exists (select from stored_blobs where key = ${sha256}) as is_blob,
      exists (select from blobs where sha256 = decode(${sha256}, 'hex')) as is_attached`.execute(server.db)
  const [found] = rows
  if (found?.is_blob) return () => blobsOf(server).open(sha256)
  if (found?.is_attached) return () => readBlob(server, Buffer.from(sha256, 'hex'), { start: 0, end: size ?? 0 })
  return undefined
}

/** The sample as an adapter gets it, under a name; undefined if its content was deleted. */
export async function sampleOf(
  server: Pick<Server, 'db' | 'blobs'>,
  work: Work,
  name: string,
): Promise<Sample | undefined> {
  const { kind, url, size, md5, sha1, sha256 } = work
  if (kind === 'url') return { kind, url: url ?? '' }
  const content = await contentOf(server, work)
  if (!content || md5 === null || sha1 === null || sha256 === null) return undefined
  return { kind, filename: name || sha256, size: size ?? 0, md5, sha1, sha256, content }
}
