import { isRecord } from '../../domain/record.ts'
import { textFrom } from '../../domain/text-from.ts'
import { type Document, DocumentError } from '../document.ts'
import type { Finding, Reader } from '../finding.ts'
import { type ReadRest, readItems } from '../json/read-items.ts'
import { listOf } from '../json/record.ts'
import { entityOf, observableIn } from './entity-of.ts'
import { isSequence, readSequence } from './read-sequence.ts'
import { isRelationship, type Positions, relationshipOf } from './relationship-of.ts'

/** The names of the main lists in all versions of the document and in API responses. */
const LISTS = ['entities', 'relationships', 'relations', 'data', '']

/**
 * Reads the platform's own JSON: documents of all versions, lists of entities as in API requests and responses, and files with one entity
 * or observable per line.
 */
export const readPlatformJson: Reader = async function* (document) {
  let hasRelationships = false
  for await (const { at, value, losses = [] } of itemsOf(document)) {
    if (isRelationship(value, at)) hasRelationships = true
    else yield findingOf(at, value, losses)
  }
  if (!hasRelationships) return
  // The entities at their ends come first, wherever they are in the document.
  const positions = positionsIn(document)
  for await (const { at, value, losses = [] } of itemsOf(document)) {
    if (!isRelationship(value, at)) continue
    const relationship = await relationshipOf(value, positions)
    if (relationship) yield { kind: 'relationship', at, relationship, ...(losses.length > 0 && { losses }) }
    else yield { kind: 'lost', at, losses: ['its ends are not STIX ids'] }
  }
}

interface Item {
  readonly at: string
  readonly value: unknown
  /** Losses of numeric precision. */
  readonly losses?: readonly string[]
}

async function* itemsOf(document: Document): AsyncGenerator<Item> {
  if (await isSequence(document)) {
    for await (const { line, ...item } of readSequence(document)) yield { at: `line ${line}`, ...item }
    return
  }
  let count = 0
  for await (const found of readItems(document, LISTS)) {
    if (!('rest' in found)) {
      yield { at: `${found.list}[${found.index}]`, value: found.value, losses: found.losses }
      count++
    } else yield* itemsInRest(found, count)
  }
}

/** A document that is a single entity, or observables next to the lists. */
function* itemsInRest({ rest, losses }: ReadRest, count: number): Generator<Item> {
  const { data } = rest
  if (isRecord(data)) {
    yield isRecord(data.data) ? { at: 'data', value: data, losses } : { at: 'document', value: rest, losses }
    return
  }
  const observables = listOf(rest.observables)
  for (const [index, value] of observables.entries()) yield { at: `observables[${index}]`, value }
  const isOurs = ['content_type', 'content-type'].some((name) => textFrom(rest[name]).includes(':json:'))
  const isAnswer = 'total_count' in rest || rest.type === 'linked-entities'
  if (count === 0 && observables.length === 0 && !isOurs && !isAnswer && Object.keys(rest).length > 0) {
    throw new DocumentError('This is not platform JSON: the document has no list of entities.')
  }
}

function findingOf(at: string, value: unknown, inexact: readonly string[]): Finding {
  if (!isRecord(value)) return { kind: 'lost', at, losses: ['not an object'] }
  if (!isRecord(value.data) && typeof value.value === 'string') {
    const observable = observableIn(value)
    return 'fault' in observable
      ? { kind: 'lost', at, losses: [observable.fault] }
      : { kind: 'observable', at, observable }
  }
  const found = entityOf(value)
  if (typeof found === 'string') return { kind: 'lost', at, losses: [found] }
  const { entity } = found
  const losses = [...inexact, ...found.losses]
  return losses.length > 0 ? { kind: 'entity', at, entity, losses } : { kind: 'entity', at, entity }
}

/** Returns the positions of entities in a document, computed on first use. */
function positionsIn(document: Document): Positions {
  let ids: ReturnType<Positions> | undefined
  const read = async () => {
    const found: (string | undefined)[] = []
    for await (const { at, value } of itemsOf(document)) {
      if (!at.startsWith('entities[') || !isRecord(value)) continue
      const made = entityOf(value)
      found.push(typeof made === 'string' ? undefined : made.entity.data.id)
    }
    return found
  }
  return () => {
    ids ??= read()
    return ids
  }
}
