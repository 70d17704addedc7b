import { definitions } from '../../server/demo/definitions.ts'
import type { Client } from './client.ts'

/** Defines the types of entities that the platform does not bring along. */
export const putDefinitions = (client: Pick<Client, 'putOnly'>): Promise<void> =>
  client.putOnly('/api/v2/entity-definitions', definitions)
