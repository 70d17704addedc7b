import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SAMPLES } from '../sample-files.ts'

const tool = join(SAMPLES, 'tools/validate_stix1.py')
const schemas = join(SAMPLES, 'stix12/xsd/stix_1.2')
const python = '/usr/bin/python3'

/** Why documents cannot be validated here, or false. */
export function whyNotValidated(): string | false {
  if (!existsSync(tool)) return 'the STIX 1.2 validator is not next to this clone'
  return spawnSync(python, ['-c', 'import lxml']).status === 0 ? false : 'python3-lxml is not installed'
}

/** The errors of the official schema for documents; empty if all are valid. */
export function faultsOfDocuments(documents: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stix1-'))
  try {
    const files = Object.entries(documents).map(([name, text]) => {
      const file = join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.xml`)
      writeFileSync(file, text)
      return file
    })
    const { stdout, stderr } = spawnSync(python, [tool, schemas, ...files], { encoding: 'utf8' })
    return stdout.includes(`${files.length} passed, 0 failed`) ? '' : `${stdout}${stderr}`.replaceAll(folder, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
