import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * The name of a running program, or undefined if the process has ended. A zombie has ended, although `kill -0` still
 * finds it.
 */
export async function processName(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return processNameByPs(pid)
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // "123 (name, which may contain spaces and brackets) S 1 …"
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(text) ?? []
  return state === 'Z' || state === 'X' ? undefined : name
}

/** Sends the signal and waits for the process to end. Returns false if it still runs after this time. */
export async function ends(pid: number, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  try {
    process.kill(pid, signal)
  } catch {
    return true
  }
  while ((await processName(pid)) !== undefined) {
    if (Date.now() > deadline) return false
    await setTimeout(20)
  }
  return true
}

async function processNameByPs(pid: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,comm=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  const [, state = '', command] = /^(\S+)\s+(\S.*)$/.exec(stdout.trim()) ?? []
  return state.startsWith('Z') ? undefined : command?.split('/').at(-1)
}
