import { createHash } from 'node:crypto'
import { referencedIds } from '../../domain/stix-ids.ts'
import type { Document } from '../document.ts'
import type { Finding, FoundEntity, FoundObservable, Reader } from '../finding.ts'
import { canonicalJson } from './canonical-json.ts'
import { containersOf, isContainer } from './container.ts'
import { madeWith, originOf, takeExtension } from './extension.ts'
import { heldBy, joinedWith, type Keeping, keepingOf, keptWith, namedWith } from './kept.ts'
import { fits } from './kinds.ts'
import { type Located, objectsOf } from './objects-of.ts'
import { kindOf } from './properties.ts'
import { readEntity, TAG_LIMIT } from './read-entity.ts'
import { embeddedRelationships, readRelationship } from './read-relationship.ts'
import type { StixObject } from './stix-object.ts'
import { isEntityId, isNewest, type Survey, surveyOf } from './survey.ts'
import { isLater } from './times.ts'

/** How many losses of one object are told. */
const LOSS_LIMIT = 100

/**
 * Reads STIX 2.1 and 2.0: bundles, envelopes, lists and single objects. The document is read three times, since what belongs to an
 * entity may stand anywhere, and entities are told before the relationships between them; once more where ids are repeated.
 */
export const readStix2: Reader = async function* (document) {
  const survey = await surveyOf(document)
  const keeping = keepingOf(survey)
  yield* entitiesOf(document, keeping)
  for (const { entity, losses } of containersOf(keeping)) {
    yield { kind: 'entity', at: 'objects', entity, ...(losses.length > 0 && { losses: losses.slice(0, LOSS_LIMIT) }) }
  }
  yield* relationshipsOf(document, keeping)
}

async function* entitiesOf(document: Document, keeping: Keeping): AsyncGenerator<Finding> {
  const { survey } = keeping
  const isTaken = takingOf(survey)
  for await (const found of objectsOf(document)) {
    const { at } = found
    if ('fault' in found) yield { kind: 'lost', at, id: found.id, losses: [found.fault] }
    else if (!survey.ours.has(found.object.id)) {
      const over = survey.passedOver.get(at)
      const passed = over ? { losses: [over] } : found.role === 'entity' ? isTaken(found) : undefined
      if (passed) yield { kind: 'lost', at, id: found.object.id, ...passed }
      else if (found.role === 'support' && found.losses.length > 0)
        yield { kind: 'lost', at, id: found.object.id, losses: found.losses }
      else if (found.role === 'entity' && isNewest(survey, found.object.id, at)) yield entityFinding(found, keeping)
    }
  }
}

type LocatedObject = Exclude<Located, { fault: string }>

function entityFinding({ at, object, losses: inexact }: LocatedObject, keeping: Keeping): Finding {
  const { object: plain, extension } = takeExtension(object)
  const listed = extension?.observables ?? []
  const made = new Set(extension ? madeWith(extension) : [])
  const own = (extension?.kept ?? []).map(({ id }) => id)
  const keep = isContainer(extension?.data ?? {}) ? heldBy : keptWith
  const kept = keep(keeping, plain, made, own)
  for (const id of made) keeping.held.add(id)
  const named = namedWith(plain, kept)
  const told = listed.map(({ ref: _, ...observable }) => observable)
  const observables = [
    ...new Map(
      [...named.observables, ...told].map((one): [string, FoundObservable] => [`${one.type} ${one.value}`, one]),
    ).values(),
  ]
  const { data, meta } = readEntity(object, keeping.lookup)
  const origin = originOf(plain, extension)
  const missing = referencedIds(data).filter((id) => !keeping.isInDocument(id))
  const isWithdrawn = plain.revoked === true
  const listedKeys = new Set(told.map(({ type, value }) => `${type} ${value}`))
  const joined = joinedWith(plain, kept).filter(({ type, value }) => !listedKeys.has(`${type} ${value}`))
  const entity: FoundEntity = {
    data,
    meta,
    observables,
    kept,
    missing,
    ...(origin && { origin }),
    ...(isWithdrawn && { isWithdrawn }),
    ...(joined.length > 0 && { joined }),
  }
  const losses = [...inexact, ...lacking(plain), ...misfits(plain), ...longLabels(plain), ...named.losses].slice(
    0,
    LOSS_LIMIT,
  )
  return { kind: 'entity', at, entity, ...(losses.length > 0 && { losses }) }
}

/** What an object of a type must say and does not. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  indicator: ['pattern', 'valid_from'],
  'observed-data': ['first_observed', 'last_observed', 'number_observed'],
  sighting: ['sighting_of_ref'],
}

const lacking = (object: StixObject): string[] =>
  [...(REQUIRED[object.type] ?? []), 'created', 'modified'].flatMap((name) =>
    object[name] === undefined ? [`${name}: is required by STIX, and not there`] : [],
  )

const longLabels = ({ labels }: StixObject): string[] =>
  (Array.isArray(labels) ? labels : []).flatMap((label) =>
    typeof label === 'string' && label.trim().length > TAG_LIMIT
      ? [`labels: '${label.trim().slice(0, 40)}…' has more than ${TAG_LIMIT} characters and makes no tag`]
      : [],
  )

/** What an object says in another form than STIX has for it. */
const misfits = (object: StixObject): string[] =>
  Object.entries(object).flatMap(([name, value]) => {
    const kind = kindOf(object.type, name)
    const isFine = kind === undefined || fits(kind, value) || (kind === 'stamp' && fits('time', value))
    return isFine
      ? []
      : [`${name}: ${JSON.stringify(value).slice(0, 80)} is not what STIX has there; it is kept as it came`]
  })

async function* relationshipsOf(document: Document, { survey, lookup }: Keeping): AsyncGenerator<Finding> {
  const own = (id: string): string => survey.owns.get(id) ?? id
  const isEntity = (id: string): boolean => isEntityId(survey, id)
  const isTaken = takingOf(survey)
  for await (const found of objectsOf(document)) {
    if ('fault' in found || survey.ours.has(found.object.id)) continue
    const { at, object, role } = found
    const isTheNewest = isNewest(survey, object.id, at)
    if (role === 'entity' && isTheNewest) {
      const { object: plain } = takeExtension(object)
      for (const relationship of embeddedRelationships(plain, isEntity, own))
        yield { kind: 'relationship', at, relationship }
    }
    if (role !== 'relationship') continue
    const passed = isTaken(found)
    const relationship =
      isTheNewest && !survey.supports.has(object.id) ? readRelationship(object, lookup, own) : undefined
    if (passed) yield { kind: 'lost', at, id: object.id, ...passed }
    else if (relationship && 'fault' in relationship)
      yield { kind: 'lost', at, id: object.id, losses: [relationship.fault] }
    else if (relationship)
      yield { kind: 'relationship', at, relationship, ...(found.losses.length > 0 && { losses: found.losses }) }
  }
}

type PassedOver = Pick<Extract<Finding, { kind: 'lost' }>, 'losses' | 'isOutdated'>

/** Tells why an object that stands in the document more than once is passed over here; nothing where it is taken, or the same. */
function takingOf({ repeated }: Survey): (found: LocatedObject) => PassedOver | undefined {
  const digests = new Map<string, string>()
  return ({ at, object }) => {
    const taken = repeated.get(object.id)
    if (!taken) return undefined
    if (isLater(taken.modified, object.modified)) {
      const loss = `an older version, modified ${String(object.modified)}; that of ${String(taken.modified)} at ${taken.at} is taken`
      return { losses: [loss], isOutdated: true }
    }
    const digest = createHash('sha256').update(canonicalJson(object)).digest('base64')
    if (taken.at === at) digests.set(object.id, digest)
    return taken.at === at || digests.get(object.id) === digest
      ? undefined
      : { losses: [`another object with the same id and time of change; that at ${taken.at} is taken`] }
  }
}
