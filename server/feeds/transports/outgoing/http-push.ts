import { z } from 'zod'
import { connection, url } from '../connection.ts'
import { defineOutgoing } from '../transport.ts'

const configuration = z.object({
  url,
  method: z.enum(['POST', 'PUT']).default('POST').meta({ title: 'Method' }),
  ...connection,
})

export type HttpPushConfiguration = z.output<typeof configuration>

export const httpPush = defineOutgoing({
  type: 'eiq.outgoing-transports.http-push',
  label: 'HTTP push',
  doc: 'Sends each block to an address.',
  configuration,
  carry: async () => (await import('../../publishing/http-push.ts')).pushByHttp,
})
