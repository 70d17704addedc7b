import { type RawBuilder, sql } from 'kysely'
import { observableOf } from '../../../domain/observables/read.ts'
import { parseTimestamp } from '../../../domain/timestamp.ts'
import type { Context } from '../../../engine/context.ts'
import { integerList, textList } from '../../../fast/binary-arrays.ts'
import { isOfSource } from '../../../identity/access/visibility.ts'
import { MALICIOUSNESS } from '../../../intelligence/entities/observables-in.ts'
import { loggedByKey } from '../../../intelligence/observables/logged.ts'
import { findOrMake } from '../../../intelligence/observables/store.ts'
import { storeVerdicts } from '../../store-verdicts.ts'
import type { Finding } from '../function.ts'

/** Where findings are stored: under the key `vis` of the source with a number. */
export interface Place {
  readonly enricher: number
  readonly observable: number
  readonly sourceNumber: number
  readonly vis: number
}

type LinkFinding = Extract<Finding, { kind: 'link' }>

interface Link {
  readonly target: number
  readonly relation: string
  readonly first_seen: string | null
  readonly last_seen: string | null
}

/** The strongest verdict among findings. */
export function verdictOf(findings: readonly Finding[]): string | null {
  const levels = findings.flatMap((finding) => (finding.kind === 'verdict' ? [finding.maliciousness] : []))
  return levels.toSorted((a, b) => MALICIOUSNESS.indexOf(b) - MALICIOUSNESS.indexOf(a))[0] ?? null
}

/** Stores the verdict of the source on the observable, and takes back the one it had before, under whatever colour. */
export async function storeVerdict(ctx: Context, place: Place, verdict: string | null): Promise<void> {
  const { observable, vis } = place
  const own = isOfSource(sql`r.vis`, sql`${place.sourceNumber}::integer`)
  await sql`
    with gone as (
      update observable_records as r
      set maliciousness = null, last_updated_at = now(), last_updated_by = null
      where r.observable = ${observable} and ${own} and r.maliciousness is not null and (r.vis <> ${vis} or ${verdict}::text is null)
      returning r.observable as id, r.vis
    ), logged as (${loggedByKey(ctx, 'update', sql`gone`)})
    select`.execute(ctx.db)
  if (verdict !== null) await storeVerdicts(ctx, [{ id: observable, maliciousness: verdict }], vis)
}

/** Replaces the links that the source knows of the observable. Their targets become visible to those who see the links. */
export async function storeLinks(
  ctx: Context,
  { enricher, observable, vis }: Place,
  findings: readonly Finding[],
): Promise<string[]> {
  const { links, warnings } = await linksOf(ctx, observable, findings)
  const rows = sql`unnest(
    ${integerList(links.map(({ target }) => target))}::integer[],
    ${textList(links.map(({ relation }) => relation))}::text[],
    ${textList(links.map(({ first_seen }) => first_seen))}::text[],
    ${textList(links.map(({ last_seen }) => last_seen))}::text[]) as i(target, relation, first_seen, last_seen)`
  await sql`
    delete from observable_links as l
    where l.enricher = ${enricher} and l.observable = ${observable}
      and not (l.vis = ${vis} and exists (select from ${rows} where i.target = l.target and i.relation = l.relation))`.execute(
    ctx.db,
  )
  if (links.length === 0) return warnings
  await makeVisible(ctx, rows, vis)
  await sql`
    insert into observable_links as l (observable, target, relation, vis, enricher, first_seen, last_seen)
    select ${observable}::integer, i.target, i.relation, ${vis}::integer, ${enricher}::integer, i.first_seen::timestamptz, i.last_seen::timestamptz
    from ${rows}
    order by i.target, i.relation
    on conflict (observable, target, relation, vis) do update
    set first_seen = least(l.first_seen, excluded.first_seen), last_seen = greatest(l.last_seen, excluded.last_seen)`.execute(
    ctx.db,
  )
  return warnings
}

async function makeVisible(ctx: Context, rows: RawBuilder<unknown>, vis: number): Promise<void> {
  await sql`
    with made as (
      insert into observable_records (observable, vis)
      select distinct i.target, ${vis}::integer from ${rows} order by 1
      on conflict do nothing
      returning observable as id, vis
    ), logged as (${loggedByKey(ctx, 'create', sql`made`)})
    select`.execute(ctx.db)
}

/** The distinct links among findings, whose observables are created if they do not exist. */
async function linksOf(
  ctx: Context,
  observable: number,
  findings: readonly Finding[],
): Promise<{ links: Link[]; warnings: string[] }> {
  const warnings: string[] = []
  const read = findings.flatMap((finding) => {
    if (finding.kind !== 'link') return []
    const { type, value } = finding.observable
    const found = observableOf(type, value)
    if ('fault' in found) {
      warnings.push(`A link was left out: ${type.slice(0, 100)} '${value.slice(0, 200)}' ${found.fault}.`)
      return []
    }
    return [{ finding, type: found.type, value: found.value }]
  })
  if (read.length === 0) return { links: [], warnings }
  const wanted = [...new Map(read.map(({ type, value }) => [`${type} ${value}`, { type, value }])).values()]
  const made = await findOrMake(ctx, wanted, sql`true`)
  const ids = new Map(wanted.map(({ type, value }, i) => [`${type} ${value}`, made[i]?.id ?? 0]))
  const byKey = new Map<string, Link>()
  for (const { finding, type, value } of read) {
    const target = ids.get(`${type} ${value}`) ?? 0
    if (target !== observable) byKey.set(`${target} ${finding.relation}`, linkOf(finding, target))
  }
  return { links: [...byKey.values()], warnings }
}

const linkOf = ({ relation, first_seen, last_seen }: LinkFinding, target: number): Link => ({
  target,
  relation: relation.slice(0, 200),
  first_seen: timeOf(first_seen),
  last_seen: timeOf(last_seen),
})

const timeOf = (text: string | undefined): string | null => (text === undefined ? null : (parseTimestamp(text) ?? null))
