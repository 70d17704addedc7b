import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { integerList, uuidList } from '../../fast/binary-arrays.ts'
import { readEntities, type StoredEntity } from '../entities/store.ts'
import { enforceStored } from './act-on-stored.ts'
import { effectsOf } from './effects.ts'
import { type Enforced, type Enforcement, enforcementOf } from './enforce.ts'
import { currentRules } from './read-rules.ts'
import { usableDatasets } from './record-rules.ts'
import type { Rule } from './rule.ts'
import { isCandidate } from './selection.ts'

const BATCH_SIZE = 500
/** A preview judges at most this many of the newest entities, within this time. */
const MAX_JUDGED = 5000
const MAX_MS = 4000
const MAX_SAMPLES = 20

/** A sample whose references are still ids. */
interface Sample {
  readonly entity: string
  readonly source: string
  readonly before: StoredEntity
  readonly after: StoredEntity
  readonly datasets: { readonly before: readonly number[]; readonly after: readonly number[] }
}

interface Tally {
  judged: number
  matched: number
  changed: number
  readonly types: Map<string, number>
  readonly sources: Map<string, number>
  readonly effects: Map<string, number>
  readonly samples: Sample[]
}

const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

const sorted = (counts: ReadonlyMap<string, number>) => [...counts].sort(([, a], [, b]) => b - a)

/** What a rule would do to the newest entities that the caller sees, by the code that would do it. Stores nothing. */
export async function preview(ctx: Context, rule: Rule, replaces: number | undefined) {
  const current = await currentRules(ctx)
  const others = current.rules.filter(({ id }) => id !== replaces && id !== rule.id)
  // A rule keeps its age, which decides between aliases.
  const acting = replaces === undefined ? rule : { ...rule, id: replaces }
  const rules = [...others, acting].sort((a, b) => a.id - b.id)
  const force = await enforcementOf(ctx, { ...current, rules, problems: new Map(), warnings: new Map() })
  const ids = await candidates(ctx, acting)
  const usable = await usableDatasets(
    ctx,
    acting.datasets.map((dataset) => ({ owner: acting.owner ?? 0, dataset })),
  )
  const datasets = acting.datasets.filter((dataset) => usable.has(`${acting.owner ?? 0} ${dataset}`))
  if (datasets.length < acting.datasets.length) force.warnings.set(acting.id, 'Some of its datasets cannot be used.')
  const tally: Tally = {
    judged: 0,
    matched: 0,
    changed: 0,
    types: new Map(),
    sources: new Map(),
    effects: new Map(),
    samples: [],
  }
  const deadline = Date.now() + MAX_MS
  const judgeable = ids.slice(0, MAX_JUDGED)
  for (let from = 0; from < judgeable.length && Date.now() < deadline; from += BATCH_SIZE)
    await judgeBatch(force, acting, datasets, judgeable.slice(from, from + BATCH_SIZE), tally)
  const { judged, matched, changed } = tally
  const sourceNames = await namesOfSources(ctx, [...tally.sources.keys()])
  return {
    matched,
    judged,
    is_sample: judged < ids.length,
    changed,
    by_type: sorted(tally.types).map(([type, count]) => ({ type, count })),
    by_source: sorted(tally.sources).map(([source, count]) => ({
      source,
      name: sourceNames.get(source) ?? '',
      count,
    })),
    by_effect: sorted(tally.effects).map(([effect, count]) => ({ effect, count })),
    warnings: [...new Set([force.problems.get(acting.id), force.warnings.get(acting.id)])].filter(
      (line) => line !== undefined,
    ),
    samples: await shownSamples(ctx, tally.samples, sourceNames),
  }
}

async function candidates(ctx: Context, rule: Rule): Promise<readonly string[]> {
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const { rows } = await sql<{ id: string }>`
    select t.id from entities as t
    where ${isSeen} and ${isCandidate(rule)}
    order by t.created_at desc, t.id desc
    limit ${MAX_JUDGED + 1}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

async function judgeBatch(
  force: Enforcement,
  rule: Rule,
  datasets: readonly number[],
  ids: readonly string[],
  tally: Tally,
): Promise<void> {
  const { ctx } = force
  const rows = await readEntities(ctx, 'id', ids, visible(ctx, resourceOf(ctx, 'entities')))
  const seen = rows.filter(({ is_visible }) => is_visible)
  const { subjects, enforced } = await enforceStored(force, seen, undefined, ({ id }) => id === rule.id)
  const memberOf = datasets.length === 0 ? new Map() : await datasetsOf(ctx, ids)
  tally.judged += ids.length
  for (const [i, { row, entity }] of subjects.entries()) {
    const result = enforced[i] as Enforced
    if (!result.rules.some(({ id }) => id === rule.id)) continue
    tally.matched++
    add(tally.types, row.data.type)
    add(tally.sources, row.source)
    const before: readonly number[] = memberOf.get(row.id) ?? []
    const joined = datasets.filter((id) => !before.includes(id))
    const effects = effectsOf(result).get(rule.id) ?? []
    for (const { kind } of effects) add(tally.effects, kind)
    for (const _ of joined) add(tally.effects, 'dataset_added')
    if (result.entity === entity && joined.length === 0) continue
    tally.changed++
    if (tally.samples.length < MAX_SAMPLES) {
      const after = [...before, ...joined]
      tally.samples.push({
        entity: row.id,
        source: row.source,
        before: entity,
        after: result.entity,
        datasets: { before, after },
      })
    }
  }
}

/** The datasets of entities that the caller sees. */
async function datasetsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, readonly number[]>> {
  const { rows } = await sql<{ entity: string; datasets: number[] }>`
    select l.target as entity, array_agg(l.source) as datasets
    from dataset_entities as l join datasets as d on d.id = l.source
    where l.target = any(${uuidList(ids)}::uuid[]) and ${visible(ctx, resourceOf(ctx, 'datasets'), 'd')}
    group by 1`.execute(ctx.db)
  return new Map(rows.map(({ entity, datasets }) => [entity, datasets]))
}

async function namesOfSources(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from sources where id = any(${uuidList(ids)}::uuid[])`.execute(ctx.db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The samples with the names of taxonomies and datasets. */
async function shownSamples(ctx: Context, samples: readonly Sample[], sources: ReadonlyMap<string, string>) {
  const nodes = samples.flatMap(({ before, after }) =>
    [...before.meta.taxonomies, ...after.meta.taxonomies].map(Number),
  )
  const sets = samples.flatMap(({ datasets }) => datasets.after)
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'node' as kind, id, array_to_string(path, '/') as name from taxonomies
    where id = any(${integerList(nodes)}::integer[])
    union all
    select 'set', id, name from datasets where id = any(${integerList(sets)}::integer[])`.execute(ctx.db)
  const names = new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
  const shown = ({ data, meta }: StoredEntity, datasets: readonly number[]) => ({
    tlp_color: meta.tlp_color ?? null,
    tags: meta.tags,
    taxonomies: meta.taxonomies.flatMap((id) => names.get(`node ${Number(id)}`) ?? []),
    datasets: datasets.flatMap((id) => names.get(`set ${id}`) ?? []),
    title: titleOf({ data, meta }),
    type: String(data.type),
  })
  return samples.map(({ entity, source, before, after, datasets }) => ({
    entity,
    type: String(before.data.type),
    title: titleOf(before),
    source_name: sources.get(source) ?? '',
    before: shown(before, datasets.before),
    after: shown(after, datasets.after),
  }))
}

const titleOf = ({ data, meta }: Pick<StoredEntity, 'data' | 'meta'>): string => meta.alias || String(data.title ?? '')
