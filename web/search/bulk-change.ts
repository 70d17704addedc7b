import { idOf } from '../api/lists.ts'
import { tlpName } from '../domain/tlp.ts'

/** A change to many entities that can be undone. */
export type Change =
  | { readonly kind: 'add-tag' | 'remove-tag'; readonly tag: string }
  | { readonly kind: 'tlp'; readonly colour: string | null }
  | { readonly kind: 'add-taxonomy' | 'remove-taxonomy'; readonly taxonomy: string; readonly name: string }
  | { readonly kind: 'add-dataset' | 'remove-dataset'; readonly dataset: string; readonly name: string }

/** The state of an entity before a change, needed to undo it. */
export interface Before {
  readonly id: string
  readonly meta?: {
    readonly tags?: readonly string[]
    readonly tlp_color?: string | null
    readonly taxonomies?: readonly (string | number)[]
  }
  readonly datasets?: readonly string[]
}

/** The attributes to load before a change, to be able to undo it exactly. */
export const BEFORE_ATTRIBUTES = 'id,meta.tags,meta.tlp_color,meta.taxonomies,datasets'

/** The request that applies a change to all results of a query. */
export function requestOf(change: Change): { readonly path: string; readonly body: Readonly<Record<string, unknown>> } {
  const update = 'entities/by-query/update'
  switch (change.kind) {
    case 'add-tag':
      return { path: update, body: { added_tags: [change.tag] } }
    case 'remove-tag':
      return { path: update, body: { removed_tags: [change.tag] } }
    case 'tlp':
      return { path: update, body: { tlp_color: change.colour } }
    case 'add-taxonomy':
      return { path: update, body: { added_taxonomies: [Number(change.taxonomy)] } }
    case 'remove-taxonomy':
      return { path: update, body: { removed_taxonomies: [Number(change.taxonomy)] } }
    case 'add-dataset':
      return { path: `datasets/${change.dataset}/entities/by-query`, body: { action: 'add' } }
    case 'remove-dataset':
      return { path: `datasets/${change.dataset}/entities/by-query`, body: { action: 'remove' } }
  }
}

/** One step of an undo: a change, and the entities it applies to. */
export interface Step {
  readonly change: Change
  readonly ids: readonly string[]
}

/** The steps that undo a change, only for entities that it affects. */
export function inverseOf(change: Change, before: readonly Before[]): readonly Step[] {
  const step = (undo: Change, isMeant: (entity: Before) => boolean): readonly Step[] => {
    const ids = before.filter(isMeant).map(({ id }) => id)
    return ids.length === 0 ? [] : [{ change: undo, ids }]
  }
  switch (change.kind) {
    case 'add-tag':
      return step({ ...change, kind: 'remove-tag' }, (entity) => !hasTag(entity, change.tag))
    case 'remove-tag':
      return step({ ...change, kind: 'add-tag' }, (entity) => hasTag(entity, change.tag))
    case 'add-taxonomy':
      return step({ ...change, kind: 'remove-taxonomy' }, (entity) => !hasTaxonomy(entity, change.taxonomy))
    case 'remove-taxonomy':
      return step({ ...change, kind: 'add-taxonomy' }, (entity) => hasTaxonomy(entity, change.taxonomy))
    case 'add-dataset':
      return step({ ...change, kind: 'remove-dataset' }, (entity) => !isIn(entity, change.dataset))
    case 'remove-dataset':
      return step({ ...change, kind: 'add-dataset' }, (entity) => isIn(entity, change.dataset))
    case 'tlp': {
      const colours = Map.groupBy(before, ({ meta }) => meta?.tlp_color ?? null)
      return [...colours]
        .filter(([colour]) => colour !== change.colour)
        .map(([colour, entities]) => ({ change: { kind: 'tlp', colour }, ids: entities.map(({ id }) => id) }))
    }
  }
}

const hasTag = ({ meta }: Before, tag: string): boolean => meta?.tags?.includes(tag) ?? false
const isIn = ({ datasets = [] }: Before, dataset: string): boolean => datasets.some((url) => idOf(url) === dataset)
const hasTaxonomy = ({ meta }: Before, taxonomy: string): boolean =>
  meta?.taxonomies?.some((url) => idOf(String(url)) === taxonomy) ?? false

/** The unified entities that a bulk action leaves out, as a sentence; empty if there are none. */
export function leftOutMessage(unified: number): string {
  if (unified === 0) return ''
  const what = unified === 1 ? '1 unified entity is' : `${unified.toLocaleString('en')} unified entities are`
  return `${what} left out, because only ${unified === 1 ? 'its' : 'their'} contributors can be changed.`
}

const STRICT = 'It is displayed as RED or AMBER, depending on the server settings.'

/** The message after a change. */
export function changeMessage(change: Change, count: number): string {
  const entities = count === 1 ? '1 entity' : `${count.toLocaleString('en')} entities`
  switch (change.kind) {
    case 'add-tag':
      return `Tag “${change.tag}” added to ${entities}.`
    case 'remove-tag':
      return `Tag “${change.tag}” removed from ${entities}.`
    case 'tlp':
      if (change.colour === null) return `TLP removed from ${entities}.`
      return `TLP:${tlpName(change.colour)} set on ${entities}.${change.colour === 'AMBER_STRICT' ? ` ${STRICT}` : ''}`
    case 'add-taxonomy':
      return `Taxonomy “${change.name}” added to ${entities}.`
    case 'remove-taxonomy':
      return `Taxonomy “${change.name}” removed from ${entities}.`
    case 'add-dataset':
      return `Added ${entities} to dataset “${change.name}”.`
    case 'remove-dataset':
      return `Removed ${entities} from dataset “${change.name}”.`
  }
}
