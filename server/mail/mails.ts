import { z } from 'zod'
import { computed, oneOf, ref, timestamp } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { readOnly } from '../engine/standard.ts'

const KINDS = ['password-reset-request', 'password-reset', 'invitation', 'news'] as const

export type Kind = (typeof KINDS)[number]

/** Mails are confidential: administrators see only the subject and the state. */
export const mails = defineResource({
  collection: 'mails',
  title: 'Mail',
  doc: 'A mail sent by the platform, and its state. The content is not shown.',
  permission: 'configurations',
  key: ['id'],
  fields: {
    kind: oneOf(KINDS).readOnly(),
    user: ref('users').nullable().readOnly().describe('The recipient; null while a request waits.'),
    state: computed(
      'text',
      z.enum(['WAITING', 'SENT', 'FAILED']),
      `case
        when t.sent_at is not null then 'SENT'
        when t.refusal is null and exists (select from task_runs as r where r.id = t.task_run and r.ended_at is null)
          then 'WAITING'
        else 'FAILED'
      end`,
    ),
    error_detail: computed(
      'text',
      z.string().nullable(),
      `case when t.sent_at is null
        then coalesce(t.refusal, (select r.error_detail from task_runs as r where r.id = t.task_run)) end`,
    ).describe('Why it failed, or why it will be tried again.'),
    task_run: ref('task_runs').readOnly().describe('The run that sends it.'),
    created_at: timestamp().stamped('created-at'),
    sent_at: timestamp().nullable().readOnly(),
  },
  operations: readOnly,
})
