import { z } from 'zod'
import { post } from '../../../changes/webhooks/send.ts'
import { TLP, tlpRank } from '../../../domain/tlp.ts'
import { isWebAddress } from '../../../domain/web-address.ts'
import { string } from '../../../engine/field.ts'
import { PASS_THROUGH } from '../../../engine/field-class.ts'
import { pageOf } from '../acting/page-of.ts'
import { outOfScope, readSubject, type Seen, UNSEEN } from '../acting/subject.ts'
import { defineStep, type StepContext, StepError } from '../step.ts'

const parameters = z.object({
  url: string(1, 2000)
    .refine(isWebAddress, 'must be an http or https URL without a password')
    .meta({ format: 'uri' })
    .describe('Where a POST request with JSON is sent; redirects are not followed.'),
  secret: string(16, 500)
    .nullable()
    .default(null)
    .meta({ format: 'password', writeOnly: true })
    .describe('Signs the request, as for webhooks. It is stored encrypted and never shown again.'),
  message: string(0, 10_000).default('').describe('A text to send along, with placeholders.'),
  max_tlp: z
    .enum(TLP)
    .nullable()
    .default('GREEN')
    .describe('The most restricted colour of objects that are sent. Without it, all are sent.'),
})

/** Tells another server of the object. */
export const webhook = defineStep({
  kind: 'webhook',
  title: 'Call a webhook',
  description:
    'Posts the object, with its title and address, and the outcomes of earlier steps as JSON to a server. A repeated request has the same idempotency key.',
  outcomes: {
    delivered: 'The server answered with a status from 200 to 299.',
    out_of_scope: 'The owner of the playbook does not see the object, or its colour is above max_tlp.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: ['message'],
  permissions: () => [],
  act: async (step, { message, max_tlp }) => {
    const seen = await readSubject(step)
    if (!seen) return outOfScope(UNSEEN)
    if (max_tlp !== null && tlpRank(seen.tlp) > tlpRank(max_tlp))
      return outOfScope(`The object is TLP ${seen.tlp}, and the webhook may receive at most ${max_tlp}.`)
    const body = bodyOf(step, seen, await step.fill(message))
    return step.isDryRun ? { outcome: 'delivered', output: { bytes: Buffer.byteLength(body) } } : { prepared: { body } }
  },
  call: async (step, { url, secret }) => {
    const { body } = step.prepared
    // The token in place of a secret is known to everybody, and must sign nothing.
    if (secret === PASS_THROUGH) throw new StepError('The secret of the webhook is not known. Enter it again.')
    if (typeof body !== 'string') throw new StepError('Nothing was prepared to be sent.')
    const headers = {
      'idempotency-key': step.key,
      'corvus-playbook': String(step.playbook.id),
      'corvus-run': step.run,
    }
    const { status, reason, milliseconds } = await post(step.server, {
      url,
      secret,
      headers,
      body,
      signal: step.signal,
    })
    if (reason !== null) throw new StepError(reason, { isPassing: mayPass(status) })
    return { outcome: 'delivered', output: { status, milliseconds } }
  },
})

/** Whether a server that could not be reached, or that answered so, may accept the request later. */
const mayPass = (status: number | null): boolean => status === null || status >= 500 || [408, 425, 429].includes(status)

function bodyOf({ ctx, subject, playbook, run, step, key, results }: StepContext, seen: Seen, message: string): string {
  return JSON.stringify({
    playbook: { id: playbook.id, name: playbook.name, version: playbook.version },
    run,
    step,
    key,
    object: {
      collection: subject.collection,
      id: subject.id,
      type: seen.type,
      title: seen.title,
      tlp_color: seen.tlp === 'NONE' ? null : seen.tlp,
      page: ctx.publicUrl === undefined ? null : `${ctx.publicUrl}${pageOf(subject)}`,
    },
    message,
    steps: Object.fromEntries([...results].map(([id, { outcome }]) => [id, { outcome }])),
  })
}
