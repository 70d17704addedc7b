import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { folder } from '../connection.ts'
import { defineIncoming } from '../transport.ts'

const configuration = z.object({
  path: folder,
  pattern: string(1, 200)
    .default('*')
    .meta({ title: 'File names', description: 'Which files are read; * matches any characters.' }),
  is_recursive: z.boolean().default(false).meta({ title: 'Include subfolders' }),
  after: z
    .enum(['keep', 'delete'])
    .default('keep')
    .meta({ title: 'After import', description: 'What happens to files that were read.' }),
})

export type MountPointDownloadConfiguration = z.output<typeof configuration>

export const mountPointDownload = defineIncoming({
  type: 'eiq.incoming-transports.mount-point-download',
  label: 'Folder',
  doc: 'Reads the files of a folder on the server.',
  configuration,
  strategies: ['APPEND', 'REPLACE', 'DIFF'],
  collect: async () => (await import('../../collecting/mount-point.ts')).readFolder,
})
