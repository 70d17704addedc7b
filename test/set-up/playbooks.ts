import assert from 'node:assert/strict'
import { pino } from 'pino'
import { followChanges } from '../../server/automation/playbooks/follow-changes.ts'
import { advanceRun } from '../../server/automation/playbooks/lane/advance-run.ts'
import { claimRuns } from '../../server/automation/playbooks/lane/claim.ts'
import { makeId } from '../../server/engine/ids.ts'
import { openOutbound } from '../../server/ports/outbound.ts'
import { type Method, startApp } from '../app.ts'
import { catchUp, serverOf, untilReadable } from '../followers.ts'

type Item = Record<string, unknown>

/** The application, with functions that create playbooks, let them follow changes, and take their steps. */
export async function startPlaybooks(onStatement?: (statement: string) => void) {
  const corvus = await startApp(onStatement, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const server = { ...(await serverOf(corvus)), outbound: openOutbound(corvus.config.allowedNetworks) }
  const log = pino({ level: process.env.CORVUS_LOG_LEVEL ?? 'silent' })
  const { signal } = new AbortController()

  const ask = async (method: Method, path: string, data?: unknown, token?: string) => {
    const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
    assert.ok(status < 300, `${status} ${method} ${path} ${JSON.stringify(body)}`)
    return body.data
  }
  const follow = async () => {
    await untilReadable(corvus.db)
    await catchUp(server, followChanges)
  }
  /** Takes all steps that are due. Runs that wait for longer stay. */
  const work = async () => {
    for (;;) {
      const claimed = await claimRuns(corvus.db, makeId(), 20)
      if (claimed.length === 0) return
      await Promise.all(claimed.map((run) => advanceRun({ server, log, signal }, run)))
    }
  }
  let counter = 0
  return {
    ...corvus,
    server,
    ask,
    follow,
    work,
    /** Follows changes and takes steps until nothing is left. */
    settle: async () => {
      for (let round = 0; round < 10; round++) {
        await follow()
        await work()
      }
    },
    playbook: (given: Item, token?: string) =>
      ask('POST', 'playbooks', { name: `Playbook ${++counter}`, is_active: true, ...given }, token),
    entity: (title: string, given: Item = {}, token?: string) =>
      ask('POST', 'entities', { data: { type: 'report', title }, ...given }, token),
    tagsOf: async (entity: { id: string }): Promise<string[]> => (await ask('GET', `entities/${entity.id}`)).meta.tags,
    runsOf: (playbook: { id: number }, token?: string) =>
      ask('GET', `playbooks/${playbook.id}/runs?sort=created_at`, undefined, token),
    /** Lets the leases of all runs expire, as those of killed processes do. */
    expireLeases: () =>
      corvus.pool.query(`update playbook_runs set claimed_until = now() - interval '1 second' where claim is not null`),
    /** Lets what waits be due. */
    hurry: () => corvus.pool.query(`update playbook_runs set due_at = now() where ended_at is null`),
  }
}

export type Playbooks = Awaited<ReturnType<typeof startPlaybooks>>
