import { z } from 'zod'
import { computed, int, text } from '../engine/field.ts'
import { Field } from '../engine/field-class.ts'

const runId = new Field({
  ...text().readOnly().describe('The task run that wrote it.').props,
  storage: { kind: 'column', type: 'uuid' } as const,
})

/** Fields of documents written by runs; `isThere` is the condition under which their content still exists. */
export function blockFields(path: string, isThere: string) {
  const below = (name: string, condition = 'true') =>
    computed(
      'text',
      z.url().nullable(),
      `case when ${isThere} and ${condition} then '/api/v2${path}/' || t.id || '/${name}' end`,
    ).path()
  return {
    content_type: text().readOnly().describe('The content type of the document, as a URN.'),
    filename: text().readOnly(),
    run_id: runId,
    losses_count: int().readOnly().describe('How many times something could not be written in this format.'),
    download_url: below('download'),
    signature_url: below('signature', 't.signature is not null').describe('A detached OpenPGP signature.'),
    losses_url: below('losses').describe('What was lost, one JSON object per line.'),
  }
}
