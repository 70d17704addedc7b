import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { DocumentError, documentOf } from '../document.ts'
import { recognise } from '../recognise.ts'
import { readGalaxyFile } from './galaxy-files.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const GALAXY = {
  authors: ['Us'],
  description: 'Invented actors',
  name: 'Threat Actor',
  values: [
    {
      value: 'Velvet Heron',
      uuid: uuid(1),
      description: 'Steals recipes.',
      meta: {
        synonyms: ['HERON-7', 'Grey Wader'],
        refs: ['https://a.example/heron'],
        country: 'XX',
        motive: ['money'],
      },
      related: [
        { 'dest-uuid': uuid(2), type: 'similar', tags: ['estimative-language:likelihood-probability="likely"'] },
        { 'dest-uuid': uuid(99), type: 'uses' },
      ],
    },
    { value: 'Quiet Stork', uuid: uuid(2), related: [{ 'dest-uuid': uuid(1), type: 'subgroup-of' }] },
    { uuid: uuid(3), description: 'without a name' },
  ],
  type: 'threat-actor',
  uuid: uuid(50),
  version: 12,
}

const read = async (value: unknown) => {
  const document = documentOf(JSON.stringify(value), 'galaxy.json')
  assert.equal(await recognise(document), 'misp-galaxy')
  return Array.fromAsync(readGalaxyFile(document))
}

const entitiesIn = (findings: Awaited<ReturnType<typeof read>>) =>
  findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))

test('each cluster of a galaxy becomes an entity with its synonyms, wherever the galaxy type is stated', async () => {
  const findings = await read(GALAXY)
  const [heron, stork] = entitiesIn(findings)
  for (const { data } of entitiesIn(findings)) entityData.parse(data)
  assert.partialDeepStrictEqual(heron?.data, {
    type: 'threat-actor',
    id: `threat-actor--${uuid(1)}`,
    title: 'Velvet Heron',
    description: 'Steals recipes.',
    aliases: ['HERON-7', 'Grey Wader'],
    external_references: [{ source_name: 'misp-galaxy', url: 'https://a.example/heron' }],
    x_misp_country: 'XX',
    x_misp_galaxy: { type: 'threat-actor', meta: { motive: ['money'] } },
  })
  assert.equal(stork?.data.title, 'Quiet Stork')
})

test('relations within the document become relationships; others are reported', async () => {
  const findings = await read(GALAXY)
  assert.deepEqual(
    findings.flatMap((finding) => (finding.kind === 'relationship' ? [finding.relationship.data] : [])),
    [
      { source: `threat-actor--${uuid(1)}`, target: `threat-actor--${uuid(2)}`, key: 'related-to' },
      { source: `threat-actor--${uuid(2)}`, target: `threat-actor--${uuid(1)}`, key: 'subgroup-of' },
    ],
  )
  assert.deepEqual(
    findings.flatMap((finding) => (finding.kind === 'lost' ? finding.losses : [])),
    ['the cluster has no value', '1 relations to clusters in other galaxies are omitted'],
  )
})

test('a later version of the file is newer, and both are newer than event data', async () => {
  const modifiedIn = async (version: number) => entitiesIn(await read({ ...GALAXY, version }))[0]?.data.modified
  const [first, later] = [String(await modifiedIn(12)), String(await modifiedIn(13))]
  assert.ok('1970-01-01T00:00:00.000Z' < first && first < later, `${first} ${later}`)
})

test('galaxies of every kind become entities of a matching or custom type', async () => {
  const typesOf = async (type: string) => entitiesIn(await read({ ...GALAXY, type }))[0]?.data
  assert.equal((await typesOf('sector'))?.type, 'identity')
  assert.equal((await typesOf('country'))?.type, 'location')
  assert.equal((await typesOf('ransomware'))?.type, 'malware')
  assert.partialDeepStrictEqual(await typesOf('Social Dark Patterns'), {
    type: 'custom-entity',
    custom_entity_type: 'misp-social-dark-patterns',
  })
})

test('clusters exported by MISP are read with their elements', async () => {
  const findings = await read([
    {
      GalaxyCluster: {
        uuid: uuid(7),
        type: 'malpedia',
        value: 'Nightjar',
        description: 'A loader',
        GalaxyElement: [
          { key: 'synonyms', value: 'Goatsucker' },
          { key: 'synonyms', value: 'Nighthawk' },
          { key: 'refs', value: 'https://b.example' },
        ],
      },
    },
    { GalaxyCluster: { uuid: uuid(8), type: 'malpedia', value: 'Gone', deleted: true } },
  ])
  assert.partialDeepStrictEqual(entitiesIn(findings)[0]?.data, {
    type: 'malware',
    title: 'Nightjar',
    aliases: ['Goatsucker', 'Nighthawk'],
  })
  assert.partialDeepStrictEqual(findings[1], { kind: 'lost', losses: ['this cluster was deleted'] })
})

test('a galaxy without clusters is rejected', async () => {
  await assert.rejects(read({ ...GALAXY, values: [] }), DocumentError)
})
