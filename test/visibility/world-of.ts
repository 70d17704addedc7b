import { entityTypes } from '../../server/intelligence/entities/entity-data.ts'
import { analysesOf, annotationsOf } from './analysing.ts'
import { type Chance, chanceOf, named } from './chance.ts'
import { holdingsOf } from './holdings.ts'
import {
  ALLOWED,
  ATTACKS,
  COLOURS,
  type Entity,
  type Group,
  NAMING,
  OBSERVABLE_TYPES,
  type Observable,
  type Relationship,
  SHARED_TAGS,
  type State,
  type Stub,
  TAXONOMIES,
  VERDICTS,
  type Verdict,
  VIEWERS,
  type World,
} from './world.ts'

const CONSOLIDATED_TYPES = ['indicator', 'malware', 'threat-actor', 'location'] as const

const KEYS = ['', 'related-to', 'uses', 'indicates'] as const

/** The world of a seed. */
export function worldOf(seed: number): World {
  const chance = chanceOf(seed)
  const groups = groupsOf(chance)
  const sources = groups.map(({ source }) => source)
  const workspaces = named(chance, 'workspace', 1, 3)
  const linked = named(chance, 'dataset', 1, 3)
  // With choices of their own, so that the rest of a world does not depend on them.
  const apart = chanceOf(~seed)
  const dynamic = named(apart, 'dynamic', 0, 1)
  const datasets = [...linked, ...dynamic]
  const attachments = named(chance, 'attachment', 1, 4)
  const observables = named(chance, 'observable', 3, 8)
  const entities = named(chance, 'entity', 4, 12).map((name): Entity => {
    const states = Array.from({ length: chance.pick([1, 1, 1, 2, 3]) }, (_, i) =>
      stateOf(chance, `${name}v${i}`, sources, observables),
    )
    return {
      name,
      type: chance.pick(entityTypes),
      states: states as unknown as Entity['states'],
      attachments: chance.some(attachments, 0.25),
      datasets: chance.some(linked, 0.35),
      refersTo: chance.flip(0.15) ? `stub${name}` : null,
      unifies: [],
    }
  })
  const ends = entities.map(({ name }) => name)
  const unified = unifiedOf(chance, entities, sources, linked)
  const all = [...ends, ...unified.map(({ name }) => name)]
  const relationships = relationshipsOf(chance, ends, sources)
  const analyses = analysesOf(apart, all, datasets)
  const farSighted = chance.some(VIEWERS, 0.2)
  const observed = observables.map((name): Observable => {
    const isLinked = entities.some(({ states }) => states.some((state) => state.observables.includes(name)))
    const own = chance.some(sources, 0.25)
    const type = chance.pick(OBSERVABLE_TYPES)
    const of = isLinked || own.length > 0 ? own : [chance.pick(sources)]
    return { name, type, sources: of, verdicts: of.map(() => verdictOf(chance)) }
  })
  return {
    seed,
    groups,
    farSighted,
    entities: [...entities, ...unified],
    stubs: [...entities.flatMap(stubsIn), ...relationships.flatMap(stubsAt)],
    relationships,
    observables: observed,
    attachments: attachments.map((name, i) => ({
      name,
      creator: chance.pick(['writer', 'writer', 'writer', ...VIEWERS]),
      content: `content${i > 0 && chance.flip(0.3) ? i - 1 : i}`,
    })),
    workspaces: workspaces.map((name) => ({
      name,
      isPublic: chance.flip(0.2),
      collaborators: chance.some(VIEWERS, 0.3),
      groups: chance.some(groups, 0.25).map((group) => group.name),
      entities: chance.some(all, 0.3),
    })),
    datasets: datasets.map((name) => {
      const own = chance.some(workspaces, 0.5)
      const query = dynamic.includes(name) ? `${NAMING} OR meta.attacks:"${ATTACKS[0]}"` : null
      return {
        name,
        query,
        workspaces: own.length > 0 ? own : [chance.flip(0.3) ? 'default' : chance.pick(workspaces)],
      }
    }),
    tickets: named(chance, 'ticket', 1, 2).map((name) => ({
      name,
      // One at most: users who remove a ticket from the last workspace that they see can tell whether it is in others.
      workspaces: chance.flip(0.2) ? [] : [chance.pick(workspaces)],
      entities: chance.some(all, 0.4),
    })),
    analyses,
    annotations: annotationsOf(apart, analyses),
    holdings: holdingsOf(chance, {
      groups,
      entities: all,
      unified,
      relationships: relationships.map(({ name }) => name),
      observables,
      addresses: observed.flatMap(({ name, type }) => (type === 'uri' ? name : [])),
      attachments,
      workspaces,
      datasets,
    }),
  }
}

function groupsOf(chance: Chance): Group[] {
  const teams = named(chance, 'group', 2, 4)
  const names = [...teams, ...named(chance, 'finders', 1, 2)]
  const sources = names.map((_, i) => `source${i}`)
  return names.map((name, i) => ({
    name,
    source: sources[i] ?? '',
    isEnrichers: i >= teams.length,
    members: i < teams.length ? chance.some(VIEWERS, 0.6) : [],
    allows: chance.some(sources, 0.55).map((source) => ({ source, upTo: chance.pick(ALLOWED) })),
  }))
}

const stateOf = (chance: Chance, name: string, sources: readonly string[], observables: readonly string[]): State => ({
  source: chance.pick(sources),
  colour: chance.pick(COLOURS),
  tags: [...chance.some([`${name}tag`], 0.6), ...chance.some(SHARED_TAGS, 0.3)],
  taxonomies: chance.some(TAXONOMIES, 0.3),
  attacks: chance.some(ATTACKS, 0.3),
  observables: chance.some(observables, 0.25),
  verdict: verdictOf(chance),
})

/** Entities that unify others. No entity contributes to two of them. They show observables of their contributors. */
function unifiedOf(
  chance: Chance,
  entities: readonly Entity[],
  sources: readonly string[],
  datasets: readonly string[],
): Entity[] {
  const shuffled = chance.some(entities, 0.5)
  const groups = [shuffled.slice(0, 2 + chance.below(2)), shuffled.slice(3, 5)].filter(({ length }) => length > 1)
  return groups.map((contributors, i): Entity => {
    const observables = contributors.flatMap(({ states }) => states.at(-1)?.observables ?? [])
    const state = stateOf(chance, `unified${i}v0`, sources, observables)
    return {
      name: `unified${i}`,
      type: chance.pick(CONSOLIDATED_TYPES),
      states: [{ ...state, observables: [...new Set(state.observables)], verdict: undefined }],
      attachments: [],
      datasets: chance.some(datasets, 0.35),
      refersTo: null,
      unifies: contributors.map(({ name }) => name),
    }
  })
}

/** Most have no verdict. */
const verdictOf = (chance: Chance): Verdict | undefined => (chance.flip(0.4) ? chance.pick(VERDICTS) : undefined)

function relationshipsOf(chance: Chance, entities: readonly string[], sources: readonly string[]): Relationship[] {
  const made = named(chance, 'relationship', 3, 9).map((name): Relationship => {
    const from = chance.pick(entities)
    const others = entities.filter((other) => other !== from)
    const own = chance.some(sources, 0.4)
    return {
      name,
      from,
      to: chance.flip(0.15) ? `stub${name}` : chance.pick(others),
      key: chance.pick(KEYS),
      isUpdate: chance.flip(0.25),
      sources: own.length > 0 ? own : [chance.pick(sources)],
      colour: chance.pick(COLOURS),
    }
  })
  // The same ends and key would be the same relationship.
  return [...new Map(made.map((each) => [`${each.from} ${each.to} ${each.key} ${each.isUpdate}`, each])).values()]
}

const stubsIn = ({ refersTo, states: [{ source, colour }] }: Entity): Stub[] =>
  refersTo === null ? [] : [{ name: refersTo, source, colour }]

const stubsAt = ({ to, sources, colour }: Relationship): Stub[] =>
  to.startsWith('stub') ? [{ name: to, source: sources[0] ?? '', colour }] : []
