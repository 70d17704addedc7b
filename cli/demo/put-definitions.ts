import { definitions } from '../../server/demo/definitions.ts'
import type { Client } from './client.ts'

/** Defines the custom entity types of the demo data. */
export const putDefinitions = (client: Pick<Client, 'putOnly'>): Promise<void> =>
  client.putOnly('/api/v2/entity-definitions', definitions)
