import { COMPUTED_META } from '../../../server/domain/computed-meta.ts'
import { idOf } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import type { EntityKind } from '../../forms/entity-schema.ts'
import { patchOf } from '../../forms/patch.ts'
import { type Document, isSame } from '../../forms/paths.ts'

/** An observable that is to be added, by what it is. */
export interface NewObservable {
  readonly type: string
  readonly value: string
  readonly maliciousness?: string
}

/** What an entity form holds. */
export interface EntityDraft {
  readonly data: Document
  readonly meta: Document
  /** Those that are added: what the entity has already is not edited here. */
  readonly observables: readonly NewObservable[]
  /** The id of the source; empty where the server chooses. */
  readonly source: string
}

/** The properties of an entity that a request has inside of `data`. */
export const ENTITY_PROPERTIES = ['data', 'meta', 'observables', 'sources', 'attachments', 'datasets']

const computed = new Set<string>(COMPUTED_META)

/** An entity as a form begins with it. */
export function draftOf({
  data,
  meta,
  sources: [source = ''],
}: Pick<Entity, 'data' | 'meta' | 'sources'>): EntityDraft {
  const own = Object.entries(meta).filter(([name, value]) => !computed.has(name) && value !== null)
  return { data, meta: Object.fromEntries(own), observables: [], source: source && idOf(source) }
}

/** A new entity of a type. */
export const newDraft = ({ type, customType }: EntityKind): EntityDraft => ({
  data: { type, ...(customType !== undefined && { custom_entity_type: customType }) },
  meta: {},
  observables: [],
  source: '',
})

/** A new entity that says what another one says; what tells them apart is made anew. */
export function copyOf(entity: Entity): EntityDraft {
  const { data, meta, ...draft } = draftOf(entity)
  const { id: _id, created: _created, modified: _modified, ...said } = data
  const { alias: _alias, ...about } = meta
  return { ...draft, data: { ...said, title: `${entity.data.title} (copy)` }, meta: about }
}

/** The body that makes an entity. `observables` are references to those that it shares with another one. */
export const createBody = ({ data, meta, observables, source }: EntityDraft, shared: readonly string[] = []) => ({
  data: {
    data,
    meta,
    ...(observables.length + shared.length > 0 && { observables: [...shared, ...observables] }),
    ...(source !== '' && { sources: [source] }),
  },
})

/** The body that changes an entity from what it was to what it should be; undefined where both are the same. */
export function patchBody(before: EntityDraft, after: EntityDraft, observables: readonly string[]) {
  const [data, meta] = [patchOf(before.data, after.data), patchOf(before.meta, after.meta)]
  const changes = {
    ...(data && { data }),
    ...(meta && { meta }),
    ...(after.observables.length > 0 && { observables: [...observables, ...after.observables] }),
    ...(after.source !== before.source && after.source !== '' && { sources: [after.source] }),
  }
  return Object.keys(changes).length > 0 ? { data: changes } : undefined
}

/** Whether a form has anything that would be lost. */
export const isChanged = (before: EntityDraft, after: EntityDraft): boolean => !isSame(before, after)
