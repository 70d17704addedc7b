import { isRecord } from '../../domain/record.ts'
import { type Document, DocumentError } from '../document.ts'
import type { Finding, Reader } from '../finding.ts'
import { readItems } from '../json/read-items.ts'
import { type Json, listOf } from '../json/record.ts'
import { readAttribute } from './attributes.ts'
import { readEvent } from './event.ts'
import { isDeleted } from './text-of.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Reads MISP events: a single one, a list, or a search result. Each event becomes a report. */
export const readMisp: Reader = async function* (document) {
  let isSomethingRead = false
  let fault: string | undefined
  for await (const { at, value, losses } of itemsOf(document)) {
    const event = eventIn(value)
    // The result of an attribute search contains attributes without their events.
    for (const finding of event ? readEvent(event, at, losses) : attributeFindings(value, at)) {
      if (finding.kind !== 'lost') isSomethingRead = true
      else fault ??= `${at}: ${finding.losses[0]}`
      yield finding
    }
  }
  if (isSomethingRead) return
  throw new DocumentError(`The document contains no readable MISP events${fault === undefined ? '' : `: ${fault}`}.`)
}

interface Item {
  readonly at: string
  readonly value: unknown
  /** Losses of numeric precision. */
  readonly losses: readonly string[]
}

async function* itemsOf(document: Document): AsyncGenerator<Item> {
  for await (const found of readItems(document, ['response', ''])) {
    if (!('rest' in found)) {
      yield { at: `${found.list}[${found.index}]`, value: found.value, losses: found.losses }
      continue
    }
    const { rest, losses } = found
    refuseManifest(rest)
    if (isRecord(rest.response)) {
      for (const [index, value] of listOf(rest.response.Attribute).entries())
        yield { at: `Attribute[${index}]`, value, losses: [] }
    } else if (isRecord(rest.Event) || (typeof rest.info === 'string' && typeof rest.uuid === 'string')) {
      yield { at: 'Event', value: rest, losses }
    }
  }
}

/** The manifest of a feed lists events that are in separate files. */
function refuseManifest(rest: Json): void {
  const names = Object.keys(rest)
  const isManifest = names.length > 0 && names.every((name) => UUID.test(name) && isRecord(rest[name]))
  if (isManifest)
    throw new DocumentError('This is the manifest of a MISP feed: a list of events without their attributes.')
}

function eventIn(value: unknown): Json | undefined {
  if (!isRecord(value)) return undefined
  if (isRecord(value.Event) && typeof value.value !== 'string') return value.Event
  return typeof value.info === 'string' ? value : undefined
}

function* attributeFindings(value: unknown, at: string): Generator<Finding> {
  if (!isRecord(value) || typeof value.value !== 'string') {
    yield { kind: 'lost', at, losses: ['not an event'] }
    return
  }
  if (isDeleted(value)) return yield { kind: 'lost', at, losses: ['this attribute was deleted'] }
  const { observables, losses } = readAttribute(value, 'medium')
  for (const observable of observables) yield { kind: 'observable', at, observable }
  if (losses.length > 0 || observables.length === 0) {
    yield { kind: 'lost', at, losses: losses.length > 0 ? losses : ['not an observable'] }
  }
}
