import type { Client } from './client.ts'

/** The types of its own that the invented organisation has. */
export const definitions = [
  { name: 'Exposure', type: 'exposure' },
  { name: 'Third party', type: 'third-party' },
  { name: 'Fraud case', type: 'fraud-case' },
] as const

/** Defines the types of entities that the platform does not bring along. */
export const putDefinitions = (client: Pick<Client, 'putOnly'>): Promise<void> =>
  client.putOnly('/api/v2/entity-definitions', definitions)
