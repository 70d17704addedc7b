import { createReadStream } from 'node:fs'
import { glob, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Refusal } from '../refusal.ts'

/** Bytes to import. */
export interface Source {
  readonly name: string
  /** Unknown for standard input. */
  readonly size: number | undefined
  open(): AsyncIterable<Buffer>
}

/** What paths lead to: files, all files of folders in the order of their names, standard input for "-". */
export async function sourcesOf(paths: readonly string[], inputName = ''): Promise<Source[]> {
  const sources: Source[] = []
  for (const path of paths) {
    if (path === '-') sources.push({ name: inputName, size: undefined, open: () => process.stdin })
    else sources.push(...(await sourcesAt(path)))
  }
  return sources
}

async function sourcesAt(path: string): Promise<Source[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Refusal(`There is no ${path}.`)
  if (!found.isDirectory()) return [sourceOf(path, found.size)]
  const sources: Source[] = []
  for (const inner of (await Array.fromAsync(glob('**', { cwd: path }))).sort()) {
    const full = join(path, inner)
    const each = await stat(full).catch(() => undefined)
    // What the system or an editor hides is nothing that people want to import.
    if (each?.isFile() && !inner.split(/[\\/]/).some((part) => part.startsWith('.'))) {
      sources.push(sourceOf(full, each.size))
    }
  }
  return sources
}

const sourceOf = (path: string, size: number): Source => ({
  name: basename(path),
  size,
  open: () => createReadStream(path),
})
