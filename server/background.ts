import type pg from 'pg'
import type { Logger } from 'pino'
import { keepPassages } from './ai/retrieval/keep-passages.ts'
import { startDetonations } from './automation/detonators/lane/lane.ts'
import { startLanes } from './automation/enrichers/lanes/lanes.ts'
import { advanceChains } from './automation/enrichment-rules/advance-chains.ts'
import { startPlaybookLane } from './automation/playbooks/lane/lane.ts'
import { startFollowers } from './background/followers/follow.ts'
import type { Follower } from './background/followers/follower.ts'
import { openQueue } from './background/queue.ts'
import type { TaskTypes } from './background/task.ts'
import { type Chore, startWorker, type Worker } from './background/worker.ts'
import { inBackground } from './engine/work.ts'
import { sendStalenessNotifications } from './feeds/health/staleness-notifications.ts'
import { followers as allFollowers } from './followers.ts'
import { tellFailures } from './mail/failed-runs.ts'
import type { Server } from './server.ts'

const chores: readonly Chore[] = [
  { name: 'notifying users of failed runs', run: tellFailures },
  { name: 'notifying users of stale feeds', run: sendStalenessNotifications },
  { name: 'asking the next enrichers of rules', run: advanceChains },
  { name: 'making passages for the assistant', run: keepPassages },
]

interface Parts {
  readonly server: Server
  /** The queue opens two connections of its own, and one to listen. */
  readonly connection: pg.PoolConfig
  readonly log: Logger
  readonly types?: TaskTypes
  readonly followers?: readonly Follower[]
  /** The number of concurrent runs in this process. */
  readonly concurrency?: number
  /** The polling interval for runs; normally the worker is notified. */
  readonly pollMs?: number
}

/** Starts background work in this process. `prepareTasks` must have run on the database. */
export const startBackground = (parts: Parts): Promise<Worker> => inBackground(() => start(parts))

async function start(parts: Parts): Promise<Worker> {
  const {
    server,
    connection,
    log,
    types = server.taskTypes,
    followers = allFollowers,
    concurrency = 5,
    pollMs = 1000,
  } = parts
  const boss = await openQueue(connection, log)
  const worker = await startWorker({ server, boss, types, log }, { concurrency, pollMs, chores })
  const following = startFollowers({ server, log, followers })
  const lanes = startLanes({ server, log })
  const detonations = startDetonations({ server, log })
  const playbooks = startPlaybookLane({ server, log })
  return {
    stop: async () => {
      await Promise.all([worker.stop(), following.stop(), lanes.stop(), detonations.stop(), playbooks.stop()])
      await boss.stop({ graceful: false })
    },
  }
}
