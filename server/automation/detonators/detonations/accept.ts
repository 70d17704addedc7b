import { sql } from 'kysely'
import { z } from 'zod'
import { observableOf } from '../../../domain/observables/read.ts'
import type { Context } from '../../../engine/context.ts'
import { badRequest, conflict, forbidden, missing, notFound } from '../../../engine/errors.ts'
import { string } from '../../../engine/field.ts'
import { link } from '../../../engine/link.ts'
import { type Id, toUrl } from '../../../engine/reference.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { integerList } from '../../../fast/binary-arrays.ts'
import { holdsKey, sightOf } from '../../../identity/access/sight.ts'
import { keyOf, rankOf } from '../../../identity/access/visibility.ts'
import { linkEntities } from '../../../intelligence/observables/entity-links.ts'
import { loggedByKey } from '../../../intelligence/observables/logged.ts'
import { setMeta } from '../../../intelligence/observables/set-meta.ts'
import { isOwn } from '../../../intelligence/observables/sight.ts'
import { findOrMake } from '../../../intelligence/observables/store.ts'
import type { ExtractedValue } from '../adapter.ts'
import { levelOf } from '../lane/plan-report.ts'

const MAX_EXTRACTS = 2000

export const acceptBody = z.object({
  extracts: z
    .array(z.object({ kind: string(1, 100), value: string(1, 65_536) }))
    .min(1)
    .max(MAX_EXTRACTS)
    .describe('Extracts of this detonation.'),
  entity: link('entities')
    .transform(({ id }) => String(id))
    .nullable()
    .optional()
    .describe('The entity to link them with; null for none. If not given, the one that the sample came from.'),
})

export const accepted = z.object({ observables: z.array(z.url()), entity: z.url().nullable() })

/** Makes extracts observables of the caller's source, with the verdict of the report, and links them with an entity. */
export async function accept(
  ctx: Context,
  id: Id,
  { extracts, entity }: z.output<typeof acceptBody>,
): Promise<z.output<typeof accepted>> {
  if (sightOf(ctx).home === null)
    throw forbidden('You are not in a group, so that there is no source for the observables.')
  const found = await findExtracts(ctx, id)
  const chosen = choose(found.extracts, extracts)
  const target = await targetOf(ctx, entity, found.origin)
  const ids = await own(ctx, chosen, found.vis)
  await setMeta(
    ctx,
    chosen.flatMap(({ classification, confidence }, i) => {
      const maliciousness = levelOf(classification, confidence)
      return maliciousness === 'unknown' ? [] : [{ id: ids[i] ?? 0, meta: { maliciousness } }]
    }),
  )
  if (target !== null)
    await linkEntities(
      ctx,
      ids.map((each) => ({ id: each, entity: target })),
    )
  return {
    observables: ids.map((each) => toUrl(ctx.baseUrl, 'observables', each)),
    entity: target === null ? null : toUrl(ctx.baseUrl, 'entities', target),
  }
}

interface Found {
  readonly extracts: readonly ExtractedValue[]
  readonly vis: number
  readonly origin: string | null
}

async function findExtracts(ctx: Context, id: Id): Promise<Found> {
  const { rows } = await sql<Found>`
    select t.extracts, t.vis, (
      select r.origin from detonation_requesters as r where r.detonation = t.id and r."user" = ${ctx.caller.id}) as origin
    from detonations as t
    where t.id = ${id}::uuid and ${visible(ctx, resourceOf(ctx, 'detonations'))}
      and (t.state <> 'FINISHED' or ${holdsKey(ctx, sql`t.vis`)})`.execute(ctx.db)
  const [found] = rows
  if (!found) throw notFound(id)
  if (found.vis === null) throw conflict('The detonation has no report.')
  return found
}

function choose(all: readonly ExtractedValue[], asked: z.output<typeof acceptBody>['extracts']): ExtractedValue[] {
  const byKey = new Map(all.map((extract) => [`${extract.kind} ${extract.value}`, extract]))
  const faults: string[] = []
  const chosen = asked.flatMap(({ kind, value }, i) => {
    const read = observableOf(kind, value)
    const extract = 'fault' in read ? undefined : byKey.get(`${read.type} ${read.value}`)
    if (!extract) faults.push(`extracts[${i}]: is not among the extracts of this detonation`)
    return extract ? [extract] : []
  })
  if (faults.length > 0) throw badRequest(faults)
  return [...new Set(chosen)]
}

/** The entity to link with. That of the sample is left out if the caller may not change it. */
async function targetOf(ctx: Context, asked: string | null | undefined, origin: string | null): Promise<string | null> {
  if (asked === null) return null
  const mayModify = ctx.caller.permissions.has('modify entities')
  if (asked !== undefined && !mayModify) throw missing(['modify entities'])
  const wanted = asked ?? (mayModify ? origin : null)
  if (wanted === null) return null
  const { rows } = await sql`
    select from entities as t
    where t.id = ${wanted}::uuid and ${visible(ctx, resourceOf(ctx, 'entities'))} and (${asked !== undefined} or not t.is_unified)`.execute(
    ctx.db,
  )
  if (rows.length > 0) return wanted
  if (asked !== undefined) throw badRequest(`entity: there is no '${asked}' in entities`)
  return null
}

/** Gives the observables records of the caller's source, at the colour of the report, and returns their ids. */
async function own(ctx: Context, chosen: readonly ExtractedValue[], vis: number): Promise<number[]> {
  const made = await findOrMake(
    ctx,
    chosen.map(({ kind, value }) => ({ type: kind, value })),
    sql`true`,
  )
  const ids = made.map(({ id }) => id)
  const user = sql`nullif(${ctx.caller.id}::integer, 0)`
  await sql`
    with made as (
      insert into observable_records (observable, vis, created_by, last_updated_by)
      select i.id, ${keyOf(sql`s.number`, sql`${rankOf(vis)}::integer`)}, ${user}, ${user}
      from unnest(${integerList(ids)}::integer[]) as i(id)
      join sources as s on s.id = ${sightOf(ctx).home}::uuid
      where not exists (
        select from observable_records as r
        where r.observable = i.id and ${holdsKey(ctx, sql`r.vis`)} and ${isOwn(ctx, sql`r.vis`)})
      order by 1
      on conflict do nothing
      returning observable as id, vis
    ), logged as (${loggedByKey(ctx, 'create', sql`made`)})
    select`.execute(ctx.db)
  return ids
}
