import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { folder } from '../connection.ts'
import { defineOutgoing } from '../transport.ts'

const configuration = z.object({
  path: folder,
  filename: string(0, 200)
    .regex(/^[^/\0]*$/, 'must not have slashes')
    .default('')
    .meta({
      title: 'File name',
      description: 'Each block replaces the file of this name. If empty, each block is written to its own file.',
    }),
})

export type MountPointUploadConfiguration = z.output<typeof configuration>

export const mountPointUpload = defineOutgoing({
  type: 'eiq.outgoing-transports.mount-point-upload',
  label: 'Folder',
  doc: 'Writes each block into a folder on the server.',
  configuration,
  carry: async () => (await import('../../publishing/mount-point-upload.ts')).writeIntoFolder,
})
