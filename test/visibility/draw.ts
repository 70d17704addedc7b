import { type Collection, collections } from '../../server/collections.ts'
import type { Resource } from '../../server/engine/definition.ts'
import type { Storage } from '../../server/engine/storage.ts'
import type { Chance } from './chance.ts'
import { runOf, taskOf } from './holding-ids.ts'
import { type Instance, id, observableValue, stixId, text, url } from './instance.ts'
import { versionOf } from './model.ts'
import { ATTACKS, COLOURS, SHARED_TAGS, TAXONOMIES, VIEWERS, type World } from './world.ts'

type Word = (instance: Instance) => string

/** The names of all objects of a collection in a world, visible or not. */
export function namesIn(world: World, collection: Collection): string[] {
  if (collection === 'entities') return [...world.entities, ...world.stubs].map(({ name }) => name)
  if (collection === 'users') return [...VIEWERS, 'writer']
  if (collection === 'sources') return world.groups.map(({ source }) => source)
  if (collection === 'taxonomies') return [...TAXONOMIES]
  const owners = [...world.holdings.rules, ...world.holdings.enrichers, ...world.holdings.policies]
  const lists: Partial<Record<Collection, readonly { readonly name: string }[]>> = {
    observables: world.observables,
    relationships: world.relationships,
    attachments: world.attachments,
    workspaces: world.workspaces,
    datasets: world.datasets,
    tickets: world.tickets,
    attack_analyses: world.analyses,
    attack_annotations: world.annotations,
    groups: world.groups,
    files: world.holdings.files,
    incoming_feeds: world.holdings.incomingFeeds,
    outgoing_feeds: world.holdings.outgoingFeeds,
    content_blocks: world.holdings.outgoingFeeds.flatMap(({ blocks }) => blocks),
    export_blocks: world.holdings.exports,
    knowledge_packs: world.holdings.packs,
    discovery_rules: world.holdings.rules,
    graphs: world.holdings.graphs,
    saved_queries: world.holdings.queries,
    dashboards: world.holdings.dashboards,
    widgets: world.holdings.dashboards.map(({ widget }) => widget),
    webhooks: world.holdings.webhooks,
    enrichers: world.holdings.enrichers,
    enrichments: world.holdings.enrichments,
    observable_links: world.holdings.observableLinks,
    enricher_definitions: world.holdings.enricherDefinitions,
    enricher_tables: world.holdings.enricherTables,
    detonators: world.holdings.detonators,
    detonations: world.holdings.detonations,
    playbooks: world.holdings.playbooks,
    playbook_runs: world.holdings.playbookRuns,
    consolidation_rules: world.holdings.policies,
    consolidation_configurations: world.holdings.policies.map(({ name }) => ({ name: `configuration of ${name}` })),
    consolidation_events: world.holdings.joinEvents,
    consolidation_suggestions: world.holdings.suggestions,
    task_runs: [...world.holdings.runs, ...owners.map(({ name }) => ({ name: runOf(name) }))],
    tasks: owners.map(({ name }) => ({ name: taskOf(name) })),
  }
  return lists[collection]?.map(({ name }) => name) ?? []
}

/** A random filter on a resource: a field, an operator, and values that occur in this world. */
export function draw(chance: Chance, world: World, resource: Resource, times: readonly string[]): Word {
  const [path, storage] = chance.pick(filterable(resource))
  const isOrdered = 'type' in storage && storage.type !== 'text[]' && storage.type !== 'jsonb'
  const operators = isOrdered ? ['', '', '', '!', '>', '>=', '<', '<='] : ['', '', '', '!']
  const key = `filter[${chance.pick(operators)}${path}]`
  const words = Array.from({ length: chance.pick([1, 1, 2]) }, () =>
    wordFor(chance, world, resource, path, storage, times),
  )
  return (instance) => words.map((word) => `${key}=${encodeURIComponent(word(instance))}`).join('&')
}

function filterable({ collection, fields, search: { filters = {} } = {} }: Resource): [string, Storage][] {
  const own = [...Object.entries(fields), ...Object.entries(filters)].flatMap(
    ([name, { props }]): [string, Storage][] =>
      props.access === 'hidden' || props.access === 'write-only' || name === 'sha256' ? [] : [[name, props.storage]],
  )
  const inside = Object.keys(fields).flatMap((name): [string, Storage][] =>
    name === 'data' || name === 'meta' ? INNER.map((inner) => [`${name}.${inner}`, PLAIN]) : [],
  )
  return [['id', { kind: 'column', type: collections[collection].id }], ...inside, ...own]
}

const INNER = ['description', 'type', 'title', 'alias', 'tlp_color', 'maliciousness', 'source', 'target'] as const
const PLAIN: Storage = { kind: 'column', type: 'text' }

function wordFor(
  chance: Chance,
  world: World,
  resource: Resource,
  path: string,
  storage: Storage,
  times: readonly string[],
): Word {
  if (chance.flip(0.05)) return () => 'null'
  if (path === 'id') return ownId(chance, world, resource.collection)
  if ('to' in storage && storage.to) return reference(chance, world, storage.to)
  if (storage.kind === 'searched') return searchedWord(chance, world, storage.form)
  const type = 'type' in storage ? storage.type : 'text'
  const constant = (words: readonly string[]): Word => {
    const word = chance.pick(words)
    return () => word
  }
  if (type === 'boolean') return constant(['true', 'false'])
  if (type === 'timestamptz') return constant(times)
  if (type === 'integer') return constant(['0', '1', '2', '3', '20'])
  if (type === 'double precision' || type === 'real') return constant(['0.5', '1'])
  return anyText(chance, world)
}

function ownId(chance: Chance, world: World, collection: Collection): Word {
  // The writer is in the groups of all worlds.
  const names = collection === 'users' ? VIEWERS : namesIn(world, collection)
  const name = names.length === 0 ? 'ann' : chance.pick(names)
  return (instance) => id(instance, name)
}

/** An object by its id or URL; one that exists in no world if this world has none. */
function reference(chance: Chance, world: World, to: Collection): Word {
  const names = namesIn(world, to)
  if (names.length === 0) return () => '2147483647'
  const name = chance.pick(names)
  return chance.flip() ? (instance) => id(instance, name) : (instance) => url(instance, to, name)
}

/** A value to search a field for, of a kind that follows from its definition. */
function searchedWord(chance: Chance, world: World, form: string): Word {
  if (form.includes('source')) return reference(chance, world, 'sources')
  if (form.includes('entity')) return reference(chance, world, 'entities')
  const attack = chance.pick(ATTACKS)
  if (form.includes('attack')) return () => attack
  const taxonomy = chance.pick(TAXONOMIES)
  if (form.includes('taxonomy') || form.includes('path')) return () => taxonomy
  const digits = Number(/\d+(?= hexadecimal)/.exec(form)?.[0] ?? 0)
  const algorithm = { 32: 'md5', 40: 'sha1', 64: 'sha256' }[digits]
  const attachment = chance.pick(world.attachments).name
  if (algorithm) return (instance) => id(instance, `${algorithm} of ${attachment}`)
  const shared = chance.pick(SHARED_TAGS)
  if (form.includes('tag') && chance.flip(0.3)) return () => shared
  return anyText(chance, world)
}

/** Any text of a world: titles, parts of them, tags, values, names. */
export function anyText(chance: Chance, world: World): Word {
  const entity = chance.pick(world.entities)
  const version = versionOf(entity, chance.below(entity.states.length))
  const observable = chance.pick(world.observables)
  const named = chance.pick([...world.datasets, ...world.workspaces, ...world.tickets, ...world.relationships]).name
  const attachment = chance.pick(world.attachments).name
  const colour = String(chance.pick(COLOURS) ?? 'NONE')
  return chance.pick<Word>([
    (instance) => text(instance, version),
    (instance) => `"${text(instance, version)}"`,
    (instance) => `${text(instance, entity.name)}*`,
    (instance) => `${instance.code}*`,
    (instance) => text(instance, `${version}tag`),
    (instance) => `About ${text(instance, `${version}text`)}.`,
    (instance) => stixId(instance, entity.name, entity.type),
    (instance) => observableValue(instance, observable),
    (instance) => text(instance, named),
    (instance) => `${text(instance, attachment)}.txt`,
    () => observable.type,
    () => entity.type,
    () => colour,
  ])
}
