import { z } from 'zod'
import { webAddress } from '../../../settings/values.ts'
import { connection, url } from '../connection.ts'
import { ADVANCED, defineIncoming } from '../transport.ts'

const configuration = z.object({
  url,
  ...connection,
  signature_url: webAddress()
    .nullable()
    .default(null)
    .meta({ ...ADVANCED, title: 'Signature', description: 'The address of a detached OpenPGP signature.' }),
})

export type HttpDownloadConfiguration = z.output<typeof configuration>

export const httpDownload = defineIncoming({
  type: 'eiq.incoming-transports.http-download',
  label: 'Download',
  doc: 'Downloads a document over HTTP or HTTPS.',
  configuration,
  strategies: ['APPEND', 'REPLACE', 'DIFF'],
  collect: async () => (await import('../../collecting/http-download.ts')).downloadDocument,
})
