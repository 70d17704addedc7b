import type { Format } from '../format.ts'

export const openIoc = {
  kind: 'openioc',
  read: async () => ({ read: (await import('./read-openioc.ts')).readOpenIoc, versionedBy: 'modified' }),
  contentTypes: [],
} as const satisfies Format
