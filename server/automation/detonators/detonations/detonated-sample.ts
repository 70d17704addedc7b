import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { missing } from '../../../engine/errors.ts'
import type { Id } from '../../../engine/reference.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { rankOf } from '../../../identity/access/visibility.ts'
import { contentOf } from '../lane/work.ts'
import { READING } from './reading.ts'
import { NOWHERE, type Origin, type SeenSample, type Subject, seenNow, sentAddress } from './samples.ts'

interface Detonated extends Origin, Subject {
  readonly is_own: boolean
  readonly sees_report: boolean
  /** The rank of the colour of the report; null if there is none. */
  readonly report_rank: number | null
  /** Whether the content is stored among uploads, where a detonation can keep it. */
  readonly is_stored: boolean
}

async function read(ctx: Context, id: Id): Promise<Detonated | undefined> {
  const { rows } = await sql<Detonated>`
    select t.kind, t.size::float8 as size, t.md5, t.sha1, t.sha256, t.url, r.id is not null as is_own,
      coalesce(${holdsKey(ctx, sql`t.vis`)}, false) as sees_report, ${rankOf(sql`t.vis`)} as report_rank,
      exists (select from stored_blobs as b where b.key = t.sha256) as is_stored,
      r.via, coalesce(r.filename, t.name) as filename, r.file, r.attachment, r.observable, r.origin, r.rank as given
    from detonations as t
    left join detonation_requesters as r on r.detonation = t.id and r."user" = ${ctx.caller.id}
    where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'detonations'))}`.execute(ctx.db)
  return rows[0]
}

/** The file of a visible detonation. Who asked for it has to see the file still, unless they see the report. */
export async function readDetonatedFile(
  ctx: Context,
  id: Id,
): Promise<(Subject & { readonly filename: string }) | undefined> {
  const found = await read(ctx, id)
  if (found?.kind !== 'file') return undefined
  return found.sees_report || (found.is_own && (await seenNow(ctx, found))) ? found : undefined
}

/**
 * The sample of a detonation, to submit it again. Who asked submits it from where they had it; others who see the report, at the colour of
 * that.
 */
export async function sampleOfDetonation(
  ctx: Context,
  id: string,
): Promise<(SeenSample & { readonly isKept: boolean }) | { readonly fault: string }> {
  const found = await read(ctx, id)
  if (!found) return { fault: `there is no '${id}' in detonations` }
  const sample = found.is_own ? await ofRequester(ctx, found) : await ofReader(ctx, found)
  if (!sample) return { fault: 'its sample was deleted or is no longer visible to you' }
  if (sample.kind === 'file' && !(await contentOf(ctx, sample))) return { fault: 'its sample is no longer stored' }
  return { ...sample, isKept: sample.via === 'data' && found.is_stored }
}

async function ofRequester(ctx: Context, found: Detonated): Promise<SeenSample | undefined> {
  const lacking = READING[found.via].filter((permission) => !ctx.caller.permissions.has(permission))
  if (lacking.length > 0) throw missing(lacking)
  const { kind, size, md5, sha1, sha256, url, via, filename, file, attachment, observable, origin, given } = found
  return seenNow(ctx, {
    kind,
    size,
    md5,
    sha1,
    sha256,
    url,
    via,
    filename,
    file,
    attachment,
    observable,
    origin,
    given,
  })
}

async function ofReader(ctx: Context, found: Detonated): Promise<SeenSample> {
  const given = found.report_rank ?? 0
  if (found.kind === 'url') return sentAddress(ctx, found.url ?? '', given)
  const { kind, size, md5, sha1, sha256, url, filename } = found
  return { ...NOWHERE, via: 'data', kind, size, md5, sha1, sha256, url, filename, given, rank: given }
}
