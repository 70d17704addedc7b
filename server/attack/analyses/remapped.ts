import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { noted } from '../../engine/log.ts'
import { type Nodes, readNodes } from '../classification/nodes.ts'
import type { Matrix } from '../frameworks/framework.ts'
import type { LayerTechnique } from './layers/layer.ts'
import { remapperOf, type Successors } from './layers/remap-techniques.ts'
import { type AnnotationRow, moveAnnotations, type NextAnnotation } from './remap-annotations.ts'

/** What was changed in analyses because nodes died; as JSON, it is enough to undo the change. */
export interface RemappedAnalyses {
  readonly annotations: readonly {
    readonly before: readonly AnnotationRow[]
    readonly after: readonly AnnotationRow[]
  }[]
  readonly layers: readonly ChangedLayer[]
}

interface ChangedLayer {
  readonly attack_analysis: number
  /** The techniques of the layer before. */
  readonly before: readonly LayerTechnique[]
  /** The hash of the techniques afterwards. */
  readonly after: string
}

/** What an undo found as the change had left it, and what users have changed since, which stays as it is. */
export interface UndoneAnalyses {
  readonly annotations: number
  readonly layers: number
  readonly keptAnnotations: readonly number[]
  readonly keptLayers: readonly number[]
}

/**
 * Moves annotations and layers of analyses from dead nodes to live ones of the same matrix. Call it in the transaction that marks the nodes
 * as dead, after that. The number of statements does not depend on the number of nodes or analyses.
 */
export async function remapAnalyses(ctx: Context, successors: Successors): Promise<RemappedAnalyses> {
  const nodes = await readNodes(ctx)
  const within = withinMatrix(nodes, successors)
  if (within.size === 0) return { annotations: [], layers: [] }
  return { annotations: await remapAnnotations(ctx, within), layers: await remapLayers(ctx, nodes, within) }
}

/** Moves them back, except those that users have changed since. */
export async function undoRemappedAnalyses(ctx: Context, done: RemappedAnalyses): Promise<UndoneAnalyses> {
  const { annotations, layers } = done
  const rows = await lockAnnotations(ctx, sql`t.id = any(${ids(annotations.flatMap(({ after }) => after))}::integer[])`)
  const now = new Map(rows.map((row) => [row.id, sayingOf(row)]))
  const isIntact = (move: (typeof annotations)[number]) => move.after.every((row) => now.get(row.id) === sayingOf(row))
  const intact = annotations.filter(isIntact)
  await writeAnnotations(
    ctx,
    intact.flatMap(({ after }) => after),
    intact.flatMap(({ before }) => before),
  )
  const restored = await writeLayers(
    ctx,
    layers.map(({ attack_analysis, before, after }) => ({ attack_analysis, techniques: before, expected: after })),
  )
  const keptLayers = layers.flatMap(({ attack_analysis: id }) => (restored.has(id) ? [] : [id]))
  return {
    annotations: intact.length,
    layers: restored.size,
    keptAnnotations: ids(annotations.filter((move) => !isIntact(move)).flatMap(({ after }) => after)),
    keptLayers,
  }
}

/** What users edit in an annotation. */
const sayingOf = (row: AnnotationRow): string => JSON.stringify([row.attack_analysis, row.attack_node, row.content])

const ids = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id)

/** Analyses and their annotations are of one matrix. */
function withinMatrix(nodes: Nodes, successors: Successors): Map<string, readonly string[]> {
  const entries = [...successors].map(([dead, live]) => {
    const matrix = nodes.get(dead)?.matrix
    return [dead, [...new Set(live)].filter((id) => matrix && id !== dead && nodes.get(id)?.matrix === matrix)] as const
  })
  return new Map(entries.filter(([, live]) => live.length > 0))
}

async function remapAnnotations(ctx: Context, successors: Successors): Promise<RemappedAnalyses['annotations']> {
  const dead = [...successors.keys()]
  const all = [...new Set([...dead, ...[...successors.values()].flat()])]
  const found = await lockAnnotations(
    ctx,
    sql`t.attack_node = any(${all}::text[]) and t.attack_analysis in (
      select attack_analysis from attack_annotations where attack_node = any(${dead}::text[]))`,
  )
  const moves = moveAnnotations(found, successors)
  const next = moves.flatMap(({ after }) => after)
  const written = await writeAnnotations(
    ctx,
    moves.flatMap(({ before }) => before),
    next,
  )
  const byPlace = new Map(written.map((row) => [placeOf(row), row]))
  return moves.map(({ before, after }) => ({ before, after: after.flatMap((row) => byPlace.get(placeOf(row)) ?? []) }))
}

const placeOf = ({ attack_analysis, attack_node }: Pick<AnnotationRow, 'attack_analysis' | 'attack_node'>): string =>
  `${attack_analysis} ${attack_node}`

async function lockAnnotations(ctx: Context, where: RawBuilder<unknown>): Promise<AnnotationRow[]> {
  const { rows } = await sql<{ row: AnnotationRow }>`
    select to_jsonb(t) as row
    from attack_annotations as t
    where ${where}
    order by t.attack_analysis, t.attack_node
    for update`.execute(ctx.db)
  return rows.map(({ row }) => row)
}

/** Writes annotations in the place of others. Rows that stay change their node by being written again, because two may swap nodes. */
async function writeAnnotations(
  ctx: Context,
  before: readonly AnnotationRow[],
  after: readonly (AnnotationRow | NextAnnotation)[],
): Promise<AnnotationRow[]> {
  if (before.length + after.length === 0) return []
  await sql`delete from attack_annotations where id = any(${ids(before)}::integer[])`.execute(ctx.db)
  // The analysis and the users may be gone when a change is undone, and the node may have another annotation.
  const { rows } = await sql<{ row: AnnotationRow }>`
    insert into attack_annotations as t (id, attack_analysis, attack_node, content, created_at, created_by, last_updated_at, last_updated_by)
    select coalesce(i.id, nextval(pg_get_serial_sequence('attack_annotations', 'id'))), a.id, i.attack_node, i.content, i.created_at, c.id,
      coalesce(i.last_updated_at, now()), case when i.last_updated_at is null then nullif(${ctx.caller.id}::integer, 0) else u.id end
    from jsonb_populate_recordset(null::attack_annotations, ${JSON.stringify(after)}::jsonb) as i
    join attack_analyses as a on a.id = i.attack_analysis
    left join users as c on c.id = i.created_by
    left join users as u on u.id = i.last_updated_by
    order by i.attack_analysis, i.attack_node
    on conflict (attack_analysis, attack_node) do update
    set content = t.content || e'\n\n' || excluded.content, last_updated_at = now()
    returning to_jsonb(t) as row`.execute(ctx.db)
  const written = rows.map(({ row }) => row)
  await logAnnotations(ctx, before, written)
  return written
}

const LOGGED = ['attack_analysis', 'attack_node', 'content'] as const

async function logAnnotations(ctx: Context, before: readonly AnnotationRow[], after: readonly AnnotationRow[]) {
  const was = new Map(before.map((row) => [row.id, row]))
  const is = new Map(after.map((row) => [row.id, row]))
  const diffOf = (id: number) => {
    const pair = (name: (typeof LOGGED)[number]) => [was.get(id)?.[name] ?? null, is.get(id)?.[name] ?? null] as const
    return Object.fromEntries(LOGGED.map((name) => [name, pair(name)] as const).filter(([, [a, b]]) => a !== b))
  }
  const log = (kind: string, some: readonly number[]) => {
    const rows = JSON.stringify(some.map((id) => ({ id, diff: diffOf(id) })))
    const list = sql`jsonb_to_recordset(${rows}::jsonb) as r(id integer, diff json)`
    return noted(ctx, { collection: 'attack_annotations' }, kind, list, true)
  }
  await sql`
    with deleted as (${log(
      'delete',
      [...was.keys()].filter((id) => !is.has(id)),
    )}),
    created as (${log(
      'create',
      [...is.keys()].filter((id) => !was.has(id)),
    )})
    ${log(
      'update',
      [...is.keys()].filter((id) => was.has(id)),
    )}`.execute(ctx.db)
}

async function remapLayers(ctx: Context, nodes: Nodes, successors: Successors): Promise<ChangedLayer[]> {
  const externalIds = [...successors.keys()].flatMap((id) => nodes.get(id)?.external_id ?? [])
  const matrices = new Set([...successors.keys()].flatMap((id) => nodes.get(id)?.matrix ?? []))
  const { rows } = await sql<{ id: number; matrix: Matrix; techniques: LayerTechnique[] }>`
    select t.id, t.attack_matrix as matrix, t.ui_metadata #> '{layer,techniques}' as techniques
    from attack_analyses as t
    where t.attack_matrix = any(${[...matrices]}::text[]) and exists (
      select from jsonb_path_query(t.ui_metadata, '$.layer.techniques[*].techniqueID') as e(id)
      where e.id #>> '{}' = any(${externalIds}::text[]))
    order by t.name
    for update`.execute(ctx.db)
  const remappers = new Map([...matrices].map((matrix) => [matrix, remapperOf(nodes, matrix, successors)]))
  const changed = rows.flatMap(({ id, matrix, techniques }) => {
    const next = remappers.get(matrix)?.(techniques)
    return next ? [{ attack_analysis: id, before: techniques, techniques: next, expected: null }] : []
  })
  const written = await writeLayers(ctx, changed)
  return changed.map(({ attack_analysis, before }) => ({
    attack_analysis,
    before,
    after: written.get(attack_analysis) ?? '',
  }))
}

interface NextLayer {
  readonly attack_analysis: number
  readonly techniques: readonly LayerTechnique[]
  /** The hash that the techniques must have to be replaced; null for any. */
  readonly expected: string | null
}

/** Replaces the techniques of layers. Returns their hashes by the ids of analyses. */
async function writeLayers(ctx: Context, layers: readonly NextLayer[]): Promise<ReadonlyMap<number, string>> {
  if (layers.length === 0) return new Map()
  const { rows } = await sql<{ id: number; hash: string }>`
    with given as materialized (
      select i.*
      from jsonb_to_recordset(${JSON.stringify(layers)}::jsonb) as i(attack_analysis integer, techniques jsonb, expected text)
    ), locked as materialized (
      select t.id, t.ui_metadata from attack_analyses as t
      where t.id in (select attack_analysis from given)
      order by t.name
      for update
    ), changed as (
      update attack_analyses as t
      set ui_metadata = jsonb_set(t.ui_metadata, '{layer,techniques}', g.techniques), last_updated_at = now(),
        last_updated_by = nullif(${ctx.caller.id}::integer, 0)
      from given as g join locked as was on was.id = g.attack_analysis
      where t.id = was.id and t.ui_metadata -> 'layer' is not null
        and (g.expected is null or g.expected = md5(was.ui_metadata #>> '{layer,techniques}'))
      returning t.id, t.ui_metadata, json_build_object('ui_metadata', json_build_array(was.ui_metadata, t.ui_metadata)) as diff
    ), logged as (${noted(ctx, { collection: 'attack_analyses' }, 'update', sql`changed`, true)})
    select id, md5(ui_metadata #>> '{layer,techniques}') as hash from changed`.execute(ctx.db)
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}
