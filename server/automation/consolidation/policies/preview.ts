import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { toUrl } from '../../../engine/reference.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { uuidList } from '../../../fast/binary-arrays.ts'
import { sourceOf } from '../../../identity/access/visibility.ts'
import type { Group } from '../matching/group.ts'
import { describeKey, isAssigned, MAX_KEY_MEMBERS, rankOf } from '../matching/keys.ts'
import type { Subject } from '../matching/subject.ts'
import { groupInThread } from './group-in-thread.ts'
import { coveredEntities, judge, type Scope } from './judged-entities.ts'
import { seenSwitchedOff } from './switched-off.ts'

/** A preview judges at most this many of the newest entities, and reads them for at most this time. */
const MAX_JUDGED = 20_000
const MAX_MS = 6000
const MAX_SAMPLES = 20
const MAX_SWITCHED_OFF = 100

/** Stands for the policy in a preview, which may have no id yet. */
const PREVIEWED = 0

/** What a policy with these configurations would join among the entities that the caller sees. Stores nothing. */
export async function preview(ctx: Context, policy: number | null, scopes: readonly Scope[]) {
  const deadline = Date.now() + MAX_MS
  const covered = await coveredEntities(ctx, policy, scopes, MAX_JUDGED + 1)
  const subjects = await judge(ctx, covered.slice(0, MAX_JUDGED), deadline)
  const ids = subjects.map(({ entity }) => entity)
  const switchedOff = await switchedOffAmong(ctx, subjects)
  const { groups, suggestions } = await groupInThread(
    subjects.map((subject) => ({ ...subject, policy: PREVIEWED })),
    {
      exempt: await exemptAmong(ctx, ids),
      refused: await refusedAmong(ctx, ids),
      switchedOff: new Set(switchedOff.keys()),
      frozen: new Set(),
      current: new Map(),
    },
  )
  const types = new Map(subjects.map(({ entity, type }) => [entity, type]))
  const typeOf = ({ members: [first = ''] }: Group): string => types.get(first) ?? ''
  return {
    judged: subjects.length,
    is_sample: subjects.length < covered.length,
    groups: groups.length,
    contributors: sizeOf(groups),
    by_type: [...Map.groupBy(groups, typeOf)]
      .map(([type, same]) => ({ type, groups: same.length, contributors: sizeOf(same) }))
      .sort((a, b) => b.groups - a.groups || (a.type < b.type ? -1 : 1)),
    by_key: countKinds(groups),
    suggestions: suggestions.length,
    samples: await samplesOf(ctx, groups, typeOf),
    switched_off: [...switchedOff]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_SWITCHED_OFF)
      .map(([key, members]) => ({ ...describeKey(key), members })),
  }
}

const sizeOf = (groups: readonly Group[]): number => groups.reduce((total, { members }) => total + members.length, 0)

/** How many entities were joined by keys of each kind, from the strongest. */
function countKinds(groups: readonly Group[]): { kind: string; count: number }[] {
  const keys = groups.flatMap(({ joins }) => [...joins.values()]).sort((a, b) => rankOf(a) - rankOf(b))
  const byKind = Map.groupBy(keys, (key) => describeKey(key).kind as string)
  return [...byKind].map(([kind, same]) => ({ kind, count: same.length }))
}

/** The keys that too many of these entities share, and those that are switched off by more that the caller sees, with their numbers of members. */
async function switchedOffAmong(ctx: Context, subjects: readonly Subject[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { keys } of subjects) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const known = await seenSwitchedOff(ctx, sql`x.key = any(${[...counts.keys()]}::text[] collate "C")`, counts.size)
  const shared = [...counts].filter(([key, members]) => members > MAX_KEY_MEMBERS && !isAssigned(key))
  return new Map([...shared, ...known.map(({ key, members }): [string, number] => [key, members])])
}

async function exemptAmong({ db }: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ entity: string }>`
    select entity from consolidation_exemptions where entity = any(${uuidList(ids)}::uuid[])`.execute(db)
  return new Set(rows.map(({ entity }) => entity))
}

/** The pairs of which both are among these entities. */
async function refusedAmong({ db }: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ first: string; second: string }>`
    select first, second from consolidation_suggestions
    where state = 'refused' and first = any(${uuidList(ids)}::uuid[]) and second = any(${uuidList(ids)}::uuid[])`.execute(
    db,
  )
  return new Set(rows.map(({ first, second }) => `${first} ${second}`))
}

/** The largest groups of each type, in turn, so that a type with many does not hide the others. */
function picked(groups: readonly Group[], typeOf: (group: Group) => string): Group[] {
  const byType = [...Map.groupBy(groups, typeOf).values()].map((same) =>
    [...same].sort((a, b) => b.members.length - a.members.length),
  )
  const turns = Array.from({ length: MAX_SAMPLES }, (_, turn) => byType.flatMap((same) => same[turn] ?? []))
  return turns.flat().slice(0, MAX_SAMPLES)
}

interface Shown {
  readonly id: string
  readonly title: string
  readonly source_name: string
}

async function samplesOf(ctx: Context, groups: readonly Group[], typeOf: (group: Group) => string) {
  const samples = picked(groups, typeOf)
  const { rows } = await sql<Shown>`
    select t.id, coalesce(nullif(t.meta ->> 'alias', ''), t.data ->> 'title', '') as title, s.name as source_name
    from entities as t join sources as s on s.number = ${sourceOf(sql`t.vis`)}
    where t.id = any(${uuidList(samples.flatMap(({ members }) => members))}::uuid[])
      and ${visible(ctx, resourceOf(ctx, 'entities'))}`.execute(ctx.db)
  const shown = new Map(rows.map((row) => [row.id, row]))
  return samples.map((group) => {
    const contributors = group.members.flatMap((member) => shown.get(member) ?? [])
    const keys = [...new Set(group.joins.values())].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    return {
      type: typeOf(group),
      title: contributors[0]?.title ?? '',
      contributors: contributors.map(({ id, title, source_name }) => ({
        entity: toUrl(ctx.baseUrl, 'entities', id),
        title,
        source_name,
      })),
      keys: keys.map(describeKey),
    }
  })
}
