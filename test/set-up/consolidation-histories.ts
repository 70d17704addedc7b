import { sql } from 'kysely'
import { assignTogether } from '../../server/automation/consolidation/manual.ts'
import type { Candidate } from '../../server/automation/consolidation/matching/blocks.ts'
import { groupSubjects } from '../../server/automation/consolidation/matching/group.ts'
import { MAX_KEY_MEMBERS } from '../../server/automation/consolidation/matching/keys.ts'
import { subjectOf } from '../../server/automation/consolidation/matching/subject.ts'
import { regroup } from '../../server/automation/consolidation/regroup.ts'
import type { startApp } from '../app.ts'
import type { consolidating } from './consolidation.ts'

type Corvus = Awaited<ReturnType<typeof startApp>>
type Tools = ReturnType<typeof consolidating>

/** A random number generator that a seed determines. */
export function randomBy(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number): number => Math.floor(next() * most)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((item) => ({ item, rank: next() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item)
  return { below, pick, shuffled, chance: (probability: number) => next() < probability }
}

export type Random = ReturnType<typeof randomBy>

const TITLES = ['Grey Heron', 'Night Heron', 'Bittern', 'Little Egret', 'Spoonbill', 'Crane']

const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** The STIX id of an entity of a history. */
export const stixIdOf = (n: number): string => `malware--${uuidOf(n)}`

/** A random entity with a number. */
export function randomEntity(random: Random, n: number, sources: readonly string[]): object {
  const title = random.pick(TITLES)
  const others = TITLES.filter((each) => each !== title)
  return {
    data: {
      type: 'malware',
      id: stixIdOf(n),
      title: random.chance(0.3) ? title.toUpperCase() : title,
      description: `Number ${random.below(1000)}.`,
      ...(random.chance(0.5) && { aliases: random.shuffled(others).slice(0, random.below(3)) }),
      ...(random.chance(0.3) && {
        external_references: [{ source_name: 'mitre-attack', external_id: `S000${random.below(3)}` }],
      }),
    },
    meta: { tlp_color: random.pick(['WHITE', 'GREEN', 'AMBER']) },
    sources: [random.pick(sources)],
  }
}

/** What people decide about the entities of a history, by their numbers. Whatever comes first, no decision revokes another. */
export interface Decided {
  readonly assigned: readonly (readonly number[])[]
  readonly exempt: readonly number[]
  readonly refused: readonly (readonly [number, number])[]
}

export function randomDecisions(random: Random, count: number): Decided {
  const numbers = random.shuffled(Array.from({ length: count }, (_, i) => i))
  const assigned = [numbers.slice(0, 2), numbers.slice(2, 5)].slice(0, random.below(3))
  const rest = numbers.slice(5)
  const refused = Array.from({ length: random.below(4) }, (): [number, number] => {
    const [a = 0, b = 1] = random.shuffled(rest)
    return a < b ? [a, b] : [b, a]
  })
  return { assigned, exempt: rest.filter(() => random.chance(0.1)), refused }
}

/** Functions that carry out histories. */
export function histories(corvus: Corvus, tools: Tools, user: number) {
  const idsOf = async (numbers: readonly number[]): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`
      select e.id from unnest(${numbers.map(stixIdOf)}::text[]) with ordinality as i(stix_id, n)
      join entities as e on e.stix_id = i.stix_id
      order by i.n`.execute(corvus.db)
    return rows.map(({ id }) => id)
  }
  return {
    idsOf,
    /** Removes everything that a history left. */
    clear: async (): Promise<void> => {
      await sql`truncate contributors, match_subjects, match_keys, switched_off_keys, assigned_groups, consolidation_exemptions,
        consolidation_suggestions, consolidation_events, unified_entities`.execute(corvus.db)
      await sql`delete from entities`.execute(corvus.db)
    },
    assign: async (numbers: readonly number[]): Promise<void> => {
      const ids = await idsOf(numbers)
      await tools.inside((ctx) => assignTogether(ctx, ids), user)
    },
    exempt: async (n: number): Promise<void> => {
      const [id = ''] = await idsOf([n])
      await tools.inside(async (ctx) => {
        await sql`insert into consolidation_exemptions (entity) values (${id}) on conflict do nothing`.execute(ctx.db)
        return regroup(ctx, [id])
      })
    },
    refuse: async (pair: readonly [number, number]): Promise<void> => {
      const [first = '', second = ''] = await idsOf(pair)
      await tools.inside(async (ctx) => {
        await sql`
          insert into consolidation_suggestions (first, second, type, reasons, state)
          values (${first}, ${second}, 'malware', '[]', 'refused')
          on conflict (first, second) do update set state = 'refused'`.execute(ctx.db)
        return regroup(ctx, [first, second])
      })
    },
    /** What consolidation made of the entities, without ids and times. */
    result: async () => {
      const unified = await tools.unified()
      const { rows } = await sql<{ pair: string }>`
        select a.stix_id || ' ' || b.stix_id || ' ' || s.state as pair
        from consolidation_suggestions as s join entities as a on a.id = s.first join entities as b on b.id = s.second
        order by 1`.execute(corvus.db)
      return { groups: unified.map(({ contributors }) => contributors), pairs: rows.map(({ pair }) => pair) }
    },
    /** What the definition makes of everything that is stored, at once. */
    naive: async (policy: number) => expectation(corvus, policy),
  }
}

interface Row {
  readonly id: string
  readonly stix_id: string
  readonly type: string
  readonly source: number
  readonly data: Record<string, unknown>
  readonly assigned: string[]
  readonly is_exempt: boolean
}

async function expectation({ db }: Corvus, policy: number) {
  const { rows } = await sql<Row>`
    select e.id, e.stix_id, e.type, e.vis >> 3 as source, e.data,
      array(select k.key from match_keys as k where k.entity = e.id and k.key like 'assigned:%') as assigned,
      exists (select from consolidation_exemptions as x where x.entity = e.id) as is_exempt
    from entities as e where not e.is_unified`.execute(db)
  const subjects = rows.map((row): Candidate => {
    const subject = subjectOf({ ...row, observables: [] })
    return { ...subject, keys: [...row.assigned, ...subject.keys], policy }
  })
  const counts = Map.groupBy(
    subjects.flatMap(({ keys }) => keys),
    (key) => key,
  )
  const { rows: refused } = await sql<{ first: string; second: string }>`
    select first, second from consolidation_suggestions where state = 'refused'`.execute(db)
  const { groups, suggestions } = groupSubjects(subjects, {
    exempt: new Set(rows.filter(({ is_exempt }) => is_exempt).map(({ id }) => id)),
    refused: new Set(refused.map(({ first, second }) => `${first} ${second}`)),
    switchedOff: new Set([...counts].filter(([, { length }]) => length > MAX_KEY_MEMBERS).map(([key]) => key)),
    frozen: new Set(),
    current: new Map(),
  })
  const stixIds = new Map(rows.map(({ id, stix_id }) => [id, stix_id]))
  const named = (id: string): string => stixIds.get(id) ?? ''
  return {
    groups: groups.map(({ members }) => members.map(named).sort()).sort((a, b) => (String(a) < String(b) ? -1 : 1)),
    pairs: [
      ...suggestions.map(({ first, second }) => `${named(first)} ${named(second)} open`),
      ...refused.map(({ first, second }) => `${named(first)} ${named(second)} refused`),
    ].sort(),
  }
}
