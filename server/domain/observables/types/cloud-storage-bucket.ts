import type { ObservableDefinition } from '../definition.ts'
import { word } from '../free-text.ts'

export const cloudStorageBucket = {
  type: 'cloud-storage-bucket',
  ...word('the name of a storage bucket', 's3://example-bucket', 1_024),
} as const satisfies ObservableDefinition
