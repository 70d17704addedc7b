import { sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { and, resourceOf, visible } from '../engine/select.ts'
import type { Consolidation } from '../intelligence/entities/unified.ts'
import type { Via } from '../intelligence/relational/step-fields.ts'
import { relationshipSteps, sharingSteps } from '../intelligence/relational/steps.ts'
import { mayBeNode, membersOf, nodeOf, unifyingSteps } from './consolidated.ts'
import { type Effort, nextTo, simplePaths } from './simple-paths.ts'

/** The maximum number of steps read for one response. Beyond it, the ends are too well connected to search further. */
const MAX_READ_STEPS = 100_000
const MAX_TRIED_STEPS = 500_000

interface Question {
  readonly from: string
  readonly to: string
  readonly via: Via
  readonly longest: number
  readonly limit: number
  readonly consolidation: Consolidation
}

interface Side {
  readonly seen: Set<string>
  frontier: string[]
}

/**
 * Finds the shortest paths between two entities, then longer ones. The graph is read level by level from both ends,
 * with one statement per level, always on the side with fewer nodes to expand. Once the levels of both sides add up
 * to a length, every edge of every path of that length is known. The last level, and any level that is too large, is
 * read only where it meets nodes seen from the other side. `searched` is the length up to which the response contains
 * every path.
 */
export async function searchPaths(
  ctx: Context,
  question: Question,
  mostSteps = MAX_READ_STEPS,
): Promise<{ paths: string[][]; searched: number; isComplete: boolean }> {
  const { from, to, longest, limit } = question
  const edges = new Map<string, Set<string>>()
  const read = new Set<string>()
  const [first, second] = [beginAt(from), beginAt(to)]
  const effort: Effort = { left: MAX_TRIED_STEPS }
  const paths: string[][] = []
  let left = mostSteps
  for (let length = 1; length <= longest; length++) {
    const [side, other] = first.frontier.length <= second.frontier.length ? [first, second] : [second, first]
    const unread = side.frontier.filter((id) => !read.has(id))
    const level = length < longest ? await stepsFrom(ctx, unread, question, left) : undefined
    const steps = level ?? (await stepsFrom(ctx, unread, question, mostSteps, other.seen))
    if (!steps) return { paths, searched: length - 1, isComplete: false }
    left -= steps.length
    for (const id of unread) read.add(id)
    for (const { near, far } of steps) {
      neighboursOf(edges, near).add(far)
      neighboursOf(edges, far).add(near)
    }
    side.frontier = nextTo(edges, side.frontier, side.seen)
    for (const path of simplePaths(edges, from, to, length, effort)) {
      if (paths.length === limit) return { paths, searched: length - 1, isComplete: false }
      paths.push(path)
    }
    if (effort.left < 0) return { paths, searched: length - 1, isComplete: false }
    if (!level) return { paths, searched: length, isComplete: length === longest }
  }
  return { paths, searched: longest, isComplete: true }
}

const beginAt = (id: string): Side => ({ seen: new Set([id]), frontier: [id] })

function neighboursOf(edges: Map<string, Set<string>>, id: string): Set<string> {
  const known = edges.get(id) ?? new Set()
  edges.set(id, known)
  return known
}

/** The steps from these nodes, or only those to some others; undefined if there are too many. */
async function stepsFrom(
  ctx: Context,
  ids: readonly string[],
  { from, to, via, consolidation }: Question,
  most: number,
  others?: ReadonlySet<string>,
): Promise<{ near: string; far: string }[] | undefined> {
  if (ids.length === 0) return []
  const ways = [
    ...(via === 'observables' ? [] : relationshipSteps(ctx, 'f', { direction: 'any' })),
    ...(via === 'relationships' ? [] : [sharingSteps('f')]),
    ...(via === 'observables' || consolidation === 'unified' ? [] : unifyingSteps(ctx, 'f')),
  ]
  const isUnified = consolidation === 'unified'
  const isFit = and([
    visible(ctx, resourceOf(ctx, 'entities')),
    sql`(${mayBeNode(consolidation)} or t.id in (${from}::uuid, ${to}::uuid))`,
  ])
  const [near, far] = [nodeOf(ctx, consolidation, sql`s.near`), nodeOf(ctx, consolidation, sql`s.far`)]
  const { rows } = await sql<{ near: string; far: string }>`
    with given as materialized (select unnest(${ids}::uuid[]) as id),
    f as materialized (${isUnified ? membersOf(ctx, consolidation, 'given') : sql`select id from given`})
    select s.near, s.far
    from (
      select ${near} as near, ${far} as far
      from (${sql.join(
        ways.map((way) => sql`select near, far from (${way}) as w`),
        sql` union all `,
      )}) as s
      join entities as t on t.id = s.far
      where ${isFit}
    ) as s
    where ${isUnified ? sql`s.near <> s.far` : sql`true`}
      and ${others ? sql`s.far in (select unnest(${[...others]}::uuid[]))` : sql`true`}
    limit ${most + 1}`.execute(ctx.db)
  return rows.length > most ? undefined : rows
}
