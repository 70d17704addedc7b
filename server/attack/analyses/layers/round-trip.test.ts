import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../../test/effort.ts'
import { SAMPLES, sampleFiles, skipWithoutSamples } from '../../../../test/sample-files.ts'
import { type Node, nodesFrom } from '../../classification/nodes.ts'
import { readFacts } from '../../frameworks/ship-facts.ts'
import { FORMATS } from './layer.ts'
import { placeLayer } from './place-layer.ts'
import { readLayers } from './read-layers.ts'
import { writeLayer } from './write-layer.ts'
import { majorOf, writtenLayer } from './written-layer.ts'

const frameworks = await readFacts()
const nodes = nodesFrom(
  frameworks.flatMap(({ matrix, nodes: own }) =>
    own.map(
      ({ short_name, ...node }): Node => ({ ...node, matrix, short_names: short_name === null ? [] : [short_name] }),
    ),
  ),
)

const read = (document: unknown) => readLayers({ data: document }).map((sent) => placeLayer(nodes, sent))
const write = ({ layer, notes }: ReturnType<typeof placeLayer>) => writeLayer({ nodes, version: '18.1', notes }, layer)
/** As a file keeps it. */
const saved = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/** Reads a document, writes it, and reads it again; returns what was written. */
function roundTrip(document: unknown) {
  return read(document).map((first) => {
    const written = saved(write(first))
    assert.deepEqual(saved(writtenLayer.parse(written)), written)
    const [second] = read(written)
    assert.ok(second)
    assert.deepEqual(saved(second.layer), saved(first.layer))
    assert.deepEqual([...second.notes].sort(), [...first.notes].sort())
    assert.deepEqual([second.report.mapped, second.report.merged], [[], []])
    assert.deepEqual(saved(write(second)), written)
    const places = written.techniques.map(({ techniqueID, tactic }) => `${tactic}:${techniqueID}`)
    const unknown = new Set(
      first.report.unknown.map(({ techniqueID, tactic }) => `${tactic ?? undefined}:${techniqueID}`),
    )
    const placed = places.filter((place) => !unknown.has(place))
    assert.equal(new Set(placed).size, placed.length, 'a node has one technique')
    return written
  })
}

const facts = fc.array(
  fc.oneof(
    fc.record({ name: fc.string(), value: fc.string() }),
    fc.record({
      name: fc.constantFrom('Annotation of TA0002', 'Annotation of X', 'Annotation of enterprise-attack'),
      value: fc.string(),
    }),
    fc.constant({ divider: true }),
  ),
  { maxLength: 4 },
)
const links = fc.array(fc.record({ label: fc.string(), url: fc.webUrl() }), { maxLength: 2 })

const ids = nodes.all.filter(({ type }) => type !== 'matrix').map(({ external_id }) => external_id)
const tactics = nodes.all.flatMap(({ short_names }) => short_names)
const some = (list: readonly string[]) => fc.constantFrom(...list)
/** Close together, so that techniques meet. */
const crowded = ['T1086', 'T1059', 'T1059.001', 'T1078', 'T1043', 'T1156', 'T9999', 'TA0002', '__proto__']

const technique = fc.record(
  {
    techniqueID: fc.oneof(some(ids), some(crowded)),
    tactic: fc.option(fc.oneof(some(tactics), fc.constantFrom('execution', 'constructor', ''))),
    score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    color: fc.option(fc.constantFrom('', '#ff6666')),
    comment: fc.option(fc.oneof(fc.string(), fc.constantFrom('', ' ', 'a\n\nb', 'a', '\u0007'))),
    enabled: fc.option(fc.boolean()),
    showSubtechniques: fc.boolean(),
    metadata: facts,
    links,
    ours: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ['techniqueID'] },
)

const layer = fc
  .record(
    {
      name: fc.string({ minLength: 1 }),
      domain: fc.constantFrom(
        'enterprise-attack',
        'mitre-enterprise',
        'mobile-attack',
        'mitre-mobile',
        'ics-attack',
        'mitre-ics',
      ),
      format: fc.constantFrom(...FORMATS),
      description: fc.string(),
      techniques: fc.array(technique, { maxLength: 12 }),
      filters: fc.record({ platforms: fc.array(fc.constantFrom('windows', 'Linux')) }, { requiredKeys: [] }),
      layout: fc.record({ layout: fc.constantFrom('side', 'flat') }),
      viewMode: fc.nat(3),
      sorting: fc.nat(3),
      hideDisabled: fc.boolean(),
      gradient: fc.record({
        colors: fc.array(fc.constantFrom('#fff', '#ff6666'), { minLength: 2, maxLength: 4 }),
        minValue: fc.integer(),
        maxValue: fc.integer(),
      }),
      legendItems: fc.array(fc.record({ label: fc.string(), color: fc.string() }), { maxLength: 3 }),
      metadata: facts,
      links,
      ours: fc.jsonValue({ maxDepth: 3 }),
    },
    { requiredKeys: ['name', 'domain', 'format'] },
  )
  .map(({ format, ...rest }) => ({
    ...rest,
    ...(Number(format) < 4 ? { version: format } : { versions: { layer: format, attack: '9', navigator: '4.3' } }),
  }))
  // What PostgreSQL cannot store is refused, and is tested elsewhere.
  .filter((each) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(each)))

test('reading, writing and reading again is the same for any layer', () => {
  fc.assert(
    fc.property(layer, (each) => {
      roundTrip(saved(each))
    }),
    { numRuns: effort(3000, 250) },
  )
})

test('a layer names the major version, and none of a version that is a day', () => {
  assert.deepEqual(['18.1', '9', '2025-11-12', ''].map(majorOf), ['18', '9', '', ''])
})

test('a list of layers is read as each of them', () => {
  fc.assert(
    fc.property(fc.array(layer, { minLength: 1, maxLength: 4 }), (all) => {
      assert.deepEqual(roundTrip(saved(all)), saved(all).flatMap(roundTrip))
    }),
    { numRuns: effort(300, 25) },
  )
})

const samples = sampleFiles(['layers'], '.json')

test('the sample layers', { skip: skipWithoutSamples }, () => {
  const documents = samples.map((file) => JSON.parse(readFileSync(join(SAMPLES, file), 'utf8')))
  for (const [i, written] of documents.flatMap(roundTrip).entries()) {
    const { name, description, gradient } = documents[i]
    assert.partialDeepStrictEqual(written, saved({ name, description, ...(gradient && { gradient }) }))
  }
  const mapped = documents
    .flatMap(read)
    .map(({ report }) => new Set(report.mapped.map(({ techniqueID }) => techniqueID)).size)
  assert.equal(
    mapped.reduce((a, b) => a + b, 0),
    62,
  )
})
