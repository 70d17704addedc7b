import { z } from 'zod'
import { defineOutgoing } from '../transport.ts'

export const taxii2 = defineOutgoing({
  type: 'eiq.outgoing-transports.taxii2',
  label: 'TAXII 2.1',
  doc: 'Serves a collection of the TAXII 2.1 server.',
  configuration: z.object({}),
  isCollection: true,
})
