import { parentPort, workerData } from 'node:worker_threads'
import type { Candidate, Decisions } from '../matching/blocks.ts'
import { groupSubjects } from '../matching/group.ts'

/** The input of the thread. Its result is a `Grouping`. */
export interface Task {
  readonly candidates: readonly Candidate[]
  readonly decisions: Decisions
}

const { candidates, decisions } = workerData as Task
parentPort?.postMessage(groupSubjects(candidates, decisions))
