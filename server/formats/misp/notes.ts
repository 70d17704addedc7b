import type { Finding } from '../finding.ts'
import { isRecord, type Json, listOf } from '../json/record.ts'
import { isDeleted, textOf, timeOf } from './text-of.ts'

/** The texts that somebody wrote about an event, as notes on its report. */
export function* notesOf(event: Json, report: string, at: string): Generator<Finding> {
  for (const [index, text] of listOf(event.EventReport).entries()) {
    const place = `${at}.EventReport[${index}]`
    if (!isRecord(text)) continue
    const uuid = textOf(text, 'uuid').toLowerCase()
    if (isDeleted(text)) yield { kind: 'lost', at: place, losses: ['this text was deleted'] }
    else if (uuid === '') yield { kind: 'lost', at: place, losses: ['this text has no uuid'] }
    else yield { kind: 'entity', at: place, entity: { data: noteOf(text, uuid, report) } }
  }
}

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
