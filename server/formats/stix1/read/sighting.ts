import { timeOf } from '../../xml/times.ts'
import { attributeOf, childOf, type XmlElement } from '../../xml/xml-element.ts'
import { type EntityDraft, set, startEntity, takeRelatedObservables } from './draft.ts'
import { finish } from './finish.ts'
import { relate } from './links.ts'
import { descriptionOf, informationSourceOf } from './records.ts'
import { confidenceOf } from './statements.ts'
import { takeText } from './taken.ts'

/** Reads one sighting of an indicator, which becomes a separate entity. */
export function readSighting(element: XmlElement, id: string, indicator: EntityDraft, at: string, count: number): void {
  const { reading, setting } = indicator
  if (reading.known.has(id)) return
  reading.known.set(id, '')
  const draft = startEntity(element, at, id, 'vendor-sighting', reading, setting)
  const time = timeOf(attributeOf(element, 'timestamp'))
  set(draft, 'title', `Sighting of ${String(indicator.data.title ?? indicator.id)}`)
  set(draft, 'description', descriptionOf(element, 'Description', draft.taken))
  set(draft, 'timestamp', time)
  set(draft, 'last_seen', time)
  set(draft, 'count', count)
  set(draft, 'confidence', confidenceOf(childOf(element, 'Confidence'), draft.taken))
  set(draft, 'security_control', informationSourceOf(childOf(element, 'Source'), draft.taken))
  const reference = takeText(element, 'Reference', draft.taken)
  if (reference !== undefined) set(draft, 'external_references', [{ source_name: 'Reference', url: reference }])
  takeRelatedObservables(draft, childOf(element, 'Related_Observables'), 'Related_Observable')
  finish(draft)
  relate(draft, { key: 'sighting-of' }, indicator.id, at)
}
