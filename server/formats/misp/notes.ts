import { isRecord } from '../../domain/record.ts'
import type { Finding } from '../finding.ts'
import { type Json, listOf } from '../json/record.ts'
import { descriptionUuid, isDeleted, textOf, timeOf } from './text-of.ts'

/** Converts the event reports of an event to notes on its report. */
export function* notesOf(event: Json, report: string, at: string): Generator<Finding> {
  for (const [index, text] of listOf(event.EventReport).entries()) {
    const place = `${at}.EventReport[${index}]`
    if (!isRecord(text) || isDescription(text, event)) continue
    const uuid = textOf(text, 'uuid').toLowerCase()
    if (isDeleted(text)) yield { kind: 'lost', at: place, losses: ['this text was deleted'] }
    else if (uuid === '') yield { kind: 'lost', at: place, losses: ['this text has no uuid'] }
    else yield { kind: 'entity', at: place, entity: { data: noteOf(text, uuid, report) } }
  }
}

/** Returns the description of the report itself if we exported the event. */
export const descriptionIn = (event: Json): string =>
  listOf(event.EventReport)
    .filter(isRecord)
    .filter((text) => isDescription(text, event) && !isDeleted(text))
    .map((text) => textOf(text, 'content'))
    .join('\n')

const isDescription = (text: Json, event: Json): boolean =>
  textOf(text, 'uuid').toLowerCase() === descriptionUuid(textOf(event, 'uuid').toLowerCase())

function noteOf(text: Json, uuid: string, report: string) {
  const modified = timeOf(textOf(text, 'timestamp'))
  return {
    type: 'note',
    id: `note--${uuid}`,
    title: textOf(text, 'name') || 'Report of an event',
    content: typeof text.content === 'string' ? text.content : '',
    object_refs: [report],
    ...(modified ? { modified, timestamp: modified } : {}),
  }
}
