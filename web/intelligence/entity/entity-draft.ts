import { COMPUTED_META } from '../../../server/domain/computed-meta.ts'
import { idOf } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import { patchOf } from '../../forms/patch.ts'
import { type Document, isSame } from '../../forms/paths.ts'
import type { AcceptedExtraction } from '../extraction/extraction.ts'
import type { EntityKind } from './entity-schema.ts'

/** An observable to add, by type and value. */
export interface NewObservable {
  readonly type: string
  readonly value: string
  readonly maliciousness?: string
}

/** An entity that is related to the edited one when the form is saved. */
export interface RelatedEntity {
  readonly id: string
  readonly type: string
  readonly title: string
}

/** The values of the entity form. */
export interface EntityDraft {
  readonly data: Document
  readonly meta: Document
  /** Observables to add; existing ones are not edited here. */
  readonly observables: readonly NewObservable[]
  /** The id of the source; empty to let the server choose. */
  readonly source: string
  /** Entities that were found in the text and accepted; existing relationships are not edited here. */
  readonly related?: readonly RelatedEntity[]
  /** What a language model extracted from the text and the user accepted. */
  readonly extracted?: AcceptedExtraction
}

/** The entity properties that a request nests in `data`. */
export const ENTITY_PROPERTIES = ['data', 'meta', 'observables', 'sources', 'attachments', 'datasets']

const computed = new Set<string>(COMPUTED_META)

/** The form values of an existing entity. */
export function draftOf({
  data,
  meta,
  sources: [source = ''],
}: Pick<Entity, 'data' | 'meta' | 'sources'>): EntityDraft {
  const own = Object.entries(meta).filter(([name, value]) => !computed.has(name) && value !== null)
  return { data, meta: Object.fromEntries(own), observables: [], source: source && idOf(source) }
}

/** The form values of a new entity. */
export const newDraft = ({ type, customType }: EntityKind): EntityDraft => ({
  data: { type, ...(customType !== undefined && { custom_entity_type: customType }) },
  meta: {},
  observables: [],
  source: '',
})

/** The form values of a copy of an entity, without its identifying fields. */
export function copyOf(entity: Entity): EntityDraft {
  const { data, meta, ...draft } = draftOf(entity)
  const { id: _id, created: _created, modified: _modified, ...said } = data
  const { alias: _alias, ...about } = meta
  return { ...draft, data: { ...said, title: `${entity.data.title} (copy)` }, meta: about }
}

/** The request body that creates an entity. `observables` are references to existing ones. */
export const createBody = ({ data, meta, observables, source }: EntityDraft, shared: readonly string[] = []) => ({
  data: {
    data,
    meta,
    ...(observables.length + shared.length > 0 && { observables: [...shared, ...observables] }),
    ...(source !== '' && { sources: [source] }),
  },
})

/** The request body that changes an entity; undefined if nothing has changed. */
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

/** Whether a form contains unsaved input. */
export const isChanged = (before: EntityDraft, after: EntityDraft): boolean => !isSame(before, after)
