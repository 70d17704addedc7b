import type { Worker } from '../../../background/worker.ts'
import { type LaneParts, startLane } from '../../lane.ts'
import { notifyOfFailures } from '../notifications.ts'
import { advanceRun } from './advance-run.ts'
import { type ClaimedRun, claimRuns, releaseRun, wakeWaiting } from './claim.ts'

/** How many runs one process takes steps of at the same time. Runs that wait are not among them. */
const MAX_RUNS = 6

/** Runs playbooks until stopped. */
export const startPlaybookLane = ({ server, log }: LaneParts): Worker =>
  startLane<ClaimedRun>(log, {
    name: 'running playbooks',
    unit: 'a run of a playbook',
    concurrency: MAX_RUNS,
    claim: (fence, room) => claimRuns(server.db, fence, room),
    perform: (claimed, signal) => advanceRun({ server, log, signal }, claimed),
    describe: ({ id }) => ({ run: id }),
    release: (claimed) => releaseRun(server.db, claimed, { isCounted: true, pauseSeconds: 5 }),
    chores: [
      { name: 'waking runs of playbooks', everyMs: 1000, run: () => wakeWaiting(server.db) },
      { name: 'notifying users of failed playbooks', everyMs: 2000, run: () => notifyOfFailures(server) },
    ],
  })
