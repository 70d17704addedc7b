import { referencedIds } from '../../domain/stix-ids.ts'
import type { Document } from '../document.ts'
import type { Finding, FoundEntity, FoundObservable, Reader } from '../finding.ts'
import { memoryScratch, type ScratchFile } from '../scratch.ts'
import { containersOf, isContainer } from './container.ts'
import { generatedIds, originOf, separateExtension } from './extension.ts'
import { heldBy, joinedWith, type Keeping, keepingOf, keptWith, namedWith } from './kept.ts'
import { fits } from './kinds.ts'
import { type LocatedObject, objectsOf } from './objects-of.ts'
import { kindOf } from './properties.ts'
import { readEntity, TAG_LIMIT } from './read-entity.ts'
import { embeddedRelationships, readRelationship } from './read-relationship.ts'
import type { StixObject } from './stix-object.ts'
import { isEntityId, type Survey, surveyOf } from './survey.ts'
import { textSpool } from './text-spool.ts'

/** Maximum number of losses reported per object. */
const LOSS_LIMIT = 100

/** The share of an import spent on the first pass over the document, and on the second one if ids are repeated. */
const PASS_SHARES = [0.05, 0.1] as const

/** Relative cost of a relationship and of an unreferenced object, where an entity costs 1. */
const RELATIONSHIP_COST = 0.5
const UNREFERENCED_COST = 0.2

/** Options of the reader. */
export interface Stix2Reading {
  /** Opens a file for data that must wait until the whole document has been read. The default is memory. */
  readonly openScratch?: (() => ScratchFile) | undefined
  /** Called with the fraction completed, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/**
 * Reads STIX 2.1 and 2.0: bundles, envelopes, lists and single objects. The document is read three times, because the parts of an entity
 * may be anywhere in it, and entities are reported before the relationships between them. Repeated ids need a fourth pass.
 */
export const stix2Reader = ({ openScratch = memoryScratch, onProgress = () => {} }: Stix2Reading): Reader =>
  async function* (document) {
    using spool = textSpool(openScratch)
    const [looked, lookedAgain] = PASS_SHARES
    const survey = await surveyOf({
      spool,
      passes: [
        withReadProgress(document, (part) => onProgress(part * looked)),
        withReadProgress(document, (part) => onProgress(looked + part * (lookedAgain - looked))),
      ],
    })
    const keeping = keepingOf(survey)
    const [entitiesDone, looseDone] = sharesOf(survey)
    const report = (from: number, to: number) => (part: number) => onProgress(from + Math.min(1, part) * (to - from))
    yield* entitiesOf(document, keeping, report(lookedAgain, entitiesDone))
    for await (const { entity, losses } of containersOf(keeping, report(entitiesDone, looseDone)))
      yield { kind: 'entity', at: 'objects', entity, ...(losses.length > 0 && { losses: losses.slice(0, LOSS_LIMIT) }) }
    yield* relationshipsOf(document, keeping, report(looseDone, 1))
  }

/** The fraction completed after all entities, and after all unreferenced objects. */
function sharesOf({ counts, supports }: Survey): readonly [number, number] {
  const [, start] = PASS_SHARES
  const [loose, related] = [supports.index.size - counts.kept, counts.relationships - counts.kept]
  const costs = [counts.entities, loose * UNREFERENCED_COST, related * RELATIONSHIP_COST]
  const total = Math.max(
    1,
    costs.reduce((sum, cost) => sum + cost, 0),
  )
  const share = (cost: number) => ((1 - start) * cost) / total
  const [entitiesShare = 0, looseShare = 0] = costs.map(share)
  return [start + entitiesShare, start + entitiesShare + looseShare]
}

/** A document that reports how much of it has been read. */
const withReadProgress = (document: Document, report: (part: number) => void): Document => ({
  ...document,
  async *open() {
    let bytes = 0
    for await (const piece of document.open()) {
      bytes += piece.length
      report(Math.min(1, bytes / Math.max(1, document.size)))
      yield piece
    }
  },
})

/** Reads STIX 2 and keeps all waiting data in memory. */
export const readStix2: Reader = stix2Reader({})

type ProgressReport = (part: number) => void

async function* entitiesOf(document: Document, keeping: Keeping, report: ProgressReport): AsyncGenerator<Finding> {
  const { survey } = keeping
  let done = 0
  for await (const found of objectsOf(document)) {
    const { at } = found
    if ('fault' in found) {
      yield { kind: 'lost', at, id: found.id, losses: [found.fault] }
      continue
    }
    if (found.role === 'entity') report(done++ / survey.counts.entities)
    if (survey.ours.has(found.object.id)) continue
    const over = survey.skipped.get(found.index)
    const passed = over ? { losses: [over] } : found.role === 'entity' ? survey.repeated.reasonToSkip(found) : undefined
    if (passed) yield { kind: 'lost', at, id: found.object.id, ...passed }
    else if (found.role === 'support' && found.losses.length > 0)
      yield { kind: 'lost', at, id: found.object.id, losses: found.losses }
    else if (found.role === 'entity' && survey.repeated.isNewest(found.object.id, at))
      yield entityFinding(found, keeping)
  }
}

function entityFinding({ at, object, losses: inexact }: LocatedObject, keeping: Keeping): Finding {
  const { object: plain, extension } = separateExtension(object)
  const listed = extension?.observables ?? []
  const made = new Set(extension ? generatedIds(extension) : [])
  const own = (extension?.kept ?? []).map(({ id }) => id)
  const keep = isContainer(extension?.data ?? {}) ? heldBy : keptWith
  const kept = keep(keeping, plain, made, own)
  for (const id of made) keeping.held.add(id)
  const named = namedWith(plain, kept)
  const listedObservables = listed.map(({ ref: _, ...observable }) => observable)
  const observables = [
    ...new Map(
      [...named.observables, ...listedObservables].map((one): [string, FoundObservable] => [
        `${one.type} ${one.value}`,
        one,
      ]),
    ).values(),
  ]
  const { data, meta, attacks } = readEntity(object, keeping.lookup)
  const origin = originOf(plain, extension)
  const missing = referencedIds(data).filter((id) => !keeping.isInDocument(id))
  const isWithdrawn = plain.revoked === true
  const listedKeys = new Set(listedObservables.map(({ type, value }) => `${type} ${value}`))
  const joined = joinedWith(plain, kept).filter(({ type, value }) => !listedKeys.has(`${type} ${value}`))
  const entity: FoundEntity = {
    data,
    meta,
    ...(attacks.length > 0 && { attacks }),
    observables,
    kept,
    missing,
    ...(origin && { origin }),
    ...(isWithdrawn && { isWithdrawn }),
    ...(joined.length > 0 && { joined }),
  }
  const losses = [
    ...inexact,
    ...missingProperties(plain),
    ...invalidFormLosses(plain),
    ...longLabels(plain),
    ...named.losses,
  ].slice(0, LOSS_LIMIT)
  return { kind: 'entity', at, entity, ...(losses.length > 0 && { losses }) }
}

/** Required properties by object type. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  indicator: ['pattern', 'valid_from'],
  'observed-data': ['first_observed', 'last_observed', 'number_observed'],
  sighting: ['sighting_of_ref'],
}

const missingProperties = (object: StixObject): string[] =>
  [...(REQUIRED[object.type] ?? []), 'created', 'modified'].flatMap((name) =>
    object[name] === undefined ? [`${name}: required by STIX, but missing`] : [],
  )

const longLabels = ({ labels }: StixObject): string[] =>
  (Array.isArray(labels) ? labels : []).flatMap((label) =>
    typeof label === 'string' && label.trim().length > TAG_LIMIT
      ? [`labels: '${label.trim().slice(0, 40)}…' exceeds ${TAG_LIMIT} characters and is not used as a tag`]
      : [],
  )

/** Reports properties whose form is not valid STIX. */
const invalidFormLosses = (object: StixObject): string[] =>
  Object.entries(object).flatMap(([name, value]) => {
    const kind = kindOf(object.type, name)
    const isFine = kind === undefined || fits(kind, value) || (kind === 'stamp' && fits('time', value))
    return isFine ? [] : [`${name}: ${JSON.stringify(value).slice(0, 80)} is not valid STIX; it is kept unchanged`]
  })

async function* relationshipsOf(
  document: Document,
  { survey, lookup }: Keeping,
  report: ProgressReport,
): AsyncGenerator<Finding> {
  const { repeated, counts } = survey
  const own = (id: string): string => survey.owns.get(id) ?? id
  const isEntity = (id: string): boolean => isEntityId(survey, id)
  let done = 0
  for await (const found of objectsOf(document)) {
    if ('fault' in found || survey.ours.has(found.object.id)) continue
    const { at, object, role } = found
    if (role === 'support') continue
    report(done++ / (counts.entities + counts.relationships))
    const isTheNewest = repeated.isNewest(object.id, at)
    if (role === 'entity' && isTheNewest) {
      const { object: plain } = separateExtension(object)
      for (const relationship of embeddedRelationships(plain, isEntity, own))
        yield { kind: 'relationship', at, relationship }
    }
    if (role !== 'relationship') continue
    const passed = repeated.reasonToSkip(found)
    const relationship =
      isTheNewest && !survey.supports.has(object.id) ? readRelationship(object, lookup, own) : undefined
    if (passed) yield { kind: 'lost', at, id: object.id, ...passed }
    else if (relationship && 'fault' in relationship)
      yield { kind: 'lost', at, id: object.id, losses: [relationship.fault] }
    else if (relationship)
      yield { kind: 'relationship', at, relationship, ...(found.losses.length > 0 && { losses: found.losses }) }
  }
}
