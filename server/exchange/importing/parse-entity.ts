import { observableOf } from '../../domain/observables/read.ts'
import { textFrom } from '../../domain/text-from.ts'
import type { Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import type { Finding, FoundAttachment, FoundObservable } from '../../formats/finding.ts'
import { MAX_ATTACHMENT_BYTES } from '../../intelligence/attachments/content.ts'
import type { EntityItem } from '../../intelligence/entities/compose.ts'
import type { Contributor } from './contributions.ts'
import type { Located } from './outcome.ts'
import { parseItem } from './parse-item.ts'

export type EntityFinding = Extract<Finding, { kind: 'entity' }>

/** The settings of a file or a feed that apply to everything it imports. */
export interface ImportSettings {
  /** The id of the source that objects are assigned to; by default, that of the caller's first group. */
  readonly source?: string | undefined
  readonly tags: readonly string[]
  /** The colour of objects without one. */
  readonly tlp: string | null
  /** Replaces the colour of all objects. */
  readonly tlpOverride?: string | null | undefined
  /** For objects without one. */
  readonly halfLife?: number | null | undefined
  readonly sourceReliability?: string | null | undefined
  /** Whether entities and relationships of other sources are left unchanged. */
  readonly isOwnOnly?: boolean | undefined
  /** The importing feed, if what it wrote and no longer has is to be removed. */
  readonly contributor?: Contributor | undefined
}

/** A valid entity of a document, with its losses. */
export interface ParsedEntity {
  readonly located: Located<EntityFinding>
  readonly item: EntityItem
  readonly losses: readonly string[]
  /** Members of meta that were filled in from the settings; they apply only to new entities. */
  readonly filled: readonly string[]
}

/** An invalid entity, with the reasons. */
export interface RefusedEntity {
  readonly located: Located<EntityFinding>
  readonly faults: readonly string[]
}

/** Validates an entity of a document as if it came in a request; invalid parts of its data are moved to `as_sent`. */
export function parseEntity(
  resource: Resource,
  located: Located<EntityFinding>,
  given: ImportSettings,
): ParsedEntity | RefusedEntity {
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
  const whole = parse(resource, { ...more, data })
  if (!('faults' in whole)) return { located, item: whole.item, losses: lost, filled }
  const aside = setAside(data, whole.faults)
  const rest = aside ? parse(resource, { ...more, data: aside }) : whole
  if ('faults' in rest) return { located, faults: whole.faults }
  const kept = whole.faults.map((fault) => `${fault}; kept in as_sent`)
  return { located, item: rest.item, losses: [...lost, ...kept], filled }
}

/** The meta of an entity: from the document, completed from the settings. */
function metaOf(said: Item, given: ImportSettings): { meta: Item; filled: string[] } {
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

const parse = (resource: Resource, sent: Item) =>
  parseItem(resource, sent) as { item: EntityItem } | { faults: readonly string[] }

/** Moves invalid properties of data to `as_sent`, which is not validated; undefined if the rest would still be invalid. */
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

/** Splits a list into valid observables and what is wrong with the others. */
function valid<T extends object>(
  list: readonly T[],
  parts: (each: T & Partial<FoundObservable> & { kind?: string }) => unknown[],
) {
  const good: T[] = []
  const faults: string[] = []
  for (const each of list) {
    const [type, value] = parts(each)
    const found = observableOf(type, value)
    if ('fault' in found) faults.push(`${textFrom(type)} '${textFrom(value).slice(0, 200)}': ${found.fault}`)
    else good.push(each)
  }
  return { good, faults }
}

const tooLarge = (attachments: readonly FoundAttachment[]): string[] =>
  attachments.flatMap(({ filename, bytes }) =>
    isStorable(bytes) ? [] : [`attachment '${filename.slice(0, 200)}': has more than ${MAX_ATTACHMENT_BYTES} bytes`],
  )

/** Whether an attachment is small enough to be stored. */
export const isStorable = (bytes: Buffer): boolean => bytes.length <= MAX_ATTACHMENT_BYTES

const listIn = <T extends object | string = Item>(value: unknown): T[] => (Array.isArray(value) ? value : [])
