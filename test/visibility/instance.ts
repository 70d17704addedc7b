import { createHash } from 'node:crypto'
import { collections } from '../../server/collections.ts'
import { BASE } from '../app.ts'
import type { Observable, Viewer, World } from './world.ts'

/** A world in the database: its ids, and the tokens of its viewers. */
export interface Instance {
  readonly world: World
  /** The prefix of every text of this instance, and of no other. */
  readonly code: string
  readonly number: number
  readonly tokens: Readonly<Record<Viewer, string>>
  /** Ids by name and names by id. */
  readonly ids: Map<string, string>
  readonly names: Map<string, string>
}

/** The first integer ids of each collection, so that they can be told from other numbers, and from each other. */
export const FIRST_IDS = {
  observables: 1_100_000_000,
  datasets: 1_200_000_000,
  tickets: 1_300_000_000,
  ticket_comments: 1_310_000_000,
  ticket_history: 1_320_000_000,
  enrichers: 1_330_000_000,
  detonators: 1_335_000_000,
  playbooks: 1_336_000_000,
  enrichments: 1_340_000_000,
  observable_links: 1_350_000_000,
  enricher_definitions: 1_360_000_000,
  enricher_tables: 1_370_000_000,
  consolidation_rules: 1_380_000_000,
  consolidation_configurations: 1_390_000_000,
  consolidation_events: 1_640_000_000,
  consolidation_suggestions: 1_645_000_000,
  attack_analyses: 1_660_000_000,
  attack_annotations: 1_665_000_000,
  framework_loads: 1_670_000_000,
  framework_reviews: 1_675_000_000,
  workspaces: 1_400_000_000,
  workspace_comments: 1_410_000_000,
  users: 1_500_000_000,
  groups: 1_600_000_000,
  tasks: 1_650_000_000,
  files: 2_000_000_000,
  file_outcomes: 2_010_000_000,
  incoming_feeds: 2_020_000_000,
  incoming_blobs: 2_030_000_000,
  outgoing_feeds: 2_040_000_000,
  content_blocks: 2_050_000_000,
  export_blocks: 2_060_000_000,
  knowledge_packs: 2_070_000_000,
  discovery_rules: 2_080_000_000,
  graphs: 2_090_000_000,
  saved_queries: 2_100_000_000,
  dashboards: 2_110_000_000,
  widgets: 2_120_000_000,
  webhooks: 2_130_000_000,
} as const

/** The number of a user, group or source within an instance. */
export const numbered = (instance: number, place: number): number => instance * 10 + place

/** An instance without objects. */
export function instanceOf(
  world: World,
  number: number,
  tokens: Instance['tokens'],
  shared: ReadonlyMap<string, string>,
): Instance {
  const instance: Instance = {
    world,
    number,
    tokens,
    code: `zq${String(number).padStart(5, '0')}x`,
    ids: new Map(shared),
    names: new Map(),
  }
  register(instance, 'ann', FIRST_IDS.users + numbered(number, 0))
  register(instance, 'bob', FIRST_IDS.users + numbered(number, 1))
  for (const [i, { name, source }] of world.groups.entries()) {
    register(instance, name, FIRST_IDS.groups + numbered(number, i))
    // Sources are listed in the order of their ids, which must be the same in all instances.
    register(instance, source, `00000000-0000-7000-8000-${String(numbered(number, i)).padStart(12, '0')}`)
  }
  for (const { name } of [...world.entities, ...world.stubs]) instance.names.set(stixUuid(name), `stix id of ${name}`)
  for (const { name, content } of world.attachments) {
    for (const algorithm of ['md5', 'sha1', 'sha256']) {
      const hash = createHash(algorithm).update(text(instance, content)).digest('hex')
      register(instance, `${algorithm} of ${name}`, hash, content)
    }
  }
  return instance
}

/** Registers the id of an object. */
export function register(instance: Instance, name: string, id: string | number | undefined, meaning = name): void {
  if (id === undefined) throw new TypeError(`${name} was not found.`)
  instance.ids.set(name, String(id))
  instance.names.set(String(id), meaning)
}

/** The id of an object in an instance. */
export function id({ ids }: Instance, name: string): string {
  const found = ids.get(name)
  if (found === undefined) throw new TypeError(`${name} was not built.`)
  return found
}

/** The URL of an object in an instance. */
export const url = (instance: Instance, collection: keyof typeof collections, name: string): string =>
  `${BASE}/api/v2/${collections[collection].path}/${id(instance, name)}`

/** A text that occurs only in this instance. */
export const text = ({ code }: Pick<Instance, 'code'>, key: string): string => `${code}${key}`

/** The STIX id of an entity. */
export const stixId = (instance: Instance, name: string, type: string): string =>
  `{https://${text(instance, name)}.example/}${type}-${stixUuid(name)}`

const stixUuid = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The value of an observable, in the spelling in which it is stored. */
export function observableValue(instance: Instance, { name, type }: Observable): string {
  const own = text(instance, name)
  if (type === 'domain') return `${own}.example`
  if (type === 'email') return `${own}@mail.example`
  if (type === 'uri') return `https://${own}.example/path`
  return own
}
