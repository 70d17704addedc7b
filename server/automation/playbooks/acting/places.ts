import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import type { Id, Link } from '../../../engine/reference.ts'
import { resourceOf } from '../../../engine/select.ts'
import { touch } from '../../../engine/write.ts'
import { addToDataset, removeFromDataset } from '../../../intelligence/by-query/fill-dataset.ts'
import type { StepContext, Subject } from '../step.ts'
import { findLinked, leftOut } from './find-linked.ts'

/** What became of an object at the places that a step names. */
export interface Placed {
  /** The places where something changed. */
  readonly changed: readonly Id[]
  /** The places that the owner of the playbook sees and may fill. */
  readonly reached: number
  readonly warnings: readonly string[]
}

export const NOWHERE: Placed = { changed: [], reached: 0, warnings: [] }

type Way = 'add' | 'remove'

/** Where a step puts an object, or takes it from. */
interface Places {
  readonly datasets: readonly Link[]
  readonly workspaces: readonly Link[]
}

/** The permissions that the owner of a playbook needs for these places. */
export const permissionsFor = ({ datasets, workspaces }: Places): string[] => [
  ...(datasets.length > 0 ? ['read intel-sets', 'modify intel-sets'] : []),
  ...(workspaces.length > 0 ? ['read workspaces', 'modify workspaces'] : []),
]

/** Adds an entity to datasets and workspaces, and a file to workspaces, or removes it. */
export async function place(
  { ctx, subject }: StepContext,
  way: Way,
  { datasets, workspaces }: Places,
): Promise<Placed> {
  const mayMove = subject.collection !== 'files' || ctx.caller.permissions.has('modify files')
  return together([
    subject.collection === 'entities' ? await placeInDatasets(ctx, way, subject.id, datasets) : NOWHERE,
    mayMove ? await placeInWorkspaces(ctx, way, subject, workspaces) : NOWHERE,
  ])
}

/** Adds an entity to static datasets, or removes it. A playbook names only a few. */
async function placeInDatasets(ctx: Context, way: Way, entity: string, wanted: readonly Link[]): Promise<Placed> {
  const found = await findLinked(ctx, 'datasets', wanted)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from datasets
    where id = any(${found.ids}::integer[]) and (search_query is not null or relational_query is not null)`.execute(
    ctx.db,
  )
  const dynamic = new Map<Id, string>(rows.map(({ id, name }) => [id, name]))
  const fixed = found.ids.filter((id) => !dynamic.has(id))
  const changed: Id[] = []
  for (const id of fixed) {
    const count = await (way === 'add' ? addToDataset : removeFromDataset)(ctx, Number(id), [entity])
    if (count > 0) changed.push(id)
  }
  const refused = [...dynamic.values()].map(
    (name) => `The dataset '${name}' was left out: its query determines its entities.`,
  )
  return { changed, reached: fixed.length, warnings: [...leftOut('dataset', found), ...refused] }
}

const MEMBERS = {
  entities: { field: 'entities', table: 'workspace_entities', owner: 'source', member: 'target', id: 'uuid' },
  files: { field: 'files', table: 'file_workspaces', owner: 'target', member: 'source', id: 'integer' },
} as const

/** Adds an entity or a file to workspaces, or removes it. */
async function placeInWorkspaces(
  ctx: Context,
  way: Way,
  { collection, id }: Subject,
  wanted: readonly Link[],
): Promise<Placed> {
  if (collection === 'observables' || wanted.length === 0) return NOWHERE
  const resource = resourceOf(ctx, 'workspaces')
  const found = await findLinked(ctx, 'workspaces', wanted)
  const { field, table, owner, member, id: type } = MEMBERS[collection]
  const { rows } = await sql<{ id: number }>`
    select ${sql.ref(owner)} as id from ${sql.table(table)}
    where ${sql.ref(member)} = ${id}::${sql.raw(type)} and ${sql.ref(owner)} = any(${found.ids}::integer[])`.execute(
    ctx.db,
  )
  const present = new Set<Id>(rows.map((row) => row.id))
  const changed = found.ids.filter((workspace) => present.has(workspace) === (way === 'remove'))
  const target = collection === 'files' ? Number(id) : id
  for (const workspace of changed) {
    if (way === 'add') await resource.operations.link?.(ctx, resource, workspace, field, [{ id: target }])
    else await resource.operations.unlink?.(ctx, resource, workspace, field, target)
    await touch(ctx, resource, workspace)
  }
  return { changed, reached: found.ids.length, warnings: leftOut('workspace', found) }
}

/** All that became of an object at several kinds of places. */
export const together = (parts: readonly Placed[]): Placed => ({
  changed: parts.flatMap(({ changed }) => changed),
  reached: parts.reduce((sum, { reached }) => sum + reached, 0),
  warnings: parts.flatMap(({ warnings }) => warnings),
})
