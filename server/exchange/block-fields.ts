import { z } from 'zod'
import { computed, Field, int, text } from '../engine/field.ts'

const runId = new Field({
  ...text().readOnly().describe('The task run that wrote it.').props,
  storage: { kind: 'column', type: 'uuid' } as const,
})

/** What is told of documents that a run wrote, where they stand in the API; `isThere` says whether their content still is. */
export function blockFields(path: string, isThere: string) {
  const below = (name: string, condition = 'true') =>
    computed(
      'text',
      z.url().nullable(),
      `case when ${isThere} and ${condition} then '/api/v2${path}/' || t.id || '/${name}' end`,
    ).path()
  return {
    content_type: text().readOnly().describe('What the document is, as a URN.'),
    filename: text().readOnly(),
    run_id: runId,
    losses_count: int().readOnly().describe('How often something could not be written in this form.'),
    download_url: below('download'),
    signature_url: below('signature', 't.signature is not null').describe('A detached OpenPGP signature.'),
    losses_url: below('losses').describe('What was lost, one JSON object a line.'),
  }
}
