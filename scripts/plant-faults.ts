import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../server/config.ts'
import type { Fault } from '../test/faults/fault.ts'
import { faults } from '../test/faults/registry.ts'
import { staleFaults } from '../test/faults/stale-faults.ts'

// Plants each fault of test/faults in a copy of the project, runs the tests nearest to it, and says whether they failed.
// `npm run faults` plants all of them, `npm run faults -- cursor` those whose description or file contains a word.

/** At least this share of all faults must be found. */
const WANTED = 0.9

const words = process.argv.slice(2)
const chosen = faults.filter(({ breaks, file }) => words.every((word) => `${breaks} ${file}`.includes(word)))
const folder = mkdtempSync(join(tmpdir(), 'corvus-faults-'))
const copy = join(folder, 'project')
try {
  copyProject()
  requireAllToApply()
  requireSoundTests()
  const survivors = chosen.filter((fault, i) => !isFound(fault, i))
  const found = chosen.length - survivors.length
  for (const { breaks, file } of survivors) console.log(`survived: ${breaks} (${file})`)
  console.log(`${found} found, ${survivors.length} survived`)
  process.exitCode = found >= WANTED * chosen.length ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function copyProject(): void {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of stdout.split('\n').filter((name) => name !== '' && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  // Tests look for sample documents next to the project.
  const samples = join(dirname(root), 'shared')
  if (existsSync(samples)) symlinkSync(samples, join(folder, 'shared'))
}

/** Refuses faults that no longer match the code before anything runs. */
function requireAllToApply(): void {
  const stale = staleFaults(copy, chosen)
  if (stale.length > 0) throw new Error(stale.join('\n'))
}

/** Tests that fail anyway would find every fault. */
function requireSoundTests(): void {
  const tests = [...new Set(chosen.flatMap((fault) => fault.tests))]
  if (tests.length === 0) return
  const failed = failuresOf(tests)
  if (failed.length > 0) throw new Error(`These tests fail without any fault:\n${failed.join('\n')}`)
}

function isFound(fault: Fault, index: number): boolean {
  const path = join(copy, fault.file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    original.replace(fault.from, () => fault.to),
  )
  try {
    const [first] = failuresOf(fault.tests)
    const outcome = first === undefined ? `SURVIVED: ${fault.breaks}` : `found: ${fault.breaks} (by "${first}")`
    console.log(`${index + 1}/${chosen.length} ${outcome}`)
    return first !== undefined
  } finally {
    writeFileSync(path, original)
  }
}

/** The names of failing tests. A run without its closing counts broke off and proves nothing. */
function failuresOf(tests: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, 'scripts/test.ts', ...tests],
    // Node recognises test processes by this variable, and would run nothing inside one.
    { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  const count = /^ℹ fail (\d+)$/m.exec(stdout)?.[1]
  if (count === undefined) throw new Error(`The tests did not run:\n${stdout.slice(-2000)}${stderr.slice(-2000)}`)
  const [, list = ''] = stdout.split('✖ failing tests:')
  const names = [...list.matchAll(/^✖ (.*?)(?: \([\d.]+ms\))?$/gm)].map(([, name = '']) => name)
  return status === 0 && count === '0' ? [] : names.length > 0 ? names : ['a test file that does not load']
}
