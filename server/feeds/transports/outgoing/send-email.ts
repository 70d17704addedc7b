import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { mailAddress } from '../../../settings/values.ts'
import { defineOutgoing } from '../transport.ts'

const configuration = z.object({
  recipients: z.array(mailAddress()).min(1).max(50).meta({ title: 'Recipients', description: 'E-mail addresses.' }),
  subject: string(0, 200)
    .regex(/^[^\r\n]*$/, 'must be one line')
    .default('')
    .meta({ title: 'Subject' }),
  most_megabytes: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ title: 'Maximum size (MB)', description: 'Larger blocks are not sent, and the feed fails.' }),
})

export type SendEmailConfiguration = z.output<typeof configuration>

export const sendEmail = defineOutgoing({
  type: 'eiq.outgoing-transports.send-email',
  label: 'E-mail',
  doc: 'Sends each block as an attachment.',
  configuration,
  carry: async () => (await import('../../publishing/send-email.ts')).sendByMail,
})
