import { makeId } from '../../engine/ids.ts'
import { Components } from './components.ts'
import type { UnifiedGroup } from './composing/store-unified.ts'
import type { Coverage } from './coverage.ts'
import { keepIdentities } from './identity.ts'
import { groupSubjects } from './matching/group.ts'
import { isAssigned } from './matching/keys.ts'
import type { Neighbour } from './neighbourhood.ts'

/** More entities that are connected with each other through keys are joined only by persons. */
const MAX_COMPONENT = 5000

/** A unified entity as it should be. */
export interface Group extends UnifiedGroup {
  /** The key that each contributor was joined by. */
  readonly joins: ReadonlyMap<string, string>
}

/** Two entities that may be the same thing. */
export interface Suggested {
  readonly first: string
  readonly second: string
  readonly keys: readonly string[]
}

export interface Decided {
  readonly groups: readonly Group[]
  readonly suggestions: readonly Suggested[]
  /** How many entities were not joined because a group was full. */
  readonly full: number
  /** The policies with entities that are connected with too many others. */
  readonly overgrown: ReadonlySet<number>
}

/** Which entities of the neighbourhood belong together. `refused` are the pairs that are not the same. */
export function decide(
  coverage: Coverage,
  neighbours: readonly Neighbour[],
  refused: ReadonlySet<string>,
  assignedSources: ReadonlyMap<string, number>,
): Decided {
  const known = new Map(neighbours.filter(isPresent).map((each) => [each.entity, each]))
  const present = [...known.values()]
  const unified = new Map(
    present.flatMap(({ entity, membership }) => (membership ? [[entity, membership.unified]] : [])),
  )
  const components = new Components(present)
  const overgrown = present.filter(({ entity }) => components.sizeOf(entity) > MAX_COMPONENT)
  const { groups, suggestions, full } = groupSubjects(
    present.map((each) => asSubject(coverage, each, components.sizeOf(each.entity) > MAX_COMPONENT)),
    {
      exempt: new Set(present.filter(({ is_exempt }) => is_exempt).map(({ entity }) => entity)),
      refused,
      switchedOff: new Set(present.flatMap(({ off }) => off)),
      frozen: coverage.frozen,
      current: unified,
    },
  )
  const isCore = (entity: string): boolean => known.get(entity)?.is_core === true
  const blocks = groups.flatMap(({ members, joins }) => {
    const contributors = members.flatMap((member) => known.get(member) ?? [])
    const policy = lowest(contributors.map(({ subject }) => coverage.policyOf(subject.type, subject.source)))
    const source = policy === null ? sourceAssigned(contributors, assignedSources) : coverage.sourceOf(policy)
    // Where the source of the merge group is gone, nothing can be unified.
    return source === null || !members.some(isCore) ? [] : [{ members, contributors, joins, policy, source }]
  })
  const stixIds = new Map(present.map(({ entity, subject }) => [entity, subject.stix_id]))
  const kept = keepIdentities(blocks, unified, stixIds)
  const unifiedStixIds = new Map(present.flatMap(({ membership: m }) => (m ? [[m.unified, m.stix_id]] : [])))
  return {
    groups: blocks.map(({ members, contributors, joins, policy, source }, i) => {
      const [first] = contributors as [Present]
      const { type } = first.subject
      const id = kept[i] ?? makeId()
      return {
        unified: id,
        stixId: unifiedStixIds.get(id) ?? `${type}--${id}`,
        isNew: !unifiedStixIds.has(id),
        type,
        policy,
        source,
        choices: coverage.choicesOf(
          policy,
          type,
          contributors.map(({ subject }) => subject.source),
        ),
        contributors: members,
        joins,
      }
    }),
    suggestions: suggestions.filter(({ first, second }) => isCore(first) || isCore(second)),
    full,
    overgrown: new Set(overgrown.flatMap(({ subject }) => coverage.policyOf(subject.type, subject.source) ?? [])),
  }
}

type Present = Neighbour & { readonly subject: NonNullable<Neighbour['subject']> }

const isPresent = (neighbour: Neighbour): neighbour is Present => neighbour.subject !== null

function asSubject(coverage: Coverage, { entity, subject, keys }: Present, isOvergrown: boolean) {
  const { stix_id, type, source, title } = subject
  return {
    entity,
    stixId: stix_id,
    type,
    source,
    title,
    keys: isOvergrown ? keys.filter(isAssigned) : keys,
    policy: coverage.policyOf(type, source),
  }
}

const lowest = (policies: readonly (number | null)[]): number | null =>
  policies.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null)

/** The source of the oldest group of persons that joined these entities; null if it does not exist any more. */
function sourceAssigned(contributors: readonly Present[], sources: ReadonlyMap<string, number>): number | null {
  const known = contributors.flatMap(({ keys }) => keys.filter((key) => sources.has(key))).sort()
  return sources.get(known[0] ?? '') ?? null
}
