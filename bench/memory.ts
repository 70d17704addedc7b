import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const MEGABYTE = 1_000_000
const LOOK_MS = 50

/** Watches how many megabytes a process has: at first, when it has had its rest, and at its largest. */
export async function watchMemory(pid: number): Promise<{ stop(): Promise<{ before: number; peak: number }> }> {
  await sleep(2000)
  const before = await memoryOf(pid)
  let peak = before
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await memoryOf(pid))
      await sleep(LOOK_MS)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await looking
      return { before, peak }
    },
  }
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / MEGABYTE
}
