import assert from 'node:assert/strict'
import { openModelPorts } from '../../server/ai/calling/model-ports.ts'
import { findPassages, type Wanted } from '../../server/ai/retrieval/find-passages.ts'
import { keepPassages } from '../../server/ai/retrieval/keep-passages.ts'
import { passages } from '../../server/ai/retrieval/passage-follower.ts'
import { findToken } from '../../server/identity/access/callers.ts'
import { openOutbound } from '../../server/ports/outbound.ts'
import type { Server } from '../../server/server.ts'
import type { startApp } from '../app.ts'
import { catchUp, serverOf, untilReadable } from '../followers.ts'

/** Makes and finds passages as the server does. AI providers must be set up before. */
export async function retrieval(corvus: Awaited<ReturnType<typeof startApp>>) {
  const outbound = openOutbound([])
  const modelPorts = openModelPorts(outbound, [])
  const server: Server = { ...(await serverOf(corvus)), outbound, modelPorts }
  const signal = new AbortController().signal
  /** Follows all changes. */
  const follow = async (): Promise<void> => {
    await untilReadable(corvus.db)
    await catchUp(server, passages)
  }
  /** One turn of the background work that reads what was there before, and embeds. */
  const keep = (until = signal): Promise<void> => keepPassages(server, until)
  return {
    follow,
    keep,
    make: async (): Promise<void> => {
      await follow()
      await keep()
    },
    /** What the owner of a token finds. */
    find: async (query: string, token = corvus.admin, wanted: Partial<Wanted> = {}) => {
      const caller = (await findToken(corvus.db, token))?.caller
      assert.ok(caller)
      const usual = { limit: 10, signal, ceiling: 'RED' } as const
      return findPassages({ ...server, caller, baseUrl: '' }, { query, ...usual, ...wanted })
    },
    stop: async (): Promise<void> => {
      await modelPorts.close()
      await outbound.close()
    },
  }
}
