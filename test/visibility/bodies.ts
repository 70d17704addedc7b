import type { Collection } from '../../server/collections.ts'
import type { Resource } from '../../server/engine/definition.ts'
import type { Chance } from './chance.ts'
import { namesIn } from './draw.ts'
import { type Instance, id, text } from './instance.ts'
import type { Seen } from './model.ts'
import { COLOURS, type World } from './world.ts'

/** What of a write the sender does not see: the object itself, what it is linked with, or nothing. */
export type Aim = 'unseen owner' | 'unseen target' | 'seen'

/** What a body is drawn from. */
export interface Draft {
  readonly chance: Chance
  readonly world: World
  readonly seen: Seen
  readonly resource: Resource
  readonly aim: Aim
}

/** A body in the terms of a world. */
export type Body = (instance: Instance) => Record<string, unknown>

/** Objects to link a field with, at least one: unseen ones if that is the aim, otherwise seen ones. */
export function targetsOf({ chance, world, seen, resource, aim }: Draft, field: string): string[] {
  const storage = resource.fields[field]?.props.storage
  const all = storage?.kind === 'refs' ? namesIn(world, storage.to) : []
  // Sources are not secret, but users can assign only those of their own groups.
  const names = field === 'sources' && seen.own.length > 0 ? seen.own : all
  return chosen(chance, names, (name) => seen.names.has(name), aim)
}

function chosen(chance: Chance, names: readonly string[], isSeen: (name: string) => boolean, aim: Aim): string[] {
  const first = names.filter((name) => isSeen(name) === (aim !== 'unseen target'))
  return first.length === 0 ? [] : [chance.pick(first), ...chance.some(names.filter(isSeen), 0.3)]
}

/** An update of an object: of a text, or of its links. */
export function patchBody(draft: Draft): Body | undefined {
  const { chance, resource, aim } = draft
  const links = resource.collection === 'relationships' ? ends(draft) : linksBody(draft)
  if (aim === 'unseen target' || (links && chance.flip())) return links
  const source = ownSource(draft)
  const plain = chance.pick(plainPatches(chance)[resource.collection] ?? [{ description: 'Changed.' }])
  return (instance) => ({
    ...plain,
    ...(resource.collection === 'relationships' && { sources: [id(instance, source)] }),
  })
}

const plainPatches = (chance: Chance): Partial<Record<Collection, readonly Record<string, unknown>[]>> => ({
  entities: [
    { data: { description: 'Changed.' } },
    { meta: { tags: ['shared', 'changed'] } },
    { meta: { tlp_color: chance.pick(COLOURS) ?? null } },
  ],
  observables: [{ meta: { maliciousness: 'high' } }],
  relationships: [{ data: { description: 'Changed.' } }, { meta: { tlp_color: chance.pick(COLOURS) ?? null } }],
  attachments: [{ filename: 'changed.txt' }],
})

/** A new object, linked with others. */
export function freshBody(draft: Draft): Body | undefined {
  const { collection } = draft.resource
  if (collection === 'relationships') return ends(draft)
  const links = linksBody(draft)
  if (!links && draft.aim === 'unseen target') return undefined
  const source = ownSource(draft)
  return (instance) => ({ ...fresh(instance, source)[collection], ...links?.(instance) })
}

const fresh = (instance: Instance, source: string): Partial<Record<Collection, Record<string, unknown>>> => ({
  entities: { data: { type: 'tool', title: text(instance, 'fresh') }, sources: [id(instance, source)] },
  observables: { type: 'handle', value: text(instance, 'fresh'), sources: [id(instance, source)] },
  attachments: { filename: `${text(instance, 'fresh')}.txt`, data: 'ZnJlc2g=' },
  datasets: { name: text(instance, 'fresh'), workspaces: [1] },
  workspaces: { name: text(instance, 'fresh') },
  tickets: { name: text(instance, 'fresh') },
  attack_analyses: { name: text(instance, 'fresh') },
})

/** A source that the viewer may assign, or any if there is none; such a write is refused in any case. */
const ownSource = ({ chance, world, seen }: Pick<Draft, 'chance' | 'world' | 'seen'>): string =>
  chance.pick(seen.own.length > 0 ? seen.own : namesIn(world, 'sources'))

/** Sets one of the fields that hold links. */
function linksBody(draft: Draft): Body | undefined {
  const { fields } = draft.resource
  const settable = Object.keys(fields).filter((name) => {
    const { storage, access } = fields[name]?.props ?? {}
    return storage?.kind === 'refs' && (access === 'read-write' || access === 'write-only')
  })
  const possible = settable.flatMap((field) => {
    const targets = targetsOf(draft, field)
    return targets.length === 0 ? [] : [{ field, targets }]
  })
  if (possible.length === 0) return undefined
  const { field, targets } = draft.chance.pick(possible)
  // An entity has one source, and an analysis one dataset.
  const few = field === 'sources' || field === 'scope_datasets' ? targets.slice(0, 1) : targets
  return (instance) => ({ [field]: few.map((name) => id(instance, name)) })
}

/** A relationship between two entities, one of them unseen if that is the aim. */
function ends({ chance, world, seen, aim }: Draft): Body | undefined {
  const names = namesIn(world, 'entities')
  const [from] = chosen(chance, names, (name) => seen.names.has(name), aim)
  const [to] = chosen(chance, names, (name) => seen.names.has(name) && name !== from, 'seen')
  if (!from || !to) return undefined
  const [source, target] = chance.flip() ? [from, to] : [to, from]
  const own = ownSource({ chance, world, seen })
  return (instance) => ({
    data: { source: id(instance, source), target: id(instance, target), key: 'targets' },
    sources: [id(instance, own)],
  })
}
