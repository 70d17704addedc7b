import { isRecord } from '../../domain/record.ts'
import { type Document, DocumentError } from '../../formats/document.ts'
import { readItems } from '../../formats/json/read-items.ts'
import { listOf } from '../../formats/json/record.ts'
import { type ExternalReference, MATRICES, type NodeState } from './framework.ts'

/** An object of a bundle, as far as frameworks need it. */
export interface BundleObject {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly description: string
  readonly state: NodeState
  /** The id that the publisher uses, for example `T1566`; '' if there is none. */
  readonly externalId: string
  readonly references: readonly ExternalReference[]
  readonly platforms: readonly string[]
  /** The members that only some types have. */
  readonly more: Readonly<Record<string, unknown>>
}

export interface BundleLink {
  readonly type: string
  readonly source: string
  readonly target: string
  readonly description: string
}

/** What a bundle says about frameworks. */
export interface Bundle {
  readonly objects: readonly BundleObject[]
  readonly links: readonly BundleLink[]
  /** Of the collection that the bundle is; null if it does not say. */
  readonly version: string | null
  /** The day on which the newest of its objects was changed; null if it does not say. */
  readonly modified: string | null
  /** What its markings ask to be shown. */
  readonly notice: string
}

const TYPES: ReadonlySet<unknown> = new Set([
  'x-mitre-matrix',
  'x-mitre-tactic',
  'attack-pattern',
  'course-of-action',
  'x-mitre-data-component',
  'x-mitre-detection-strategy',
  'x-mitre-analytic',
])
const LINKS: ReadonlySet<unknown> = new Set(['mitigates', 'detects', 'subtechnique-of', 'revoked-by', 'uses'])
const SOURCES: ReadonlySet<unknown> = new Set(['mitre-attack', 'mitre-mobile-attack', 'mitre-ics-attack', 'DISARM'])
const MORE = [
  'tactic_refs',
  'kill_chain_phases',
  'x_mitre_shortname',
  'x_mitre_is_subtechnique',
  'x_mitre_data_sources',
  'x_mitre_domains',
  'x_mitre_analytic_refs',
  'x_mitre_log_source_references',
  'x_mitre_mutable_elements',
] as const

/** Ten times what the largest matrix has. */
const MAX_OBJECTS = 200_000
const MAX_CHARACTERS = 100_000_000
const DAY = /^\d{4}-\d{2}-\d{2}(?=T)/

/** Reads what a STIX bundle, or a list of STIX objects, says about frameworks. Everything else in it is passed over. */
export async function readBundle(document: Document): Promise<Bundle> {
  const objects = new Map<string, BundleObject>()
  const links: BundleLink[] = []
  const notices = new Set<string>()
  let version: string | null = null
  let modified: string | null = null
  let characters = 0
  for await (const item of readItems(document, ['objects', ''])) {
    if ('rest' in item || !isRecord(item.value)) continue
    const { value } = item
    if (value.type === 'x-mitre-collection') version = textOf(value.x_mitre_version) || version
    else if (value.type === 'marking-definition') notices.add(noticeOf(value))
    else if (value.type === 'relationship' && LINKS.has(value.relationship_type)) {
      if (isDead(value)) continue
      const link = linkOf(value)
      // Who uses which software says nothing about techniques.
      if (link.type === 'uses' && !link.target.startsWith('attack-pattern--')) continue
      links.push(link)
      characters += link.description.length
    } else if (TYPES.has(value.type)) {
      const object = objectOf(value)
      const known = objects.get(object.id)
      if (known && JSON.stringify(known) !== JSON.stringify(object))
        throw new DocumentError(`The document describes ${object.id.slice(0, 100)} twice, and differently.`)
      objects.set(object.id, object)
      const day = DAY.exec(textOf(value.modified))?.[0]
      if (day !== undefined && (modified === null || day > modified)) modified = day
      characters += JSON.stringify(object).length
    }
    if (objects.size + links.length > MAX_OBJECTS)
      throw new DocumentError(`The document has more than ${MAX_OBJECTS} objects of attack frameworks.`)
    if (characters > MAX_CHARACTERS)
      throw new DocumentError(`The texts in the document have more than ${MAX_CHARACTERS} characters.`)
  }
  return { objects: [...objects.values()], links, version, modified, notice: [...notices].filter(Boolean).join('\n') }
}

function objectOf(value: Record<string, unknown>): BundleObject {
  const id = textOf(value.id)
  if (!/^[a-z0-9-]{1,100}--[0-9a-f-]{36}$/.test(id))
    throw new DocumentError(`'${id.slice(0, 100)}' is not an id of STIX.`)
  const references = listOf(value.external_references).filter(isRecord).map(referenceOf)
  const own = references.find(({ source_name, external_id }) => SOURCES.has(source_name) && external_id !== undefined)
  const named = own ?? references.find(({ external_id }) => (MATRICES as readonly unknown[]).includes(external_id))
  return {
    id,
    type: textOf(value.type),
    name: textOf(value.name),
    description: textOf(value.description),
    state: stateOf(value),
    externalId: publishedId(named?.external_id ?? ''),
    references,
    platforms: listOf(value.x_mitre_platforms).filter((each) => typeof each === 'string'),
    more: Object.fromEntries(MORE.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]]))),
  }
}

/** An id as it was meant: that of one technique of ICS 8 is misprinted, and one of DISARM 1.1 has a space at its end. */
const publishedId = (id: string): string => (id === '0T800' ? 'T0800' : id.trim())

const referenceOf = (value: Record<string, unknown>): ExternalReference => ({
  source_name: textOf(value.source_name),
  ...(typeof value.external_id === 'string' && { external_id: value.external_id }),
  ...(typeof value.url === 'string' && { url: value.url }),
  ...(typeof value.description === 'string' && { description: value.description }),
})

const linkOf = (value: Record<string, unknown>): BundleLink => ({
  type: textOf(value.relationship_type),
  source: textOf(value.source_ref),
  target: textOf(value.target_ref),
  description: textOf(value.description),
})

const isDead = (value: Record<string, unknown>): boolean => stateOf(value) !== 'live'

const stateOf = ({ revoked, x_mitre_deprecated }: Record<string, unknown>): NodeState =>
  revoked === true ? 'revoked' : x_mitre_deprecated === true ? 'deprecated' : 'live'

const noticeOf = ({ definition }: Record<string, unknown>): string =>
  isRecord(definition) ? textOf(definition.statement) : ''

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
