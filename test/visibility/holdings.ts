import type { Chance } from './chance.ts'
import { named } from './chance.ts'
import { type Consolidating, consolidatingOf } from './consolidating.ts'
import { type Detonating, detonatingOf } from './detonating.ts'
import { type Enriching, enrichingOf } from './enriching.ts'
import { type Playing, playingOf } from './playing.ts'
import { ALLOWED, type Ceiling, type Entity, type Group, type Person, VIEWERS } from './world.ts'

/** The outcome of one object of a document; `of` is the object it is about, or null. */
export interface OutcomeLine {
  readonly name: string
  readonly kind: 'entity' | 'relationship' | 'observable' | 'part'
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'lost'
  readonly of: string | null
}

export interface StoredFile {
  readonly name: string
  readonly owner: Person
  /** Who started the run that processed it. */
  readonly starter: Person
  readonly workspaces: readonly string[]
  readonly entities: readonly string[]
  readonly lines: readonly OutcomeLine[]
}

export interface IncomingBlob {
  readonly name: string
  readonly lines: readonly OutcomeLine[]
}

export interface IncomingFeed {
  readonly name: string
  readonly source: string
  readonly blobs: readonly IncomingBlob[]
}

export interface OutgoingFeed {
  readonly name: string
  readonly owner: Person
  readonly groups: readonly string[]
  readonly datasets: readonly string[]
  /** The sources of its possible content, and its highest TLP colour. */
  readonly sources: readonly string[]
  readonly upTo: Ceiling
  readonly isTaxii: boolean
  readonly blocks: readonly Owned[]
  /** The objects in its TAXII collection. */
  readonly objects: readonly Named[]
}

interface Named {
  readonly name: string
}

interface Owned extends Named {
  readonly owner: Person
}

export interface KnowledgePack extends Named {
  readonly datasets: readonly string[]
  readonly workspaces: readonly string[]
  readonly incomingFeeds: readonly string[]
}

export interface DiscoveryRule extends Owned {
  readonly workspaces: readonly string[]
  readonly entities: readonly string[]
}

export interface Graph extends Named {
  readonly workspace: string
  readonly entities: readonly string[]
  readonly observables: readonly string[]
}

export interface Shareable extends Owned {
  readonly isShared: boolean
}

export interface Dashboard extends Shareable {
  readonly widget: { readonly name: string; readonly type: 'number' | 'list' | 'bar' | 'attack-matrix' }
}

/** The objects that users own, run and publish in addition to intelligence. */
export interface Holdings extends Enriching, Consolidating, Detonating, Playing {
  readonly files: readonly StoredFile[]
  readonly incomingFeeds: readonly IncomingFeed[]
  readonly outgoingFeeds: readonly OutgoingFeed[]
  readonly packs: readonly KnowledgePack[]
  readonly rules: readonly DiscoveryRule[]
  readonly graphs: readonly Graph[]
  readonly queries: readonly Shareable[]
  readonly dashboards: readonly Dashboard[]
  readonly webhooks: readonly Owned[]
  /** Runs of a task that everybody may start, and their findings. */
  readonly runs: readonly Owned[]
  readonly exports: readonly Owned[]
}

/** The names that holdings can refer to. */
export interface Surroundings {
  readonly groups: readonly Group[]
  readonly entities: readonly string[]
  readonly unified: readonly Entity[]
  readonly relationships: readonly string[]
  readonly observables: readonly string[]
  /** The observables that are addresses. */
  readonly addresses: readonly string[]
  readonly attachments: readonly string[]
  readonly workspaces: readonly string[]
  readonly datasets: readonly string[]
}

const PEOPLE: readonly Person[] = ['writer', 'writer', ...VIEWERS]

/** Random holdings. */
export function holdingsOf(chance: Chance, around: Surroundings): Holdings {
  const possessions = possessionsOf(chance, around)
  const names = (list: readonly Named[]) => list.map(({ name }) => name)
  const files = names(possessions.files)
  const { entities, observables, attachments, addresses } = around
  const sources = around.groups.flatMap(({ source, isEnrichers }) => (isEnrichers ? [] : source))
  const people: readonly Person[] = ['writer', ...VIEWERS]
  const detonating = detonatingOf(chance, sources, { files, attachments, addresses, entities }, people)
  const made = {
    entities,
    observables,
    files,
    tickets: ['ticket0'],
    exports: names(possessions.exports),
    detonations: names(detonating.detonations),
  }
  return { ...possessions, ...detonating, ...playingOf(chance, made, people) }
}

function possessionsOf(chance: Chance, around: Surroundings): Omit<Holdings, keyof (Detonating & Playing)> {
  const { groups, entities, observables, workspaces, datasets } = around
  const sourcesOf = (isEnrichers: boolean) =>
    groups.filter((group) => group.isEnrichers === isEnrichers).map(({ source }) => source)
  const sources = sourcesOf(false)
  const owned = (kind: string, least: number, most: number): Owned[] =>
    named(chance, kind, least, most).map((name) => ({ name, owner: chance.pick(PEOPLE) }))
  const firstSource = chance.below(sources.length)
  const incomingFeeds = named(chance, 'inflow', 1, 2).map((name, i) => ({
    name,
    // No two feeds have the same one.
    source: sources[(firstSource + i) % sources.length] ?? '',
    blobs: named(chance, `${name}blob`, 1, 2).map((blob) => ({ name: blob, lines: linesOf(chance, blob, around) })),
  }))
  return {
    files: owned('file', 1, 3).map((file) => ({
      ...file,
      starter: chance.pick([file.owner, ...PEOPLE]),
      workspaces: chance.some(workspaces, 0.4),
      entities: chance.some(entities, 0.3),
      lines: linesOf(chance, file.name, around),
    })),
    incomingFeeds,
    outgoingFeeds: owned('outflow', 1, 2).map((feed) => ({
      ...feed,
      groups: chance.some(groups, 0.25).map((group) => group.name),
      datasets: chance.some(datasets, 0.5),
      sources: chance.some(sources, 0.4),
      upTo: chance.pick(ALLOWED),
      isTaxii: chance.flip(),
      blocks: named(chance, `${feed.name}block`, 0, 2).map((name) => ({ name, owner: feed.owner })),
      objects: named(chance, `${feed.name}object`, 1, 3).map((name) => ({ name })),
    })),
    packs: named(chance, 'pack', 1, 1).map((name) => ({
      name,
      datasets: chance.some(datasets, 0.5),
      workspaces: chance.some(workspaces, 0.4),
      incomingFeeds: chance.some(incomingFeeds, 0.5).map((feed) => feed.name),
    })),
    rules: owned('rule', 1, 2).map((rule) => ({
      ...rule,
      workspaces: chance.some(workspaces, 0.5),
      entities: chance.some(entities, 0.3),
    })),
    graphs: named(chance, 'graph', 1, 2).map((name) => ({
      name,
      workspace: chance.pick(workspaces),
      entities: chance.some(entities, 0.3),
      observables: chance.some(observables, 0.3),
    })),
    queries: owned('query', 1, 2).map((query) => ({ ...query, isShared: chance.flip() })),
    dashboards: owned('dashboard', 1, 2).map((dashboard, i) => ({
      ...dashboard,
      isShared: chance.flip(),
      widget: { name: `widget${i}`, type: chance.pick(['number', 'list', 'bar', 'attack-matrix'] as const) },
    })),
    webhooks: owned('webhook', 1, 2),
    runs: owned('run', 1, 2),
    exports: owned('export', 1, 2),
    ...enrichingOf(chance, sourcesOf(true), observables, PEOPLE),
    ...consolidatingOf(
      chance,
      groups.map((group) => group.name),
      entities.filter((name) => !around.unified.some((unified) => unified.name === name)),
      around.unified,
      PEOPLE,
    ),
  }
}

function linesOf(chance: Chance, document: string, { entities, relationships, observables }: Surroundings) {
  return named(chance, `${document}line`, 1, 4).map((name): OutcomeLine => {
    const kind = chance.pick(['entity', 'entity', 'relationship', 'observable', 'part'] as const)
    const of = { entity: entities, relationship: relationships, observable: observables, part: [] }[kind]
    if (kind === 'part' || of.length === 0) return { name, kind: 'part', outcome: 'lost', of: null }
    return { name, kind, outcome: chance.pick(['created', 'updated', 'unchanged']), of: chance.pick(of) }
  })
}
