import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { isThorough, isTurnOf } from '../../../../test/effort.ts'
import { SAMPLES, sampleFiles, skipWithoutSamples } from '../../../../test/sample-files.ts'
import { NOTHING_DECIDED } from '../../../../test/set-up/matching.ts'
import { documentOf } from '../../../formats/document.ts'
import { readStix2 } from '../../../formats/stix2/read-stix2.ts'
import type { Candidate } from './blocks.ts'
import { groupSubjects } from './group.ts'
import { subjectOf } from './subject.ts'

/** An entity of a catalogue, compared as if the catalogue were a source of its own. */
type Listed = Candidate & { readonly catalogue: string; readonly data: Readonly<Record<string, unknown>> }

// Reading takes most of the time, and the version in the middle adds least.
const files = sampleFiles(['attack-versions'], '.json.br').filter((file) => isThorough || !file.includes('17.1'))
const TYPES = new Set(['intrusion-set', 'malware', 'tool'])

/** The groups and software of a version and domain of ATT&CK. Each catalogue has the same STIX ids, and gets its own here. */
async function read(file: string, source: number): Promise<Listed[]> {
  const objects = JSON.parse(brotliDecompressSync(readFileSync(join(SAMPLES, file))).toString()) as { type: string }[]
  const bundle = {
    type: 'bundle',
    id: 'bundle--0cde353c-ea5b-4668-9f68-971946609282',
    objects: objects.filter(({ type }) => TYPES.has(type)),
  }
  const found: Listed[] = []
  for await (const finding of readStix2(documentOf(JSON.stringify(bundle)))) {
    if (finding.kind !== 'entity' || finding.entity.isWithdrawn || finding.entity.data.revoked === true) continue
    const { data } = finding.entity
    const id = `${data.id}-${source}`
    const subject = subjectOf({ id, stix_id: id, type: data.type, source, data, observables: [] })
    found.push({ ...subject, policy: 1, catalogue: basename(file, '.json.br'), data })
  }
  return found
}

const catalogues: Promise<Listed[]>[] = files.map(read)

/** The ATT&CK id that an entity has in its catalogue, read without the code under test. */
function attackIdOf({ data }: Listed): string {
  const references = data.external_references as { source_name: string; external_id?: string }[]
  return references.find(({ source_name }) => source_name === 'mitre-attack')?.external_id ?? ''
}

function check(all: readonly Listed[]): void {
  const { groups, full } = groupSubjects(all, NOTHING_DECIDED)
  assert.equal(full, 0)
  const byEntity = new Map(all.map((one) => [one.entity, one]))
  const groupOf = new Map(groups.flatMap((group) => group.members.map((member) => [member, group] as const)))
  for (const { members } of groups) {
    const titles = new Map<number, string>()
    for (const member of members) {
      const one = byEntity.get(member)
      const title = String(one?.data.title).toLowerCase()
      const known = titles.get(one?.source ?? 0)
      assert.ok(known === undefined || known === title, `${one?.catalogue} has ${known} and ${title}`)
      titles.set(one?.source ?? 0, title)
    }
  }
  const current = all.filter(({ data }) => data.x_mitre_deprecated !== true)
  const same = Map.groupBy(current, (one) => `${one.type} ${attackIdOf(one)}`)
  for (const [id, some] of same)
    if (some.length > 1) {
      const found = new Set(some.map(({ entity }) => groupOf.get(entity)))
      assert.ok(found.size === 1 && !found.has(undefined), `${id}: ${some.map(({ data }) => data.title)}`)
    }
  for (const { members } of groups) {
    const some = members.flatMap((member) => byEntity.get(member) ?? [])
    const ids = new Set(some.filter(({ data }) => data.x_mitre_deprecated !== true).map(attackIdOf))
    assert.ok(ids.size <= 1, `${[...ids]} are one group`)
  }
}

test('two catalogues of ATT&CK join what has one id, and nothing that one of them keeps apart', {
  skip: skipWithoutSamples,
}, async () => {
  const all = await Promise.all(catalogues)
  assert.equal(all.length, isThorough ? 9 : 6)
  const pairs = all.flatMap((one, i) => all.slice(i + 1).map((other) => [...one, ...other]))
  for (const [i, pair] of pairs.entries()) if (isTurnOf(i)) check(pair)
})

test('all versions and domains of ATT&CK at once do too', { skip: skipWithoutSamples }, async () => {
  const all = (await Promise.all(catalogues)).flat()
  assert.ok(all.length > 2000, `${all.length}`)
  check(all)
})

test('a withdrawn ATT&CK entity joins what has its name, not what has its former id now', {
  skip: skipWithoutSamples,
}, async () => {
  const all = (await Promise.all(catalogues)).flat()
  const { groups } = groupSubjects(all, NOTHING_DECIDED)
  const byEntity = new Map(all.map((one) => [one.entity, one]))
  const titlesWith = (title: string) =>
    groups
      .map(({ members }) => members.flatMap((member) => byEntity.get(member)?.title ?? []))
      .filter((titles) => titles.includes(title))
  // The catalogue for industrial systems once gave EKANS the id that BISCUIT has.
  const [ekans, ...others] = titlesWith('ekans')
  assert.deepEqual(others, [])
  assert.deepEqual([...new Set(ekans)], ['ekans'])
  assert.ok((ekans?.length ?? 0) >= 6)
})
