import { z } from 'zod'
import { defineOutgoing } from '../transport.ts'

export const httpDownload = defineOutgoing({
  type: 'eiq.outgoing-transports.http-download',
  label: 'Download',
  doc: 'Keeps blocks for clients to download.',
  configuration: z.object({}),
})
