import { setImmediate } from 'node:timers/promises'
import { isRecord } from '../../../domain/record.ts'
import { textFrom } from '../../../domain/text-from.ts'
import { type Document, DocumentError } from '../../../formats/document.ts'
import { readItems } from '../../../formats/json/read-items.ts'
import { listOf } from '../../../formats/json/record.ts'

type Item = Readonly<Record<string, unknown>>

/** A group, software or campaign of ATT&CK, and what it uses. */
export interface Adversary {
  /** The object as published. */
  readonly object: Item & { readonly id: string }
  /** For example `G0007`. */
  readonly externalId: string
  /** For example `T1566.001`; sorted. */
  readonly techniques: readonly string[]
}

/** The groups, software and campaigns of official bundles. */
export interface Adversaries {
  /** In the order of their external ids. */
  readonly adversaries: readonly Adversary[]
  /** The relationships between them, in the order of their ids. */
  readonly links: readonly (Item & { readonly id: string })[]
  /** The identities and markings that the objects refer to. */
  readonly definitions: readonly Item[]
  /** Of the collection; null if the bundles do not say. */
  readonly version: string | null
}

const TYPES: ReadonlySet<unknown> = new Set(['intrusion-set', 'malware', 'tool', 'campaign'])
const LINKS: ReadonlySet<unknown> = new Set(['uses', 'attributed-to'])
const DEFINITIONS: ReadonlySet<unknown> = new Set(['identity', 'marking-definition'])
const SOURCES: ReadonlySet<unknown> = new Set(['mitre-attack', 'mitre-mobile-attack', 'mitre-ics-attack'])
const ID = /^[a-z0-9-]{1,100}--[0-9a-f-]{36}$/
const EXTERNAL_ID = /^(?:[GSC]\d{4}|T\d{4}(?:\.\d{3})?)$/

/** Ten times what the largest bundle has. */
const MAX_OBJECTS = 300_000
const OBJECTS_PER_TURN = 500

type Linked = Item & { readonly id: string; readonly source_ref: string; readonly target_ref: string }

/**
 * Reads the groups, software and campaigns of official bundles, which may describe the same object for several domains. Techniques are no
 * objects here: those that an object uses are its classification.
 */
export async function readAdversaries(documents: readonly Document[]): Promise<Adversaries> {
  const found = new Map<string, Adversary['object']>()
  const techniques = new Map<string, string>()
  const links = new Map<string, Linked>()
  const definitions = new Map<string, Item>()
  let version: string | null = null
  let count = 0
  for (const document of documents)
    for await (const item of readItems(document, ['objects', ''])) {
      if (++count > MAX_OBJECTS) throw new DocumentError(`The bundles have more than ${MAX_OBJECTS} objects.`)
      if (count % OBJECTS_PER_TURN === 0) await setImmediate()
      if ('rest' in item || !isRecord(item.value)) continue
      const { value } = item
      if (value.type === 'x-mitre-collection' && typeof value.x_mitre_version === 'string')
        version = value.x_mitre_version.slice(0, 100)
      if (!hasId(value)) continue
      if (value.type === 'attack-pattern') techniques.set(value.id, externalIdOf(value))
      else if (isDead(value)) continue
      else if (DEFINITIONS.has(value.type)) definitions.set(value.id, value)
      else if (TYPES.has(value.type) && externalIdOf(value) !== '') keepNewer(found, value)
      else if (LINKS.has(value.relationship_type) && isLink(value)) links.set(value.id, value)
    }
  if (found.size === 0) throw new DocumentError('The bundle has no group, software or campaign of ATT&CK.')
  return { ...arranged(found, techniques, [...links.values()]), definitions: [...definitions.values()], version }
}

/** Assigns the techniques to what uses them, and drops links that lead out of the bundles. */
function arranged(
  found: ReadonlyMap<string, Adversary['object']>,
  techniques: ReadonlyMap<string, string>,
  links: readonly Linked[],
): Pick<Adversaries, 'adversaries' | 'links'> {
  const used = new Map<string, Set<string>>([...found.keys()].map((id) => [id, new Set()]))
  for (const { relationship_type, source_ref, target_ref } of links) {
    const technique = techniques.get(target_ref)
    if (relationship_type === 'uses' && technique) used.get(source_ref)?.add(technique)
  }
  const adversaries = [...found.values()].map((object) => ({
    object,
    externalId: externalIdOf(object),
    techniques: [...(used.get(object.id) ?? [])].sort(),
  }))
  return {
    adversaries: adversaries.sort((a, b) => compare(a.externalId + a.object.id, b.externalId + b.object.id)),
    links: links
      .filter(({ source_ref, target_ref }) => found.has(source_ref) && found.has(target_ref))
      .sort((a, b) => compare(a.id, b.id)),
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Bundles of several domains may have different versions of an object. */
function keepNewer(found: Map<string, Adversary['object']>, object: Adversary['object']): void {
  const known = found.get(object.id)
  if (!known || textFrom(known.modified) < textFrom(object.modified)) found.set(object.id, object)
}

const hasId = (value: Item): value is Adversary['object'] => typeof value.id === 'string' && ID.test(value.id)

const isLink = (value: Item): value is Linked =>
  value.type === 'relationship' && typeof value.source_ref === 'string' && typeof value.target_ref === 'string'

const isDead = ({ revoked, x_mitre_deprecated }: Item): boolean => revoked === true || x_mitre_deprecated === true

/** The id in ATT&CK; '' for objects of others. */
function externalIdOf({ external_references }: Item): string {
  const own = listOf(external_references).find(
    (each) => isRecord(each) && SOURCES.has(each.source_name) && EXTERNAL_ID.test(textFrom(each.external_id)),
  )
  return isRecord(own) ? textFrom(own.external_id) : ''
}
