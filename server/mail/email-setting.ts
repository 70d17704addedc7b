import { isIP } from 'node:net'
import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from '../settings/setting.ts'
import { mailAddress, secretText } from '../settings/values.ts'

const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*\.?$/i

const isHost = (text: string): boolean => isIP(text) !== 0 || HOST_NAME.test(text)

/** The sender of mails, and the server that sends them. */
export const emailSetting = defineSetting({
  name: 'email',
  doc: 'from whom mails come, and which server sends them',
  schema: z.object({
    from_email: mailAddress(),
    reply_to: mailAddress(),
    host: string().refine(isHost, 'must be the name or the address of a host').nullable().default(null),
    port: z.int().min(1).max(65_535).default(587),
    security: z
      .enum(['none', 'starttls', 'tls'])
      .default('starttls')
      .describe('Encryption: never, after STARTTLS, or from the first byte.'),
    username: string(0, 500).nullable().default(null),
    password: secretText(),
  }),
  secrets: ['password'],
  secretsGoTo: ({ host, port, security }) =>
    host === null ? [] : [`${host.toLowerCase()} ${port}`, ...(security === 'none' ? ['anyone on the way'] : [])],
})
