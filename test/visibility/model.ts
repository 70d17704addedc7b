import { seenHoldings } from './seen-holdings.ts'
import { type Colour, type Entity, type State, TAXONOMIES, type Viewer, type World } from './world.ts'

/** What a viewer sees of a world, determined without a database. */
export interface Seen {
  /** Names of the objects, and of the users, groups and sources, that everybody may know of. */
  readonly names: ReadonlySet<string>
  /** Texts in what is seen, by their keys. */
  readonly texts: ReadonlySet<string>
  /** The sources of the viewer's groups, which they may assign. */
  readonly own: readonly string[]
  /** Whether a viewer is allowed a source at a TLP colour, or at any colour if none is given. */
  allows(source: string, colour?: Colour): boolean
}

/** From the least to the most restricted; AMBER_STRICT counts as RED unless configured otherwise. */
const RANKS: Readonly<Record<string, number>> = {
  NONE: 0,
  WHITE: 1,
  CLEAR: 1,
  GREEN: 2,
  AMBER: 3,
  AMBER_STRICT: 4,
  RED: 4,
}

const rankOf = (colour: Colour): number => RANKS[colour ?? 'NONE'] ?? 4

/** The TLP colour of a state. If none is sent, it stays as it was. */
export const colourAt = (states: readonly State[], i: number): Colour =>
  states
    .slice(0, i + 1)
    .map(({ colour }) => colour)
    .findLast((colour) => colour !== undefined)

/** The part of a world that a viewer sees. */
export function seenBy(world: World, viewer: Viewer): Seen {
  const groups = world.groups.filter(({ members }) => members.includes(viewer))
  const allows = (source: string, colour?: Colour) =>
    groups.some((group) => group.allows.some((each) => each.source === source && rankOf(colour) <= rankOf(each.upTo)))
  const isAllowedState = ({ states }: Entity, i: number) => allows(states[i]?.source ?? '', colourAt(states, i))

  const isAllowed = (entity: Entity) => isAllowedState(entity, entity.states.length - 1)
  // A unified entity is seen by those who are allowed its source and all contributors.
  const isContributorOf = (unified: Entity) => (entity: Entity) => unified.unifies.includes(entity.name)
  const entities = world.entities.filter(
    (entity) => isAllowed(entity) && world.entities.filter(isContributorOf(entity)).every(isAllowed),
  )
  const stubs = world.stubs.filter(({ source, colour }) => allows(source, colour))
  const seenEnds = new Set([...entities, ...stubs].map(({ name }) => name))
  const relationships = world.relationships.filter(
    ({ from, to, sources, colour }) =>
      seenEnds.has(from) && seenEnds.has(to) && sources.some((source) => allows(source, colour)),
  )
  const linked = new Set(entities.flatMap(({ states }) => states.at(-1)?.observables ?? []))
  const observables = world.observables.filter(
    ({ name, sources }) => linked.has(name) || sources.some((source) => allows(source)),
  )
  const attached = new Set(entities.flatMap((entity) => entity.attachments))
  const attachments = world.attachments.filter(({ name, creator }) => creator === viewer || attached.has(name))
  const workspaces = world.workspaces.filter(
    ({ isPublic, collaborators, groups: invited }) =>
      isPublic || collaborators.includes(viewer) || groups.some(({ name }) => invited.includes(name)),
  )
  const seenWorkspaces = new Set(['default', ...workspaces.map(({ name }) => name)])
  const datasets = world.datasets.filter((dataset) => dataset.workspaces.some((name) => seenWorkspaces.has(name)))
  const tickets = world.tickets.filter(
    (ticket) => ticket.workspaces.length === 0 || ticket.workspaces.some((name) => seenWorkspaces.has(name)),
  )

  const versions = entities.flatMap((entity) =>
    entity.states
      .keys()
      .flatMap((i) => (isAllowedState(entity, i) ? [{ entity, i }] : []))
      .toArray(),
  )
  const objects = [entities, stubs, relationships, observables, attachments, workspaces, datasets, tickets]
  const names = objects.flatMap((each) => each.map(({ name }) => name))
  const holdings = seenHoldings(world, {
    viewer,
    groups: groups.map(({ name }) => name),
    seen: new Set(['default', ...names]),
    allows,
  })
  return {
    names: new Set([...names, ...holdings.names, ...publicNames(world)]),
    texts: new Set([
      ...publicNames(world),
      ...names,
      ...holdings.texts,
      ...attachments.map(({ content }) => content),
      ...versions.flatMap(({ entity, i }) => textsOf(entity, i)),
      // The id itself occurs in the data of entities that refer to it.
      ...versions.flatMap(({ entity: { refersTo } }) => refersTo ?? []),
      'fresh',
    ]),
    own: groups.map(({ source }) => source),
    allows,
  }
}

/** The name of one state of an entity, which is also its title. */
export const versionOf = ({ name }: Entity, i: number): string => `${name}v${i}`

const textsOf = (entity: Entity, i: number): string[] => [
  versionOf(entity, i),
  `${versionOf(entity, i)}text`,
  `${versionOf(entity, i)}tag`,
]

const publicNames = ({ groups, analyses, annotations }: World): string[] => [
  'ann',
  'bob',
  'writer',
  'default',
  ...TAXONOMIES,
  ...groups.flatMap(({ name, source }) => [name, source]),
  ...[...analyses, ...annotations].map(({ name }) => name),
]
