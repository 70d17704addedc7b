import { sql } from 'kysely'
import type { Server } from '../../server.ts'
import type { RagState } from '../features.ts'
import { readSetup } from './setup.ts'

/** How far passages are embedded by the selected model. */
export async function ragState(server: Server): Promise<RagState> {
  const { embedder } = await readSetup(server)
  if (!embedder) return 'not-configured'
  const { rows } = await sql<{ has_failed: boolean; is_ready: boolean }>`
    select i.failures > 0 as has_failed,
      i.is_complete and exists (
        select from passage_spaces as s
        where s.is_current and s.url = ${embedder.endpoint.url} and s.model = ${embedder.model}
          and not exists (select from passages as p where p.revision > s.reached)
      ) as is_ready
    from passage_index as i`.execute(server.db)
  if (rows[0]?.is_ready) return 'success'
  return rows[0]?.has_failed ? 'error' : 'indexing'
}
