import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const MEGABYTE = 1_000_000
const LOOK_MS = 50
const TICKS_PER_SECOND = 100

/** How many megabytes a process has while it is watched. */
export interface WatchedMemory {
  now(): number
  highest(): number
  stop(): Promise<{ before: number; peak: number }>
}

/** Watches how many megabytes a process has: at first, when it has had its rest, and at its largest. */
export async function watchMemory(pid: number): Promise<WatchedMemory> {
  await sleep(2000)
  const before = await memoryOf(pid)
  let now = before
  let peak = before
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      now = await memoryOf(pid)
      peak = Math.max(peak, now)
      await sleep(LOOK_MS)
    }
  })()
  return {
    now: () => now,
    highest: () => peak,
    stop: async () => {
      isOver = true
      await looking
      return { before, peak }
    },
  }
}

/** How many seconds of processor time a process has taken; a machine with other work to do takes longer. */
export async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / MEGABYTE
}
