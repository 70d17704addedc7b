import { isRecord } from '../../domain/record.ts'
import type { FoundAttachment, FoundObservable } from '../finding.ts'
import { type Json, listOf } from '../json/record.ts'
import type { Maliciousness } from '../maliciousness.ts'
import { type SentTlp, tlpOfLabel } from '../tlp-label.ts'
import { readAttribute } from './attributes.ts'
import { type RelatedEntities, relatedEntitiesOf, tagNames } from './galaxies.ts'
import { isDeleted } from './text-of.ts'

/** Maximum number of attributes and of objects kept with their full context. */
const CONTEXT_LIMIT = 1000

/** The contents of an event and all of its parts. */
export interface Gathered {
  /** By type and value. */
  readonly observables: Map<string, FoundObservable>
  readonly attachments: FoundAttachment[]
  readonly references: Json[]
  readonly texts: string[]
  readonly losses: string[]
  /** Attributes and objects with more than a type and a value, unchanged. */
  readonly attributes: Json[]
  readonly objects: Json[]
  /** The entities in its galaxies, by id. */
  readonly related: Map<string, RelatedEntities['entities'][number]>
  readonly tags: Set<string>
  readonly colours: SentTlp[]
}

/** Collects the attributes of an event and of its objects. */
export function gather(event: Json, threat: Maliciousness): Gathered {
  const gathered: Gathered = {
    observables: new Map(),
    attachments: [],
    references: [],
    texts: [],
    losses: [],
    attributes: [],
    objects: [],
    related: new Map(),
    tags: new Set(),
    colours: [],
  }
  takeRelatedEntities(event, gathered, true)
  takeAttributes(event, gathered, threat)
  const objects = listOf(event.Object).filter(isRecord)
  for (const object of objects.filter((one) => !isDeleted(one))) {
    takeRelatedEntities(object, gathered, false)
    takeAttributes(object, gathered, threat)
    gathered.objects.push(plainObject(object))
  }
  reportOmissions(event, objects, gathered)
  cutContext(gathered)
  return gathered
}

function cutContext({ attributes, objects, losses }: Gathered): void {
  for (const [name, kept] of Object.entries({ attributes, objects })) {
    const more = kept.splice(CONTEXT_LIMIT).length
    if (more > 0) losses.push(`the context of ${more} more ${name} is omitted`)
  }
}

/** Reports deleted parts and proposals, which are not imported. */
function reportOmissions(event: Json, objects: readonly Json[], { losses }: Gathered): void {
  const holders = [event, ...objects]
  const attributes = holders.flatMap((holder) => listOf(holder.Attribute).filter(isRecord))
  const deleted = [...objects, ...attributes].filter(isDeleted).length
  const proposals = [event, ...attributes].reduce((sum, one) => sum + listOf(one.ShadowAttribute).length, 0)
  if (deleted > 0) losses.push(`${deleted} deleted attributes and objects are omitted`)
  if (proposals > 0) losses.push(`${proposals} proposals are omitted`)
}

function takeAttributes(holder: Json, gathered: Gathered, threat: Maliciousness): void {
  for (const attribute of listOf(holder.Attribute).filter(isRecord)) {
    if (!isDeleted(attribute)) takeAttribute(attribute, gathered, threat)
  }
}

function takeAttribute(attribute: Json, gathered: Gathered, threat: Maliciousness): void {
  takeRelatedEntities(attribute, gathered, false)
  const read = readAttribute(attribute, threat)
  for (const observable of read.observables) {
    const key = `${observable.type} ${observable.value}`
    const known = gathered.observables.get(key)
    if (!known || known.maliciousness === 'unknown') gathered.observables.set(key, observable)
  }
  gathered.attachments.push(...read.attachments)
  gathered.references.push(...read.references)
  gathered.texts.push(...read.texts)
  gathered.losses.push(...read.losses)
  if (!read.hasContext) return
  const { data: _data, ShadowAttribute: _proposals, ...said } = attribute
  gathered.attributes.push(said)
}

/** Keeps an object with only the essentials of its attributes, which are imported themselves. */
const plainObject = ({ Attribute, ...object }: Json): Json => ({
  ...object,
  Attribute: listOf(Attribute)
    .filter(isRecord)
    .filter((attribute) => !isDeleted(attribute))
    .map(({ uuid, object_relation, type, value }) => ({ uuid, object_relation, type, value })),
})

const colourOf = (tag: string): SentTlp | undefined => (/^tlp:/i.test(tag) ? tlpOfLabel(tag) : undefined)

/**
 * The tags of attributes do not apply to the event, but their TLP colours do, so that nothing is disclosed to more people than intended.
 */
function takeRelatedEntities(holder: Json, gathered: Gathered, isEvent: boolean): void {
  const { entities, tags } = relatedEntitiesOf(holder)
  for (const entity of entities) if (!gathered.related.has(entity.data.id)) gathered.related.set(entity.data.id, entity)
  gathered.colours.push(...tagNames(holder).flatMap((tag) => colourOf(tag) ?? []))
  if (!isEvent) return
  for (const tag of tags) if (!colourOf(tag)) gathered.tags.add(tag.slice(0, 500))
}
