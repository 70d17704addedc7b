import { isRecord } from '../../domain/record.ts'
import { type Document, DocumentError } from '../document.ts'
import { type ReadItem, readItems } from '../json/read-items.ts'
import { isObservableType } from './cyber-observables.ts'
import { isDomainType, partsOf } from './ids.ts'
import type { StixObject } from './stix-object.ts'
import { upgrade } from './upgrade.ts'

/** What an object becomes: an entity, a relationship, or a supporting object that is kept with the entities that reference it. */
export type Role = 'entity' | 'relationship' | 'support'

/** An object and its location in the document. */
export interface LocatedObject {
  readonly at: string
  /** Its position in the list of objects. */
  readonly index: number
  readonly object: StixObject
  readonly inner: readonly StixObject[]
  readonly role: Role
  /** Numbers that could not be represented exactly. */
  readonly losses: readonly string[]
}

/** An object of a document, or the reason why an item is not one. */
export type Located = LocatedObject | { readonly at: string; readonly id?: string | undefined; readonly fault: string }

/** Yields the objects of a bundle, an envelope, a list, or a document that is a single object, in order. */
export async function* objectsOf(document: Document): AsyncGenerator<Located> {
  for await (const found of readItems(document, ['objects', ''])) {
    if (!('rest' in found)) yield located(found.list === '' ? `[${found.index}]` : `objects[${found.index}]`, found)
    else if (isAlone(found.rest)) yield located('the document', { index: 0, value: found.rest, losses: found.losses })
  }
}

/** Whether the document itself is an object. A document that is neither an object nor a list of objects is rejected. */
function isAlone(rest: Readonly<Record<string, unknown>>): boolean {
  const { type, objects } = rest
  if (type === 'bundle' || type === undefined) {
    if (objects !== undefined && objects !== null) throw new DocumentError('`objects` of the bundle is not a list.')
    const isEnvelope = 'more' in rest || 'next' in rest || Object.keys(rest).length === 0
    if (type === undefined && !isEnvelope)
      throw new DocumentError('This is not STIX: the document has neither a type nor objects.')
    return false
  }
  return true
}

function located(at: string, { index, value, losses }: Omit<ReadItem, 'list'>): Located {
  if (!isRecord(value)) return { at, fault: `expected an object, got ${kindOf(value)}` }
  const { type, id } = value
  if (typeof type !== 'string' || type === '') return { at, ...idIn(id), fault: 'type: is required' }
  if (id === undefined) return { at, fault: 'id: is required' }
  const own = partsOf(id)
  if (!own) return { at, ...idIn(id), fault: `id: must be ${type.slice(0, 100)}-- followed by a UUID` }
  if (own.type !== type) return { at, ...idIn(id), fault: `id: does not match the object type ${type.slice(0, 100)}` }
  if (type === 'bundle') return { at, ...idIn(id), fault: 'bundles inside a bundle are not supported' }
  const { object, inner } = upgrade(value as StixObject)
  return { at, index, object, inner, role: roleOf(object), losses }
}

const idIn = (id: unknown): { readonly id?: string } => (typeof id === 'string' ? { id: id.slice(0, 500) } : {})

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`

const SUPPORTING = new Set(['marking-definition', 'extension-definition', 'language-content'])

function roleOf(object: StixObject): Role {
  if (object.type === 'relationship') return 'relationship'
  if (isDomainType(object.type)) return 'entity'
  if (SUPPORTING.has(object.type) || isObservableType(object.type)) return 'support'
  const extensions = isRecord(object.extensions) ? Object.values(object.extensions) : []
  if (extensions.some((one) => isRecord(one) && one.extension_type === 'new-sco')) return 'support'
  // Unlike domain objects, custom cyber observables have no versions.
  return object.created === undefined && object.modified === undefined ? 'support' : 'entity'
}
