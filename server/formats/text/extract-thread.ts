import { parentPort, workerData } from 'node:worker_threads'
import { extractInParts } from './extract-in-parts.ts'

/** The input of the thread. */
export interface Searched {
  readonly text: string
  readonly most: number
}

const { text, most } = workerData as Searched
parentPort?.postMessage(await extractInParts(text, most))
