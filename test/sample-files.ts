import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../server/config.ts'

/** Real documents next to the clone, where present. They belong to others and are not part of the repository. */
export const SAMPLES = process.env.CORVUS_TEST_SAMPLES ?? join(root, '../shared/samples')

/** Why tests that read samples are skipped; false where the samples are present. */
export const skipWithoutSamples = existsSync(SAMPLES) ? false : 'the sample documents are not next to this clone'

/** Paths, relative to the samples, of all files below the folders with this extension; none where there are no samples. */
export function sampleFiles(folders: readonly string[], extension: string): string[] {
  if (skipWithoutSamples) return []
  return folders
    .flatMap((folder) =>
      readdirSync(join(SAMPLES, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith(extension))
    .sort()
}

/**
 * Declares a test for each sample. Without samples it declares a single skipped test: a file that starts a server and declares no
 * test at all would never run its `after` hooks, and the server would keep it open.
 */
export function testEachSample(
  files: readonly string[],
  sentence: string,
  run: (file: string) => void | Promise<void>,
): void {
  if (skipWithoutSamples) test(`each sample ${sentence}`, { skip: skipWithoutSamples }, () => {})
  for (const file of files) test(`${file} ${sentence}`, () => run(file))
}
