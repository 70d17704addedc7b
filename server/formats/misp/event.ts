import { isRecord } from '../../domain/record.ts'
import { tlpOf, tlpRank } from '../../domain/tlp.ts'
import type { Finding } from '../finding.ts'
import type { Json } from '../json/record.ts'
import type { Maliciousness } from '../maliciousness.ts'
import type { SentTlp } from '../tlp-label.ts'
import { type Gathered, gather } from './gather.ts'
import { descriptionIn, notesOf } from './notes.ts'
import { isTrue, textOf, timeOf } from './text-of.ts'

/** Maximum number of observables in one report that can still be displayed. */
const OBSERVABLES_LIMIT = 10_000

const THREAT_LEVELS: Readonly<Record<string, readonly [name: string, level: Maliciousness]>> = {
  1: ['High', 'high'],
  2: ['Medium', 'medium'],
  3: ['Low', 'low'],
}
const ANALYSES: Readonly<Record<string, string>> = { 0: 'Initial', 1: 'Ongoing', 2: 'Completed' }

/** Event fields without a field of their own in the platform. */
const EVENT_FIELDS = [
  'uuid',
  'date',
  'threat_level_id',
  'analysis',
  'distribution',
  'sharing_group_id',
  'published',
  'publish_timestamp',
  'extends_uuid',
]

/**
 * Reads an event as a report with its observables, the entities in its galaxies, and its notes. `inexact` are losses of numeric precision.
 */
export function* readEvent(event: Json, at: string, inexact: readonly string[]): Generator<Finding> {
  const uuid = textOf(event, 'uuid').toLowerCase()
  const fault = faultIn(event, uuid)
  if (fault !== undefined) {
    yield { kind: 'lost', at, losses: [fault] }
    return
  }
  const id = `report--${uuid}`
  const gathered = gather(event, THREAT_LEVELS[textOf(event, 'threat_level_id')]?.[1] ?? 'medium')
  gathered.losses.unshift(...inexact)
  const related = [...gathered.related.values()]
  for (const entity of related) yield { kind: 'entity', at: `${at}.Galaxy`, entity }
  yield* reportOf(event, id, gathered, at)
  yield* notesOf(event, id, at)
  for (const { data } of related) {
    const relationship = { data: { source: id, target: data.id, key: 'related-to' } }
    yield { kind: 'relationship', at: `${at}.Galaxy`, relationship }
  }
}

/** Returns why an event is invalid as a whole. */
function faultIn(event: Json, uuid: string): string | undefined {
  if (!/^[0-9a-f-]{36}$/.test(uuid)) return 'the event has no uuid'
  const broken = ['Attribute', 'Object'].find((name) => event[name] !== undefined && !Array.isArray(event[name]))
  if (broken !== undefined) return `'${broken}' of the event is not a list`
  const isEmpty = textOf(event, 'info') === '' && event.Attribute === undefined && event.Object === undefined
  return isEmpty ? 'the event has neither info nor attributes' : undefined
}

/** Yields the report of an event, and the observables beyond its limit. */
function* reportOf(event: Json, id: string, gathered: Gathered, at: string): Generator<Finding> {
  const observables = [...gathered.observables.values()]
  const loose = observables.splice(OBSERVABLES_LIMIT)
  const losses =
    loose.length === 0
      ? gathered.losses
      : [
          ...gathered.losses,
          `only the first ${OBSERVABLES_LIMIT} observables are part of this report; the others are imported separately`,
        ]
  const title = textOf(event, 'info') || `MISP event ${id}`
  // A technique in the galaxies of an event classifies the event, too.
  const attacks = [...gathered.related.values()].flatMap((related) => related.attacks ?? [])
  yield {
    kind: 'entity',
    at,
    entity: {
      data: { type: 'report', id, title, ...dataOf(event, gathered) },
      meta: metaOf(event, gathered),
      ...(attacks.length > 0 && { attacks }),
      observables,
      attachments: gathered.attachments,
    },
    ...(losses.length > 0 ? { losses } : {}),
  }
  for (const observable of loose) yield { kind: 'observable', at, observable }
}

function dataOf(event: Json, { texts, references, attributes, objects }: Gathered): Json {
  const organisation = isRecord(event.Orgc) ? textOf(event.Orgc, 'name') : ''
  const identity = { type: 'identity', name: organisation }
  const own = descriptionIn(event)
  const description = [...(own ? [own] : headingsOf(event)), ...texts].join('\n')
  const changed = timeOf(textOf(event, 'timestamp'))
  const published = isTrue(event.published) ? timeOf(textOf(event, 'publish_timestamp')) : undefined
  const created = dayOf(event) ?? changed
  return {
    ...(description ? { description } : {}),
    ...(created ? { created } : {}),
    ...(changed ? { modified: changed, timestamp: changed } : {}),
    ...(published ? { published } : {}),
    ...(organisation ? { information_source: { type: 'information-source', identity } } : {}),
    ...(references.length > 0 ? { external_references: references } : {}),
    x_misp_event: Object.fromEntries(EVENT_FIELDS.flatMap((name) => (name in event ? [[name, event[name]]] : []))),
    ...(attributes.length > 0 ? { x_misp_attributes: attributes } : {}),
    ...(objects.length > 0 ? { x_misp_objects: objects } : {}),
  }
}

function headingsOf(event: Json): string[] {
  const threat = THREAT_LEVELS[textOf(event, 'threat_level_id')]?.[0]
  const analysis = ANALYSES[textOf(event, 'analysis')]
  return [...(threat ? [`Threat level: ${threat}`] : []), ...(analysis ? [`Analysis: ${analysis}`] : [])]
}

/** The date of an event as a timestamp. */
function dayOf(event: Json): string | undefined {
  const day = textOf(event, 'date')
  const date = /^[12]\d{3}-\d{2}-\d{2}$/.test(day) ? new Date(day) : undefined
  const isDay = date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
  return isDay ? `${day}T00:00:00.000000+00:00` : undefined
}

function metaOf(event: Json, { tags, colours }: Gathered): Json {
  const day = dayOf(event)
  // The strictest of all colours. AMBER+STRICT is between AMBER and RED.
  const rank = (colour: SentTlp) => tlpRank(tlpOf(colour, 'AMBER')) * 2 + (colour === 'AMBER_STRICT' ? 1 : 0)
  const [colour] = [...colours].sort((a, b) => rank(b) - rank(a))
  return {
    ...(tags.size > 0 ? { tags: [...tags] } : {}),
    ...(colour ? { tlp_color: colour } : {}),
    ...(day ? { estimated_threat_start_time: day, estimated_observed_time: day } : {}),
  }
}
