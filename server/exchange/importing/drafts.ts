import { observableOf } from '../../domain/observables/read.ts'
import { createSchema, parseItems } from '../../engine/body.ts'
import { ApiError } from '../../engine/errors.ts'
import type { Item, Resource } from '../../engine/resource.ts'
import type { Finding, FoundAttachment, FoundObservable } from '../../formats/finding.ts'
import { LARGEST } from '../../intelligence/attachments/content.ts'
import type { EntityItem } from '../../intelligence/entities/compose.ts'
import type { Contributor } from './contributions.ts'
import type { Located } from './outcome.ts'

export type EntityFinding = Extract<Finding, { kind: 'entity' }>

/** What all that a file or a feed brings gets. */
export interface Given {
  /** The id of the source that it is assigned to; without one, that of the caller's first group. */
  readonly source?: string | undefined
  readonly tags: readonly string[]
  /** The colour of those that have none. */
  readonly tlp: string | null
  /** The colour of all, whatever they say themselves. */
  readonly tlpOverride?: string | null | undefined
  /** Of those that do not say it themselves. */
  readonly halfLife?: number | null | undefined
  readonly sourceReliability?: string | null | undefined
  /** Whether entities and relationships of other sources stay as they are. */
  readonly isOwnOnly?: boolean | undefined
  /** The feed that writes, where what it wrote and no longer has is to be taken away. */
  readonly contributor?: Contributor | undefined
}

/** An entity that could be read, with what was lost on the way. */
export interface Draft {
  readonly located: Located<EntityFinding>
  readonly item: EntityItem
  readonly losses: readonly string[]
  /** Names of its meta that the document does not say: they are for an entity that is new. */
  readonly filled: readonly string[]
}

/** Why an entity cannot be stored. */
export interface Refused {
  readonly located: Located<EntityFinding>
  readonly faults: readonly string[]
}

/** Reads an entity of a document as if it came in a request; parts of its data that do not fit are set aside. */
export function draftOf(resource: Resource, located: Located<EntityFinding>, given: Given): Draft | Refused {
  const { entity, losses = [] } = located.finding
  const observables = valid(entity.observables ?? [], ({ type, value }) => [type, value])
  const extracts = valid(listIn(entity.data.extracts), ({ kind, value }) => [kind, value])
  const { meta, filled } = metaOf(entity.meta ?? {}, given)
  const data = { ...entity.data, ...(entity.data.extracts !== undefined && { extracts: extracts.good }) }
  const more = {
    meta,
    observables: observables.good,
    ...(given.source && { sources: [given.source] }),
  }
  const lost = [...losses, ...observables.faults, ...extracts.faults, ...tooLarge(entity.attachments ?? [])]
  const whole = read(resource, { ...more, data })
  if (!('faults' in whole)) return { located, item: whole.item, losses: lost, filled }
  const aside = setAside(data, whole.faults)
  const rest = aside ? read(resource, { ...more, data: aside }) : whole
  if ('faults' in rest) return { located, faults: whole.faults }
  const kept = whole.faults.map((fault) => `${fault}; kept as it came`)
  return { located, item: rest.item, losses: [...lost, ...kept], filled }
}

/** What is said of an entity: by the document, and where that says nothing, by whom it comes from. */
function metaOf(said: Item, given: Given): { meta: Item; filled: string[] } {
  const defaults = {
    tlp_color: given.tlpOverride ? null : given.tlp,
    half_life: given.halfLife,
    source_reliability: given.sourceReliability,
  }
  const added = Object.entries(defaults).filter(
    ([name, value]) => (value ?? null) !== null && (said[name] ?? null) === null,
  )
  const tags = given.tags.length > 0 ? { tags: [...new Set([...listIn<string>(said.tags), ...given.tags])] } : {}
  const colour = given.tlpOverride ? { tlp_color: given.tlpOverride } : {}
  return {
    meta: { ...said, ...Object.fromEntries(added), ...tags, ...colour },
    filled: added.map(([name]) => name),
  }
}

function read(resource: Resource, sent: Item): { item: EntityItem } | { faults: readonly string[] } {
  try {
    const [item] = parseItems(resource, createSchema(resource), [sent], [])
    return { item: item as unknown as EntityItem }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { faults: error.details.map((detail) => detail.replace(/^\[0\]\.?/, '')) }
  }
}

/** Data whose unfit properties stand in `as_sent`, where nothing is asked of them; undefined where that would not help. */
function setAside(data: Item, faults: readonly string[]): Item | undefined {
  const names = faults.map((fault) => /^data\.([^.[:]+)/.exec(fault)?.[1])
  const isHopeless = names.some((name) => name === undefined || NEEDED.has(name) || !Object.hasOwn(data, name))
  if (isHopeless) return undefined
  const aside = new Set(names)
  const parts = Object.entries(data)
  return {
    ...Object.fromEntries(parts.filter(([name]) => !aside.has(name))),
    as_sent: Object.fromEntries(parts.filter(([name]) => aside.has(name))),
  }
}

const NEEDED = new Set<string | undefined>(['type', 'title', 'id', 'custom_entity_type', 'as_sent'])

/** Those of a list that are observables indeed, and what is wrong with the others. */
function valid<T extends object>(
  list: readonly T[],
  parts: (each: T & Partial<FoundObservable> & { kind?: string }) => unknown[],
) {
  const good: T[] = []
  const faults: string[] = []
  for (const each of list) {
    const [type, value] = parts(each)
    const found = observableOf(type, value)
    if ('fault' in found) faults.push(`${String(type)} '${String(value).slice(0, 200)}': ${found.fault}`)
    else good.push(each)
  }
  return { good, faults }
}

const tooLarge = (attachments: readonly FoundAttachment[]): string[] =>
  attachments.flatMap(({ filename, bytes }) =>
    isStorable(bytes) ? [] : [`attachment '${filename.slice(0, 200)}': has more than ${LARGEST} bytes`],
  )

/** Whether an attachment of a document can be one of an entity. */
export const isStorable = (bytes: Buffer): boolean => bytes.length <= LARGEST

const listIn = <T extends object | string = Item>(value: unknown): T[] => (Array.isArray(value) ? value : [])
