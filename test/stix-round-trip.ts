import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../server/config.ts'
import { documentOf } from '../server/formats/document.ts'
import type { Finding } from '../server/formats/finding.ts'
import { readStix2 } from '../server/formats/stix2/read-stix2.ts'
import { writeStix2 } from '../server/formats/stix2/write-stix2.ts'
import { SAMPLES } from './sample-files.ts'
import { writtenBy } from './shipments.ts'
import { entityMeta, storedFindings } from './stored-findings.ts'

type Fields = Record<string, unknown>

const validator = join(SAMPLES, 'tools/validate_stix21.mjs')

/** Why no documents can be validated; false if they can. */
export const isWithoutValidator = existsSync(validator) ? false : 'the STIX 2.1 validator is not next to this clone'

/** The findings in a STIX 2 document. */
export const findingsOf = (text: string | Buffer): Promise<Finding[]> => Array.fromAsync(readStix2(documentOf(text)))

/** The document written from findings after they were stored, and the losses on the way. */
export async function exportOf(
  findings: readonly Finding[],
): Promise<{ text: string; objects: Fields[]; losses: string[] }> {
  const { bytes, losses } = await writtenBy(writeStix2, storedFindings(findings))
  const text = bytes.toString()
  const { objects } = JSON.parse(text) as { objects: Fields[] }
  assert.equal(new Set(objects.map(({ id }) => id)).size, objects.length, 'an id is there twice')
  return { text, objects, losses }
}

/** Findings by their subject, as they are stored, so that two readings can be compared. */
export function comparable(findings: readonly Finding[]): Record<string, unknown> {
  const told = findings.flatMap((finding): [string, unknown][] => {
    if (finding.kind === 'relationship') return [[`relationship ${finding.relationship.id}`, finding.relationship]]
    if (finding.kind !== 'entity') return []
    const { data, observables = [], kept = [] } = finding.entity
    const named = observables.map(({ type, value, maliciousness, link_type }) => [
      `${type} ${value}`,
      { maliciousness, link_type },
    ])
    const objects = kept.map(({ id, object }) => [id, object])
    return [
      [
        `entity ${data.id}`,
        {
          data,
          meta: entityMeta(finding.entity),
          observables: Object.fromEntries(named),
          kept: Object.fromEntries(objects),
        },
      ],
    ]
  })
  return JSON.parse(JSON.stringify(Object.fromEntries(told)))
}

/** Fails if one of the documents is not valid STIX 2.1. */
export async function assertValid(documents: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'corvus-stix-'))
  try {
    const files = documents.map((_, i) => join(folder, `${i}.json`))
    await Promise.all(documents.map((text, i) => writeFile(files[i] ?? '', text)))
    const schemas = join(SAMPLES, 'stix21/oasis-json-schemas/schemas')
    const { stdout } = await promisify(execFile)(process.execPath, [validator, schemas, ...files], { cwd: root })
    assert.match(stdout, new RegExp(`^${documents.length} passed, 0 failed`), stdout.slice(0, 2000))
  } finally {
    await rm(folder, { recursive: true })
  }
}
