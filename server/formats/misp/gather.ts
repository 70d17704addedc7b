import { isRecord } from '../../domain/record.ts'
import type { FoundAttachment, FoundObservable } from '../finding.ts'
import { type Json, listOf } from '../json/record.ts'
import type { Maliciousness } from '../maliciousness.ts'
import { type SentTlp, tlpOfLabel } from '../tlp-label.ts'
import { readAttribute } from './attributes.ts'
import { type Surroundings, surroundingsOf, tagNames } from './galaxies.ts'
import { isDeleted } from './text-of.ts'

/** As many attributes and objects as are kept with all that is said of them. */
const CONTEXT_LIMIT = 1000

/** What stands in an event and all of its parts. */
export interface Gathered {
  /** By type and value. */
  readonly observables: Map<string, FoundObservable>
  readonly attachments: FoundAttachment[]
  readonly references: Json[]
  readonly texts: string[]
  readonly losses: string[]
  /** Attributes and objects as they came, where they say more than a type and a value. */
  readonly attributes: Json[]
  readonly objects: Json[]
  /** What its galaxies name, by id. */
  readonly around: Map<string, Surroundings['entities'][number]>
  readonly tags: Set<string>
  readonly colours: SentTlp[]
}

/** Goes over the attributes of an event, its own and those of its objects. */
export function gather(event: Json, threat: Maliciousness): Gathered {
  const gathered: Gathered = {
    observables: new Map(),
    attachments: [],
    references: [],
    texts: [],
    losses: [],
    attributes: [],
    objects: [],
    around: new Map(),
    tags: new Set(),
    colours: [],
  }
  takeSurroundings(event, gathered, true)
  takeAttributes(event, gathered, threat)
  const objects = listOf(event.Object).filter(isRecord)
  for (const object of objects.filter((one) => !isDeleted(one))) {
    takeSurroundings(object, gathered, false)
    takeAttributes(object, gathered, threat)
    gathered.objects.push(plainObject(object))
  }
  sayWhatIsLeftOut(event, objects, gathered)
  cutContext(gathered)
  return gathered
}

function cutContext({ attributes, objects, losses }: Gathered): void {
  for (const [name, kept] of Object.entries({ attributes, objects })) {
    const more = kept.splice(CONTEXT_LIMIT).length
    if (more > 0) losses.push(`what is said of ${more} more ${name} beside their values is left out`)
  }
}

/** Deleted parts and proposals are no part of what an event says. */
function sayWhatIsLeftOut(event: Json, objects: readonly Json[], { losses }: Gathered): void {
  const holders = [event, ...objects]
  const attributes = holders.flatMap((holder) => listOf(holder.Attribute).filter(isRecord))
  const deleted = [...objects, ...attributes].filter(isDeleted).length
  const proposals = [event, ...attributes].reduce((sum, one) => sum + listOf(one.ShadowAttribute).length, 0)
  if (deleted > 0) losses.push(`${deleted} deleted attributes and objects are left out`)
  if (proposals > 0) losses.push(`${proposals} proposals are left out`)
}

function takeAttributes(holder: Json, gathered: Gathered, threat: Maliciousness): void {
  for (const attribute of listOf(holder.Attribute).filter(isRecord)) {
    if (!isDeleted(attribute)) takeAttribute(attribute, gathered, threat)
  }
}

function takeAttribute(attribute: Json, gathered: Gathered, threat: Maliciousness): void {
  takeSurroundings(attribute, gathered, false)
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

/** An object as it came, with little of its attributes: they stand for themselves. */
const plainObject = ({ Attribute, ...object }: Json): Json => ({
  ...object,
  Attribute: listOf(Attribute)
    .filter(isRecord)
    .filter((attribute) => !isDeleted(attribute))
    .map(({ uuid, object_relation, type, value }) => ({ uuid, object_relation, type, value })),
})

const colourOf = (tag: string): SentTlp | undefined => (/^tlp:/i.test(tag) ? tlpOfLabel(tag) : undefined)

/** Tags of attributes are not those of the event, but their colour is: nothing must be seen by more people than it may be. */
function takeSurroundings(holder: Json, gathered: Gathered, isEvent: boolean): void {
  const { entities, tags } = surroundingsOf(holder)
  for (const entity of entities) if (!gathered.around.has(entity.data.id)) gathered.around.set(entity.data.id, entity)
  gathered.colours.push(...tagNames(holder).flatMap((tag) => colourOf(tag) ?? []))
  if (!isEvent) return
  for (const tag of tags) if (!colourOf(tag)) gathered.tags.add(tag.slice(0, 500))
}
