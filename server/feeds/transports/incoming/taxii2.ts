import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { connection, url } from '../connection.ts'
import { ADVANCED, defineIncoming } from '../transport.ts'

const configuration = z.object({
  url: url.meta({ title: 'Address', description: 'The API root, or the discovery address if there is one API root.' }),
  collection_id: string(1, 200).meta({ title: 'Collection', description: 'The id or alias of the collection.' }),
  ...connection,
  added_after: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .meta({
      ...ADVANCED,
      title: 'Start after',
      description: 'Where the first poll starts, such as 2025-01-01T00:00:00Z.',
    }),
  page_size: z
    .int()
    .min(1)
    .max(10_000)
    .default(1000)
    .meta({ ...ADVANCED, title: 'Objects per page' }),
})

export type Taxii2Configuration = z.output<typeof configuration>

export const taxii2 = defineIncoming({
  type: 'eiq.incoming-transports.taxii2',
  label: 'TAXII 2.1',
  doc: 'Polls a collection of a TAXII 2.1 server.',
  configuration,
  strategies: ['APPEND', 'REPLACE'],
  collect: async () => (await import('../../collecting/taxii/poll.ts')).pollCollection,
  isPaged: true,
})
