import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const MEGABYTE = 1_000_000
const LOOK_MS = 50
const TICKS_PER_SECOND = 100

/** The memory of a watched process, in megabytes. */
export interface WatchedMemory {
  now(): number
  highest(): number
  stop(): Promise<{ before: number; peak: number }>
}

/** Watches the memory of a process: idle at first, then at its peak. */
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

/** The CPU time of a process in seconds, which other load on the machine affects less than elapsed time. */
export async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / MEGABYTE
}
