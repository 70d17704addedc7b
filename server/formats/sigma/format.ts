import type { Format } from '../format.ts'

export const sigma = {
  kind: 'sigma',
  read: async () => ({ read: (await import('./read-sigma.ts')).readSigma }),
  contentTypes: [],
} as const satisfies Format
